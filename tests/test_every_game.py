"""Laws that every game keeps.  A game dropped into the folder is tested with no line changed here."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strifebarge.rules import Action, Chance, Game, Hidden, Options, Refusal, Refused, Secret, Standard
from strifebarge.rules.codec import held_by, load, save
from strifebarge.rules.match import Match, Move
from strifebarge.rules.notation import from_json, read, tag, write
from strifebarge.rules.schema import (
    actions,
    every_options,
    form_fields,
    options_type,
    refusals,
    seat_numbers,
    slug,
    usual_seats,
)
from strifebarge.rules.testing import random_choice, random_play
from strifebarge.rules.text import pack, tell
from strifebarge.table.library import Library
from tests.rules.taking_up import standing_of, taken_up

TITLES = Library().titles
HERE = Path(__file__).parent
SETTINGS_OF_A_GAME = 16  # more are thinned out to each value of each option once
LONGEST = 20_000  # moves of a game played at random
MOST_BYTES = 100_000  # of a game put away


class Setting(NamedTuple):
    """A game, how many play it, and its options."""

    rules: type[Game[Any]]
    seats: int
    options: Options

    def begin(self, seed: str = "law") -> Match:
        return Match.new(self.rules, self.seats, seed, self.options)

    def __str__(self) -> str:
        chosen = (str(value) for value in msgspec.to_builtins(self.options).values())
        return "-".join([slug(self.rules), str(self.seats), *chosen]).lower()


def options_of(rules: type[Game[Any]]) -> list[Options]:
    """All options of a game; if they are too many, the usual ones with one of them another."""
    found = list(every_options(rules))
    if len(found) <= SETTINGS_OF_A_GAME:
        return found
    usual = msgspec.to_builtins(options_type(rules)())
    return [each for each in found if sum(v != usual[k] for k, v in msgspec.to_builtins(each).items()) < 2]


def settings_of(rules: type[Game[Any]]) -> list[Setting]:
    numbers = seat_numbers(rules)
    seats = sorted({numbers[0], usual_seats(rules), numbers[-1]})
    return [Setting(rules, number, options) for number in seats for options in options_of(rules)]


EVERY_GAME = pytest.mark.parametrize("rules", [pytest.param(t.rules, id=t.slug) for t in TITLES.values()])
EVERY_SETTING = pytest.mark.parametrize(
    "setting",
    [pytest.param(each, id=str(each)) for title in TITLES.values() for each in settings_of(title.rules)],
)


def viewers(match: Match) -> list[int | None]:
    return [None, *range(len(match.game.seats))]


def stations(setting: Setting, most: int, upto: int = LONGEST) -> Iterator[Match]:
    """About `most` positions of games played at random: of several short ones, or of a long one."""
    shown = 0
    for game in range(8):
        if shown >= most:
            return
        for nth, match in enumerate(
            random_play(setting.begin(f"law {game}"), Chance(f"play {game}"), LONGEST)
        ):
            if nth > upto:
                break
            if nth < most // 2 or nth % max(1, upto // most) == 0 or match.result:
                shown += 1
                yield match


# -- playing ---------------------------------------------------------------------------


@EVERY_SETTING
def test_random_play_ends_and_ranks_everybody_once(setting):
    largest = 0
    for nth, match in enumerate(random_play(setting.begin(), Chance("dice"), LONGEST)):
        if nth % 50 == 0:
            largest = max(largest, len(save(match.game)))
    assert sorted(seat for place in match.result.places for seat in place) == list(range(setting.seats))
    assert match.result.winners
    assert match.waiting_for() == []
    assert match.pending == match.prompts == {}
    assert max(largest, len(save(match.game))) < MOST_BYTES


Doing = Callable[[Match], Any]


def some_doing(match: Match, dice: Chance) -> Doing:
    """What somebody might do now: move, mostly; change their mind, take back, or leave."""
    die = dice.below(100)
    undoers = [seat for seat in range(len(match.game.seats)) if match.undoable(seat)]
    if undoers and die < 25:
        return lambda at: at.undo(undoers[0])
    here = [seat for seat in range(len(match.game.seats)) if seat not in match.game.gone]
    if die == 99 and len(here) > 2:
        leaver = dice.choice(here)
        return lambda at: at.leave(leaver)
    seats = match.waiting_for()
    if match.pending and die > 70 and not match.question.final:
        seats = list(match.pending)
    seat = dice.choice(seats)
    action = random_choice(match, seat, dice)
    return lambda at: at.move(seat, action)


def everything_seen(match: Match) -> dict[str, Any]:
    return {
        **standing_of(match),
        "state": save(match.game),
        "views": [save(match.game, viewer) for viewer in viewers(match)],
        "stage": match.snapshot,
    }


@EVERY_SETTING
def test_a_game_can_be_put_away_between_any_two_moves(setting):
    """Taken up again it looks the same to all, and whatever is done then leads to the same."""
    looks, game = 0, 0
    while looks < 60 and game < 12:
        match, dice = setting.begin(f"away {game}"), Chance(f"away {game}")
        match.told()
        game += 1
        for nth in range(400):
            if match.result:
                break
            doing = some_doing(match, dice)
            if nth > 30 and nth % 20:
                doing(match)
                match.told()
                continue
            looks += 1
            twin = taken_up(match)
            assert everything_seen(twin) == everything_seen(match)
            assert twin.told() == []
            assert doing(twin) == doing(match)
            assert twin.told() == match.told()
            assert everything_seen(twin) == everything_seen(match)


def story(rules: type[Game[Any]]) -> Iterator[str]:
    """Games at every setting, told move by move: what was done, what it led to, what all saw and heard."""
    for setting in settings_of(rules):
        match, dice = setting.begin("story"), Chance("story")
        for nth in range(150):
            lines = [tell(line, viewer) for line in match.told() for viewer in viewers(match)]
            asked = [[seat, list(map(repr, match.options(seat)[:200]))] for seat in match.waiting_for()]
            seen = [save(match.game, viewer).decode() for viewer in viewers(match)] if nth % 5 == 0 else []
            yield json.dumps([str(setting), nth, match.fingerprint(), lines, asked, seen])
            if match.result:
                break
            seat = dice.choice(match.waiting_for())
            action = random_choice(match, seat, dice)
            yield repr([seat, write(action), match.move(seat, action)])


@EVERY_GAME
def test_a_game_goes_the_same_way_in_every_process(rules):
    """Under other hash seeds the same moves lead to the same bytes."""
    others = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.test_every_game", slug(rules)],
            cwd=HERE.parent,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "20251120")
    ]
    mine = list(story(rules))
    for other in others:
        heard, _ = other.communicate(timeout=120)
        assert other.returncode == 0
        for here, there in zip(mine, heard.splitlines(), strict=True):
            assert there == here


# -- seeing ----------------------------------------------------------------------------


@EVERY_SETTING
def test_all_can_be_shown_and_told_to_everyone(setting):
    told: list[Any] = []
    for match in stations(setting, most=30):
        told = match.told()
        for viewer in viewers(match):
            view = match.view(viewer)
            assert type(view) is setting.rules
            for line in told:
                assert tell(line, viewer)
            for seat in view.seats:
                assert isinstance(tell(pack(view.standing(seat)) or "", viewer), str)
            for ending, file in view.exports([f"P{seat}" for seat in range(setting.seats)]).items():
                assert ending.isalnum()
                assert isinstance(file, str)
        for seat, prompt in match.prompts.items():
            assert tell(prompt.text, seat)
            for option in match.options(seat)[:60]:
                assert isinstance(option, type) or tell(option.words, seat)
        if match.result:
            assert tell(pack(match.result.why) or "x", None)


@EVERY_SETTING
def test_looking_changes_nothing(setting):
    for match in stations(setting, most=15):
        before = everything_seen(match)
        for seat in list(match.prompts):
            for option in match.options(seat)[:100]:
                if isinstance(option, Action):
                    match.reason(seat, option)
            match.classes(seat)
            match.offers(seat)[:1]
        for viewer in viewers(match):
            match.view(viewer)
            match.undoable(viewer)
        match.view()
        assert everything_seen(match) == before


def assert_hidden(thing: Any, seen: Any, viewer: int | None, keeper: int | None) -> None:
    """What was sent has None wherever this viewer may not look, and nowhere tells more."""
    match thing:
        case Hidden():
            closed = [
                not (viewer is not None and viewer == keeper) and not known & {viewer, None}
                for known in thing.known
            ]
            assert [item is None for item in seen] == closed
            for item, sent in zip(thing.items, seen, strict=True):
                if sent is not None:
                    assert_hidden(item, sent, viewer, keeper)
        case Secret():
            open_ = (viewer is not None and viewer == keeper) or thing.known & {viewer, None}
            assert open_ or seen is None
        case Chance():
            assert seen is None
        case msgspec.Struct():
            mine = getattr(thing, "number", None) if type(thing).__name__ in SEATS else keeper
            for name in thing.__struct_fields__:
                assert_hidden(getattr(thing, name), seen[name], viewer, mine)
        case dict():
            for item, sent in zip(thing.values(), seen.values(), strict=True):
                assert_hidden(item, sent, viewer, keeper)
        case list() | tuple():
            for item, sent in zip(thing, seen, strict=True):
                assert_hidden(item, sent, viewer, keeper)


SEATS: set[str] = set()


def without_the_unseen(game: Game[Any], viewer: int | None) -> Game[Any]:
    """The same game with nothing in the place of all that this viewer may not see."""
    blank: Game[Any] = load(type(game), save(game))
    blank.chance = Chance("another")
    for thing, keeper in list(held_by(blank)):
        unseen = list(map(id, thing.unseen(viewer, keeper)))
        if isinstance(thing, Hidden):
            thing.items = [None if id(item) in unseen else item for item in thing.items]
        elif unseen:
            thing.value = None
    return blank


@EVERY_SETTING
def test_what_is_hidden_is_not_in_what_is_sent(setting):
    for match in stations(setting, most=20):
        SEATS.update(type(seat).__name__ for seat in match.game.seats)
        for viewer in viewers(match):
            sent = save(match.game, viewer)
            assert_hidden(match.game, json.loads(sent), viewer, None)
            assert save(without_the_unseen(match.game, viewer), viewer) == sent
            assert b"law" not in sent


# -- refusing --------------------------------------------------------------------------

NONSENSE: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1.0,
        2.5,
        10**400,
        float("nan"),
        "",
        "0",
        "x",
        "A1",
        "8S",
        "x" * 5000,
        "\ud800",
        "\0",
    ),
    *([], [1], ["A1", "A1"], ["x"] * 50, {}, {"a": 1}, b"x", object()),
)


def distorted(action: Action, dice: Chance, most: int) -> Iterator[Action]:
    """The same action with a field of another kind."""
    for name in action.__struct_fields__:
        for wrong in dice.sample(NONSENSE, most):
            yield msgspec.structs.replace(action, **{name: wrong}) if _can(action, name, wrong) else action


def _can(action: Action, name: str, wrong: Any) -> bool:
    try:
        msgspec.structs.replace(action, **{name: wrong})
    except (AttributeError, TypeError):  # it tidies its fields itself, and cannot tidy that
        return False
    return True


@cache
def foreign_actions(but: type[Game[Any]]) -> list[Action]:
    """What is done in the other games, and by the framework."""
    found: list[Action] = [msgspec.convert({"do": word}, kind) for word, kind in FRAMEWORK.items()]
    for title in TITLES.values():
        if title.rules is not but:
            match = settings_of(title.rules)[0].begin()
            found += [random_choice(match, match.waiting_for()[0], Chance(str(n))) for n in range(3)]
    return found


FRAMEWORK: dict[str, type[Action]] = {
    tag(kind): kind for kind in Action.__subclasses__() if kind.__module__ == "strifebarge.rules.action"
}


def assert_refused_or_legal(match: Match, seat: Any, action: Any) -> Refusal | None:
    """Whatever is tried, it may be done, or there is a reason with its words; and nothing has changed."""
    before = match.fingerprint(), match.number, dict(match.asked), dict(match.pending)
    why = None
    try:
        match.check(seat, action)
    except Refused as refused:
        assert_told(refused)
        why = refused.why
        with pytest.raises(Refused, match=re.escape(refused.token)):
            match.move(seat, action)
    assert (match.fingerprint(), match.number, dict(match.asked), dict(match.pending)) == before
    assert match.told() == []
    return why


def assert_told(refused: Refused) -> None:
    """A refusal has a token and a sentence that can be said."""
    assert re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", refused.token)
    assert len(tell(pack(refused.text), None)) < 500


@cache
def refusals_met(setting: Setting) -> frozenset[Refusal]:
    """Everything wrong is tried, all along a few games."""
    met: set[Refusal | None] = set()
    dice = Chance("wrong")
    known: list[Action] = []  # what could be done earlier on
    for match in stations(setting, most=24, upto=1500):
        match.told()
        n = setting.seats
        for seat in match.waiting_for():
            known += [random_choice(match, seat, dice)]
            options = [option for option in match.options(seat) if isinstance(option, Action)]
            tried = [*dice.sample(options, 12), *dice.sample(known, 8), *samples(match, seat, dice)]
            tried += [each for action in tried[-3:] for each in distorted(action, dice, 4)]
            tried += dice.sample(foreign_actions(setting.rules), 4)
            tried += [kind() for kind in actions(setting.rules) if not kind.__struct_fields__]
            for action in tried:
                met.add(assert_refused_or_legal(match, seat, action))
            for raw in raw_nonsense(setting.rules, tried, dice):
                met.add(assert_read_or_refused(raw, setting.rules))
        for wrong in {-1, n, n + 7, None, "0", *range(n)} - set(match.prompts):
            met.add(assert_refused_or_legal(match, wrong, known[-1]))
    return frozenset(met - {None})  # type: ignore[arg-type]


def samples(match: Match, seat: int, dice: Chance) -> list[Action]:
    """Well-formed actions of every kind, those too that are not asked for now."""
    view = match.view(seat)
    found = []
    for kind in actions(match.rules):
        try:
            found.append(kind.sample(view, view.seats[seat], dice))
        except NotImplementedError:
            found += [made for _ in range(3) if (made := made_up(kind, dice))]
    return found


def made_up(kind: type[Action], dice: Chance) -> Action | None:
    """One of a kind whose fields are chosen among what its form would offer."""
    raw: dict[str, Any] = {"do": tag(kind)}
    for field in form_fields(kind):
        values = [choice.value for choice in field.choices] or ["1", "A1", "x"]
        value = dice.choice(values)
        raw[field.name] = [value] * dice.below(4) if field.kind == "several" else value
    try:
        return msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError:
        return None


def raw_nonsense(rules: type[Game[Any]], tried: list[Action], dice: Chance) -> Iterator[Any]:
    """JSON that is nearly an action of this game."""
    for kind in actions(rules):
        yield {"do": tag(kind), **dict.fromkeys(kind.__struct_fields__, dice.choice(NONSENSE))}
        yield {"do": tag(kind), "more": 1}
    yield from dice.sample(NONSENSE, 3)


def assert_read_or_refused(raw: Any, rules: type[Game[Any]]) -> Refusal | None:
    try:
        assert isinstance(from_json(raw, actions(rules)), Action)
    except Refused as refused:
        assert_told(refused)
        return refused.why
    return None


@EVERY_SETTING
def test_whatever_is_wrong_is_refused_with_its_reason_and_changes_nothing(setting):
    met = refusals_met(setting)
    assert {Standard.NO_SUCH_SEAT, Standard.GAME_OVER, Standard.NOT_OFFERED} <= met
    assert met <= {*Standard, *refusals(setting.rules)}


@EVERY_GAME
def test_every_refusal_has_its_own_token_and_sentence_and_is_met(rules):
    """Met by trying everything wrong, or played in the game's own tests."""
    own = refusals(rules)
    assert len({why.token for why in own} | {why.token for why in Standard}) == len(own) + len(Standard)
    assert len({why.sentence for why in own} | {why.sentence for why in Standard}) == len(own) + len(Standard)
    numbers = [why.number for why in own if why.number]
    assert len(set(numbers)) == len(numbers)
    assert all(why.token == f"{slug(rules)}.{why.name.lower()}" for why in own)
    assert all(re.fullmatch(r"[A-Z“‘{].*[.!?”’]", why.sentence) for why in own)
    met = {why for setting in settings_of(rules) for why in refusals_met(setting)}
    plays = HERE / "games" / f"test_{slug(rules)}.py"
    if plays.exists():
        played = plays.read_text()
        met |= {why for why in own if f".{why.name}" in played}
    assert set(own) <= met


