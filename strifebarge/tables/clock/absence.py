"""The table's policy about people who stay away: agreed before the game, so that no table hangs.  Pure.

Somebody who keeps the others waiting longer than the table's patience may be dealt with, step by step, as
its remedy says.  Where a clock runs patience is for nothing: there the game itself says what becomes of a
deadline, and the others may be quicker than that.  Of two, the one who is there may take the win, call it a
draw or give more days, while the other's time is over and their grace is not, or while they are away from a
live table.  Of more, the others may ask somebody into a seat that has let too much time run out, or take it
out of the game by majority.  Wherever the others may do something about a seat, they may have a bot play it
instead, unless the game is rated, which it would be no more.  Where nobody remains who could act, the game
ends without a result after half a year.
"""

from enum import StrEnum

from strifebarge.rules import Text
from strifebarge.rules.pace import DAY
from strifebarge.tables.clock.presence import LIVE_ABSENT_AFTER, TablePresence
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.status import AbsencePolicy
from strifebarge.tables.model.table import Table

SKIPS = 2  # in a row, before a seat may be taken out of the game
CLOSED_AFTER = 180 * DAY  # seconds in which nothing has happened at a running game
UNJOINED_AFTER = 60 * DAY  # seconds in which nobody has joined an open table


class AbsenceStep(StrEnum):
    """A step that the others may take at this moment about one seat."""

    SKIP = "skip"
    GO_ON = "go_on"  # with a game suspended, without waiting for its agreement
    FREE = "free"
    END = "end"
    OUT = "out"  # it counts as having left for good
    WIN = "win"  # of two: the other has won
    DRAW = "draw"  # or neither has
    MORE = "more"  # or there are some days more
    VOTE = "vote"  # of more: it is out, if most of the others say so
    BOT = "bot"  # a bot plays for it from now on


# Why a game has ended without a result, where nobody agreed to it.
SOMEBODY_AWAY = Text("No result: a player was absent.").sentence
NEVER_CAME = Text("No result: a player made no move in time.").sentence
EVERYBODY_LEFT = Text("No result: everyone left.").sentence
NOTHING_HAPPENED = Text("No result: nobody moved for half a year.").sentence


def usual_remedy(seats: int) -> AbsencePolicy:
    """Return the usual remedy: of two the other has won; of more, the others go on."""
    return AbsencePolicy.LOSE if seats == 2 else AbsencePolicy.SKIP


def late_chairs(table: Table, presence: TablePresence) -> list[Chair]:
    """Return the seats that have kept the others waiting for longer than was agreed."""
    return [chair for chair in table.chairs if is_late(table, chair, presence)]


def is_late(table: Table, chair: Chair, presence: TablePresence) -> bool:
    since = table.waits_since(chair)
    if since is None:
        return False
    if table.ticking:
        return in_grace(table, chair) or is_absent(table, chair)
    return is_gone(table, chair, presence) if table.live else presence.now - since >= table.settings.patience


def is_gone(table: Table, chair: Chair, presence: TablePresence) -> bool:
    """Return whether a live table has waited for long enough for a seat that is not there."""
    since = table.waits_since(chair)
    if since is None:
        return False
    last_seen = max(map(presence.last_seen, chair.players), default=since)
    return presence.now - max(since, last_seen) >= LIVE_ABSENT_AFTER and not presence.any_of(chair)


def in_grace(table: Table, chair: Chair) -> bool:
    """Return whether a seat's time has run out, and it has but a grace."""
    clock = table.clock if table.ticking else None
    return clock is not None and clock.seat_clocks[chair.seat].grace


def is_absent(table: Table, chair: Chair) -> bool:
    """Return whether a seat of several has let its time run out so often that others may have it."""
    clock = table.clock
    if clock is None or not (table.ticking and clock.pace.slow) or chair not in table.in_play():
        return False
    return len(table.in_play()) > 2 and clock.seat_clocks[chair.seat].missed >= clock.pace.misses


def step_for(table: Table, chair: Chair) -> AbsenceStep:
    """Return what may be done about a seat that is late."""
    if table.trouble:
        return AbsenceStep.END  # nothing else can be done while the rules lead elsewhere
    match table.settings.remedy:
        case AbsencePolicy.END:
            return AbsenceStep.END
        case AbsencePolicy.REPLACE if chair.player:
            return AbsenceStep.FREE
        case AbsencePolicy.SKIP if table.suspended and chair.skipped < SKIPS:
            return AbsenceStep.GO_ON
        case AbsencePolicy.SKIP if chair.skipped < SKIPS:
            return AbsenceStep.SKIP
    return AbsenceStep.OUT


def steps_about(table: Table, player: str | None, chair: Chair, presence: TablePresence) -> list[AbsenceStep]:
    """Return what this player may do about a seat that is late; nothing, mostly."""
    own = table.chairs_of(player)
    if table.suspended_by_host or chair in own or all(each.left for each in own):
        return []
    if table.ticking:
        ways = _by_the_clock(table, own, chair, presence)
    else:
        ways = [step_for(table, chair)] if is_late(table, chair, presence) else []
    may_stand_in = presence.bots and not (table.is_rated or table.trouble or chair.bot or table.tournament)
    return [*ways, AbsenceStep.BOT] if ways and may_stand_in else ways


def _by_the_clock(table: Table, own: list[Chair], chair: Chair, presence: TablePresence) -> list[AbsenceStep]:
    in_play = table.in_play()
    own = [each for each in own if each in in_play and not in_grace(table, each)]
    if not own or chair not in in_play:
        return []
    if is_absent(table, chair):
        return [AbsenceStep.VOTE] if any(each.seat not in chair.against for each in own) else []
    paused = table.clock is not None and table.clock.stands(presence.now)
    gone = table.live and not paused and is_gone(table, chair, presence)
    if len(in_play) > 2 or not (gone or in_grace(table, chair)):
        return []
    # Then nobody has won or lost, unless it counts in a tournament.
    never = len(table.chairs) == 2 and not (chair.moved or table.tournament)
    ways = [AbsenceStep.END] if never else [AbsenceStep.WIN, AbsenceStep.DRAW]
    return [*ways, AbsenceStep.MORE] if in_grace(table, chair) else ways


def enough_against(table: Table, chair: Chair) -> tuple[int, int]:
    """Return how many would have a seat taken out of the game, and how many it takes: most of those there."""
    others = [each for each in table.in_play() if each.seat != chair.seat and not each.bot]
    there = [each.seat for each in others if each.seat in chair.against or not is_absent(table, each)]
    return len([seat for seat in chair.against if seat in there]), len(there) // 2 + 1


def steps(table: Table, player: str | None, presence: TablePresence) -> dict[int, list[AbsenceStep]]:
    """Return what this player may do, by seat, about players who are late."""
    result = {chair.seat: steps_about(table, player, chair, presence) for chair in table.chairs}
    return {seat: ways for seat, ways in result.items() if ways}
