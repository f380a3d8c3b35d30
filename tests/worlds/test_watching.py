"""Who watches later, or not at all, is sent the same bytes whatever has happened of late, or at all."""

from collections import Counter

import msgspec
import pytest

from strifebarge.fuzz.acts import GameOperation, act, copy_of
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from strifebarge.tables.model import watching
from strifebarge.tables.model.parts import Position
from strifebarge.tables.model.status import NOBODY
from strifebarge.tables.model.table import Status, Table

from .asking import read_all
from .comparing import ask_everything
from .pairs import Company, Pair, Scene, whim
from .worlds import Broken, Leak, Twins

TITLES = list(Library())
GAMES = [pytest.param(title.slug, usual_seats(title.rules), id=title.slug) for title in TITLES]
TRIES = 12


def ways(match: Match, most: int, dice: Chance) -> dict[int, list[GameOperation]]:
    """Ways on from here, by how many public moves each takes: `most` at the most, and none to the end."""
    operations: dict[int, list[GameOperation]] = {}
    for _ in range(TRIES):
        trial, ops = copy_of(match), []
        while len(ops) < 60:
            op = whim(trial, None, dice)
            act(trial, op)
            ops.append(op)
            went = trial.number - match.number
            if trial.result or went > most:
                break
            if went > 0:
                operations.setdefault(went, [*ops])
    return operations


def go(pair: Pair, nth: int, ops: list[GameOperation]) -> None:
    """What happens in one world alone, at its own times, with words that are said meanwhile."""
    match, world = pair.matches[nth], pair.twins.worlds[nth]
    for op in ops:
        world.clock += 0.1 * (1 + nth)
        number = match.question_numbers.get(op.seat, match.number)
        act(match, op)
        reply = pair.alone(world, op.seat, *pair.form(op, number))
        if not reply.accepted:
            raise Broken(f"{pair.scene}: {op} was {reply.status} {reply.refusal}")
    speaker = next(seat for seat in range(pair.scene.seats) if seat not in match.game.gone)
    pair.alone(world, speaker, f"{pair.path}/say", [("text", f"This is world {nth}")])


def go_apart(pair: Pair, most: int, alike: bool = True) -> None:
    """Each world goes its own way: `alike` in how many public moves it takes, or not even in that."""
    dice = Chance(f"ways of {pair.scene}")
    one, other = (ways(match, most, dice) for match in pair.matches)
    if not (both := one.keys() & other.keys()):
        raise Broken(f"{pair.scene}: no two ways of the same length")
    lengths = (max(both), max(both)) if alike else (max(one), min(other))
    go(pair, 0, one[lengths[0]])
    go(pair, 1, other[lengths[1]])
    pair.twins.tick()
    # What all who play may know by now is not the same.
    here, there = (save(match.game, None) for match in pair.matches)
    pair.twins.tally["ways that differ"] += here != there


def put_aside(pair: Pair) -> None:
    """In the second world alone the game is put aside."""
    game = pair.matches[1].game
    for seat in range(pair.scene.seats):
        if seat in (*game.gone, *game.out):
            continue
        if not pair.alone(pair.twins.other, seat, f"{pair.path}/suspend", []).accepted:
            raise Broken(f"{pair.scene}: it could not be put aside")


def may_watch(pair: Pair, text: str) -> bool:
    return text in pair.twins.one.ask("GET", pair.path, None, {}, {}).text


@pytest.mark.full("compares many worlds", keep=2)
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_what_happened_within_the_delay_makes_no_difference_to_whoever_watches(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    for length, delay, aside in ((0, 20, False), (6, 5, True), (9, 5, False)):
        pair = Pair(twins, company, Scene(game, seats, {"t_watching": str(delay)}, None, length)).play()
        go_apart(pair, delay)
        if aside:
            put_aside(pair)
        assert may_watch(pair, f"{delay} moves behind")
        assert may_watch(pair, 'id="board"')
        ask_everything(pair, 12)
    assert tally["ways that differ"]


@pytest.mark.full("compares many worlds", keep=2)
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_before_the_delay_is_over_it_is_not_told_how_much_has_happened(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    pair = Pair(twins, company, Scene(game, seats, {"t_watching": "20"}, None, 0, 3)).play()
    go_apart(pair, 20, alike=False)
    ask_everything(pair, 12)


@pytest.mark.full("compares many worlds", keep=2)
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_where_nobody_may_watch_nothing_of_a_game_makes_a_difference(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    scene = Scene(game, seats, {"t_watching": str(NOBODY)}, None, 0, 4)
    pair = Pair(twins, company, scene).gather()
    pair.matches = [Match(pair.title.rules, world.deal(pair.id)) for world in twins.worlds]
    go_apart(pair, 15, alike=False)
    put_aside(pair)
    assert may_watch(pair, 'data-token="table.not_watched"')
    ask_everything(pair, 12)
    assert twins.one.table(pair.id).status is not twins.other.table(pair.id).status


LEAKY = {
    "one move too new": lambda table, told: {"position": Position(number=told.position.number + 1)},
    "that it is put aside": lambda table, told: {"status": table.status},
    "when something happened": lambda table, told: {
        "times": msgspec.structs.replace(told.times, started=table.times.changed)
    },
}


@pytest.mark.parametrize("leak", LEAKY)
def test_a_leak_of_what_is_too_new_is_found(
    twins: Twins, company: Company, tally: Counter[str], leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(twins, company, Scene("eights", 2, {"t_watching": "5"}, None, 6, 9)).play()
    go_apart(pair, 5)
    put_aside(pair)
    for world in twins.worlds:
        world.clock = twins.start + 60 * twins.ticks
    right = watching._watched

    def wrong(table: Table) -> watching.SpectatorTable:
        visible = right(table)
        return msgspec.structs.replace(visible, **LEAKY[leak](table, visible))

    monkeypatch.setattr(watching, "_watched", wrong)
    with pytest.raises(Leak):
        read_all(pair, pair.viewers[0])
    assert twins.other.table(pair.id).status is Status.SUSPENDED