def hint_strategy(hint: Any) -> st.SearchStrategy[Any]:
    return st.from_type(hint)


@EVERY_GAME
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_is_written_can_be_read(rules, data):
    """Any well-formed action, in words and as JSON; and at the start of a game it is judged, never worse."""
    kind = data.draw(st.sampled_from(actions(rules)))
    fields = {
        name: hint_strategy(hint)
        for name, hint in get_type_hints(kind).items()
        if name in kind.__struct_fields__
    }
    action = data.draw(st.builds(kind, **fields))
    kinds = actions(rules)
    assert from_json(json.loads(msgspec.json.encode(action)), kinds) == action
    assert read(write(action), kinds) == action
    assert_refused_or_legal(beginning(rules), 0, action)


@cache
def beginning(rules: type[Game[Any]]) -> Match:
    match = settings_of(rules)[-1].begin()
    match.told()
    return match


@EVERY_SETTING
def test_every_option_that_is_offered_can_be_written_and_read(setting):
    kinds = actions(setting.rules)
    for match in stations(setting, most=12):
        for seat in match.prompts:
            for option in [*match.options(seat)[:40], *match.options(seat)[-20:]]:
                if isinstance(option, Action):
                    assert read(write(option), kinds) == option
                else:
                    assert option in kinds


# -- leaving ---------------------------------------------------------------------------


