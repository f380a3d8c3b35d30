"""What people do at tables, as tests say it: each function sends one form to the referee, or runs one act."""

from functools import partial
from secrets import token_hex
from time import time
from typing import Any

from strifebarge.notifications.rules import notify
from strifebarge.notifications.service import Notifications
from strifebarge.people.service import Accounts
from strifebarge.results.service import Results
from strifebarge.results.subscriber import record_results
from strifebarge.rules import Chance
from strifebarge.rules.replay import Diverged
from strifebarge.store.store import SqlTables, Store
from strifebarge.tables.acts import (
    absence,
    bots,
    coplayers,
    handing_over,
    inviting,
    leaving,
    moves,
    opening,
    pausing,
    planning,
    seating,
    suspending,
    talk,
    vacations,
)
from strifebarge.tables.acts import rematch as again
from strifebarge.tables.acts.forms import named
from strifebarge.tables.library.library import Library
from strifebarge.tables.library.settings import settings_from
from strifebarge.tables.model.plans import PlanRequest, read_plan
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Table
from strifebarge.tables.play import game, matches
from strifebarge.tables.play.deadlines import apply_all_timeouts
from strifebarge.tables.play.matches import CachedMatch
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.timeouts import apply_deadline, apply_timeouts
from strifebarge.tables.play.turn import FormToken
from strifebarge.tournaments.subscriber import count_results

LANGUAGES = ("en", "de")  # as the site has them


def a_referee(store: Store | SqlTables, library: Library, **how: Any) -> Referee:
    """A referee as the site has it: results and notifications hear of what happens."""
    tables = store.tables if isinstance(store, Store) else store
    how.setdefault("now", time)
    return Referee(tables, library, subscribers=[record_results, count_results, notify], **how)


def store_of(referee: Referee) -> Store:
    """All repositories on the database of a referee."""
    tables: Any = referee.store
    return Store(tables.engine)


def results(referee: Referee) -> Results:
    """The results of the same site."""
    return Results(store_of(referee).results, referee)


def accounts(referee: Referee) -> Accounts:
    """The accounts of the same site."""
    store = store_of(referee)
    notifications = Notifications(store.notifications, referee.views, lambda: referee.now())
    return Accounts(
        store.accounts, store.tokens, referee, results(referee), notifications, ["a key for tests alone"]
    )


def newcomer(referee: Referee) -> Player:
    """A new guest, who is kept when they first sit down."""
    return Player(referee.entropy(16).hex(), created=referee.now())


# -- before the game -----------------------------------------------------------------


def start(
    referee: Referee,
    player: Player,
    title: str,
    form: FormToken,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    sit: int | None = None,
    *,
    name: str = "",
    terms: dict[str, str] | None = None,
    afterwards: str = "",
    **others: Any,
) -> Table:
    words = {**(terms or {}), **({"afterwards": afterwards} if afterwards else {})}
    words |= {"language": others.pop("language")} if others.get("language") else {}
    settings = settings_from(options or {}, words, LANGUAGES, seats=seats, sit=sit, **others)
    return opening.open_table(referee, named(player, name), title, form, settings)


def join(
    referee: Referee,
    player: Player,
    id: str,
    name: str,
    form: FormToken,
    seat: int | None = None,
    invitation: str = "",
    seen: str = "",
) -> None:
    person = named(player, name)
    referee.carry_out(player.id, id, form, seating.join, person, seat, invitation, seen)


def ready(referee: Referee, player: str, id: str, form: FormToken, seen: str = "") -> None:
    referee.carry_out(player, id, form, seating.ready, seen)


def unready(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, seating.unready)


def sit_elsewhere(referee: Referee, player: str, id: str, seat: int, form: FormToken) -> None:
    referee.carry_out(player, id, form, seating.sit_elsewhere, seat)


def configure(
    referee: Referee,
    player: str,
    id: str,
    options: dict[str, Any],
    form: FormToken,
    terms: dict[str, str] | None = None,
    pace: str | None = None,
) -> None:
    referee.carry_out(
        player, id, form, seating.configure, settings_from(options, terms or {}, LANGUAGES, pace=pace)
    )


def begin(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, seating.begin_early)


def publish(referee: Referee, player: str, id: str, listed: bool, form: FormToken) -> None:
    referee.carry_out(player, id, form, inviting.publish, listed)


def renew(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, inviting.renew_link)


def ask(referee: Referee, player: str, id: str, whom: str, form: FormToken) -> None:
    companions = store_of(referee).results.companions(player)
    referee.carry_out(player, id, form, inviting.invite, whom, companions)


def decline(referee: Referee, player: Player, id: str, form: FormToken) -> None:
    referee.carry_out(player.id, id, form, inviting.decline)


def take_back(referee: Referee, player: str, id: str, whom: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, inviting.withdraw_invitation, whom)


# -- in the game ---------------------------------------------------------------------