@EVERY_SETTING
def test_anybody_may_leave_at_any_moment(setting):
    """The game ends or goes on without them, and at last everybody is ranked."""
    dice = Chance("leaving")
    for match in stations(setting, most=10, upto=600):
        for leaver in dice.sample(range(setting.seats), 3):
            if not match.result:
                assert_can_be_left(taken_up(match), leaver, dice)


def assert_can_be_left(match: Match, leaver: int, dice: Chance) -> None:
    moves = match.leave(leaver)
    assert moves[0] == msgspec.structs.replace(moves[0], seat=leaver, final=True)
    assert moves[-1].final
    others = dice.shuffled(seat for seat in range(len(match.game.seats)) if seat != leaver)
    while not match.result:
        assert leaver not in match.waiting_for()
        assert everything_seen(taken_up(match)) == everything_seen(match)
        for _ in range(5):
            if not match.result:
                seat = dice.choice(match.waiting_for())
                match.move(seat, random_choice(match, seat, dice))
        if not match.result:
            leaver = others.pop()
            match.leave(leaver)
    assert sorted(seat for place in match.result.places for seat in place) == list(
        range(len(match.game.seats))
    )
    for seat in range(len(match.game.seats)):
        with pytest.raises(Refused, match="game_over"):
            match.leave(seat)


# -- what a game says of itself ----------------------------------------------------------


@EVERY_GAME
def test_a_game_says_what_it_is(rules):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", slug(rules))
    assert rules.title
    assert (rules.__doc__ or "").strip().endswith(".")
    assert len(seat_numbers(rules)) >= 1
    assert usual_seats(rules) in seat_numbers(rules)
    assert rules.version >= 1


@EVERY_GAME
def test_every_action_has_its_name_and_its_words(rules):
    tags = [tag(kind) for kind in actions(rules)]
    assert len(set(tags)) == len(tags)
    assert not {*tags} & {*FRAMEWORK, "deal"}
    for kind in actions(rules):
        assert (kind.__doc__ or "").strip().endswith("."), kind
        for field in form_fields(kind):
            assert field.label
        assert set(kind.misread) <= set(kind.__struct_fields__)
        for holes in re.findall(r"{(\w+)", kind.label):
            assert holes in kind.__struct_fields__


@EVERY_GAME
def test_every_option_has_a_default_and_its_words(rules):
    usual = options_type(rules)()
    assert not usual.refuse()
    for field in form_fields(options_type(rules)):
        assert field.default is not None
        assert field.label
        assert not field.choices or field.default in [choice.value for choice in field.choices]


@EVERY_GAME
def test_moves_are_all_a_record_needs(rules):
    """From the seed, the options and the moves alone the end is the same."""
    setting = settings_of(rules)[0]
    played: list[Move] = []
    match, dice = setting.begin("record"), Chance("record")
    while not match.result:
        seat = dice.choice(match.waiting_for())
        played += match.move(seat, random_choice(match, seat, dice))
    again = Match(rules, setting.begin("record").snapshot, played)
    assert again.fingerprint() == match.fingerprint()
    assert again.result == match.result


if __name__ == "__main__":  # in another process
    for line in story(TITLES[sys.argv[1]].rules):
        print(line)