def move(referee: Referee, player: str, id: str, read: Any, form: FormToken) -> int:
    return referee.carry_out(player, id, form, moves.move, read).number


def undo(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, moves.undo)


def plan(referee: Referee, player: str, id: str, text: str, form: FormToken, seen: int | None = None) -> None:
    referee.carry_out(player, id, form, planning.plan, partial(read_plan, PlanRequest(text=text)), seen)


def drop_plan(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, planning.drop_plan)


def quit(referee: Referee, player: str, id: str, how: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, leaving.leave, how)


def claim(
    referee: Referee, player: Player, id: str, seat: int, generation: int, name: str, form: FormToken
) -> None:
    referee.carry_out(player.id, id, form, handing_over.claim, named(player, name), seat, generation)


def sit_beside(
    referee: Referee, player: Player, id: str, seat: int, generation: int, name: str, form: FormToken
) -> None:
    referee.carry_out(player.id, id, form, coplayers.join_seat, named(player, name), seat, generation)


def stand_in(
    referee: Referee, player: Player, id: str, seat: int, generation: int, name: str, form: FormToken
) -> None:
    person = named(player, name)
    referee.carry_out(player.id, id, form, handing_over.become_substitute, person, seat, generation)


def miss(referee: Referee, player: str, id: str, seat: int, step: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, absence.miss, seat, step)


def propose_to_suspend(referee: Referee, player: str, id: str, form: FormToken, wanted: bool = True) -> None:
    referee.carry_out(player, id, form, suspending.suspend, wanted)


def suspend(referee: Referee, player: str, id: str, form: FormToken) -> None:
    """A player proposes to suspend the game, and all others agree."""
    propose_to_suspend(referee, player, id, form)
    table = referee.store.table(id)
    for chair in table.in_play() if not table.suspended else ():
        if chair.player and chair.suspends is None:
            propose_to_suspend(referee, chair.player, id, FormToken(token_hex(16)))


def propose_end(referee: Referee, player: str, id: str, end: bool, form: FormToken) -> None:
    referee.carry_out(player, id, form, suspending.propose_end, end)


def pause(referee: Referee, player: str, id: str, wanted: bool, form: FormToken) -> None:
    referee.carry_out(player, id, form, pausing.pause, wanted)


def go_on(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, pausing.end_pause)


def say(referee: Referee, player: Player, id: str, text: str, phrase: str, form: FormToken) -> None:
    referee.carry_out(player.id, id, form, talk.say, player, text, phrase)


def report(referee: Referee, player: str, id: str, number: int, form: FormToken) -> None:
    referee.carry_out(player, id, form, talk.report, number)


def rematch(referee: Referee, player: str, id: str, form: FormToken) -> str:
    return again.rematch(referee, player, id, form)


def go_away(referee: Referee, player: str, days: int, seen: str | None = None) -> None:
    vacations.go_on_vacation(referee, player, days, seen)


def come_back(referee: Referee, player: str, seen: str | None = None) -> None:
    vacations.come_back(referee, player, seen)


# -- what time alone does --------------------------------------------------------------


def look(referee: Referee, id: str) -> None:
    """What the ticker does at a table where a deadline may have passed."""
    try:
        referee.change(id, apply_deadline)
    except Diverged:
        return


def call_time(referee: Referee, player: str, id: str, form: FormToken) -> None:
    referee.carry_out(player, id, form, pausing.call_time)


def close(referee: Referee, id: str) -> None:
    """Somebody ends a game that is not finished."""
    referee.change(id, game.close)


def take_up(referee: Referee, table: Table) -> CachedMatch:
    """A table's match, from what is kept of it."""
    return matches.load_match(referee.store, referee.library.of(table), table)


def tend(referee: Referee, id: str) -> bool:
    return referee.change(id, apply_timeouts)


def tend_all(referee: Referee) -> int:
    return apply_all_timeouts(referee)


# -- bots --------------------------------------------------------------------------------


def add_bot(
    referee: Referee, player: str, id: str, form: FormToken, level: str = "easy", seat: int | None = None
) -> None:
    referee.carry_out(player, id, form, bots.add_bot, level, seat)


def bots_move(referee: Referee, id: str, most: int = 1000) -> int:
    """Let all bots at a table play offers until none is waited for; return how many moves they made."""
    moves = 0
    while waiting := [each for each in referee.store.waiting_for_bots(50) if each.table == id]:
        bot = waiting[0].player
        view = referee.views.show(bot, id)
        action = next((offer.action for offer in view.offers if offer.refused is None), None)
        if action is None:
            kind = view.blanks[0].kind
            action = kind.sample(view.position.game, view.position.you, Chance(f"{id} {moves}"))
        form = FormToken(token_hex(16), question=view.question_number)
        move(referee, bot, id, lambda kinds, action=action: action, form)
        moves += 1
        assert moves < most
    return moves
