"""Laws that every game keeps.  A game dropped into the folder is tested with no line changed here."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strifebarge.rules import Action, Chance, Game, Hidden, Refused, Seat, Secret, Standard
from strifebarge.rules.codec import held_by, load, save
from strifebarge.rules.match import Match, Move, well_formed
from strifebarge.rules.notation import from_json, read, tag, write
from strifebarge.rules.schema import (
    actions,
    form_fields,
    options_type,
    refusals,
    seat_numbers,
    slug,
    usual_seats,
)
from strifebarge.rules.testing import random_choice, random_play
from strifebarge.rules.text import pack, tell

from .rules.every_setting import (
    EVERY_GAME,
    EVERY_SETTING,
    LONGEST,
    TITLES,
    everything_of,
    ranked,
    settings_of,
    some_doing,
    stations,
    viewers,
)
from .rules.everything_wrong import (
    refusals_met,
    refused_options,
    refused_or_legal,
    refused_or_typed,
    wrong_options,
)
from .rules.taking_up import taken_up

HERE = Path(__file__).parent
MOST_BYTES = 100_000  # of a game put away

# -- playing -----------------------------------------------------------------------


@EVERY_SETTING
def test_random_play_ends_and_ranks_everybody_once(setting):
    sizes = []
    for nth, match in enumerate(random_play(setting.begin(), Chance("dice"), LONGEST)):
        if nth % 50 == 0 or match.result:
            sizes.append(len(save(match.game)))
    assert ranked(match) == list(range(setting.seats))
    assert match.result.winners
    assert match.waiting_for() == []
    assert max(sizes) < MOST_BYTES


@EVERY_SETTING
def test_a_game_can_be_put_away_between_any_two_moves(setting):
    """Taken up again it looks the same to all, and whatever is done then leads to the same."""
    looks = 0
    for game in range(10):
        match, dice = setting.begin(f"away {game}"), Chance(f"away {game}")
        match.told()
        for nth in range(200):
            if match.result or looks > 50:
                break
            doing = some_doing(match, dice)
            if nth > 25 and nth % 20:
                doing(match)
                match.told()
                continue
            looks += 1
            twin = taken_up(match)
            assert everything_of(twin) == everything_of(match)
            assert twin.told() == []
            assert doing(twin) == doing(match)
            assert twin.told() == match.told()
            assert everything_of(twin) == everything_of(match)


@EVERY_GAME
def test_the_moves_are_all_that_a_record_needs(rules):
    """From the seed, the options and the moves alone the end is the same."""
    setting = settings_of(rules)[0]
    match, dice = setting.begin(), Chance("record")
    played: list[Move] = []
    while not match.result:
        seat = dice.choice(match.waiting_for())
        played += match.move(seat, random_choice(match, seat, dice))
    again = Match(rules, setting.begin().snapshot, played)
    assert everything_of(again) == everything_of(match)


def story(rules: type[Game[Any]]) -> Iterator[str]:
    """Games at every setting, move by move: what was done, what it led to, what all saw and heard."""
    for setting in settings_of(rules):
        match, dice = setting.begin("story"), Chance("story")
        for nth in range(100):
            told = [tell(line, viewer) for line in match.told() for viewer in viewers(match)]
            asked = {seat: list(map(repr, match.options(seat)[:100])) for seat in match.waiting_for()}
            seen = [save(match.game, viewer).decode() for viewer in viewers(match)] if nth % 10 == 0 else []
            yield json.dumps([str(setting), nth, match.fingerprint(), told, asked, seen])
            if match.result:
                break
            seat = dice.choice(match.waiting_for())
            yield repr(match.move(seat, random_choice(match, seat, dice)))


@EVERY_GAME
def test_a_game_goes_the_same_way_in_every_process(rules):
    """Under other hash seeds the same is offered, and the same moves lead to the same bytes."""
    command = [sys.executable, "-m", "tests.test_every_game", slug(rules)]
    paths = os.pathsep.join([str(HERE.parent), *sys.path])
    others = [
        subprocess.Popen(
            command,
            cwd=HERE.parent,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for seed in ("1", "20251120")
    ]
    mine = list(story(rules))
    for other in others:
        theirs, _ = other.communicate(timeout=200)
        assert other.returncode == 0
        for here, there in zip(mine, theirs.splitlines(), strict=True):
            assert there == here


# -- seeing ------------------------------------------------------------------------


@EVERY_SETTING
def test_all_can_be_shown_and_told_to_everyone(setting):
    names = [f"{{P{seat}}}" for seat in range(setting.seats)]
    for match in stations(setting, most=30):
        told = match.told()
        for viewer in viewers(match):
            view = match.view(viewer)
            assert type(view) is setting.rules
            assert all(tell(line, viewer) for line in told if line.get("line") != "blank")
            standings = [view.standing(seat) for seat in view.seats]
            assert all(tell(pack(standing), viewer) for standing in standings if standing)
            assert all(map(str.isalnum, view.exports(names)))
        for seat, prompt in match.prompts.items():
            assert tell(prompt.text, seat)
            some = [option for option in match.options(seat)[:50] if isinstance(option, Action)]
            assert all(tell(option.words, seat) for option in some)
        if match.result and match.result.why:
            assert tell(match.result.why, None)


@EVERY_SETTING
def test_looking_changes_nothing(setting):
    for match in stations(setting, most=10):
        before = everything_of(match)
        for seat in match.waiting_for():
            match.offers(seat)
            match.classes(seat)
            for option in match.options(seat)[:50]:
                match.reason(
                    seat, option if isinstance(option, Action) else random_choice(match, seat, Chance())
                )
        for viewer in viewers(match):
            match.view(viewer)
            match.undoable(viewer)
        match.view()
        assert everything_of(match) == before
        assert "told" not in vars(match.game)


def assert_hidden(thing: Any, sent: Any, viewer: int | None, keeper: int | None = None) -> None:
    """There is None wherever this viewer may not look, and the rest is what it is."""
    kept = viewer is not None and viewer == keeper
    match thing:
        case Hidden():
            may_look = [kept or viewer in known or None in known for known in thing.known]
            assert [item is not None for item in sent] == may_look
            for item, seen in zip(thing.items, sent, strict=True):
                if seen is not None:
                    assert_hidden(item, seen, viewer, keeper)
        case Secret():
            assert sent is None or kept or viewer in thing.known or None in thing.known
        case Chance():
            assert sent is None
        case msgspec.Struct():
            mine = thing.number if isinstance(thing, Seat) else keeper
            for name in thing.__struct_fields__:
                if name in sent:  # what is at its default may be left out
                    assert_hidden(getattr(thing, name), sent[name], viewer, mine)
        case dict():
            for item, seen in zip(thing.values(), sent.values(), strict=True):
                assert_hidden(item, seen, viewer, keeper)
        case list() | tuple():
            for item, seen in zip(thing, sent, strict=True):
                assert_hidden(item, seen, viewer, keeper)


def without_the_unseen(game: Game[Any], viewer: int | None) -> Game[Any]:
    """The same game with nothing in the place of all that this viewer may not see."""
    blank: Game[Any] = load(type(game), save(game))
    blank.chance = Chance("another", {"": 1})
    for thing, keeper in list(held_by(blank)):
        unseen = [id(item) for item in thing.unseen(viewer, keeper)]
        if isinstance(thing, Hidden):
            thing.items = [None if id(item) in unseen else item for item in thing.items]
        elif unseen:
            thing.value = None
    return blank


@EVERY_SETTING
def test_what_is_hidden_is_not_in_what_is_sent(setting):
    for match in stations(setting, most=20):
        for viewer in viewers(match):
            sent = save(match.game, viewer)
            assert_hidden(match.game, json.loads(sent), viewer)
            assert save(without_the_unseen(match.game, viewer), viewer) == sent
            assert match.game.chance.seed.encode() not in sent


# -- refusing ----------------------------------------------------------------------


@EVERY_SETTING
def test_whatever_is_wrong_is_refused_with_its_reason_and_changes_nothing(setting):
    met = refusals_met(setting)
    assert {Standard.NO_SUCH_SEAT, Standard.NOT_OFFERED, Standard.MALFORMED} <= met
    assert met <= {*Standard, *refusals(setting.rules)}


@EVERY_GAME
def test_every_refusal_is_met(rules):
    """When everything wrong is tried, or else in a play of the game's own tests."""
    met = {why for setting in settings_of(rules) for why in refusals_met(setting)}
    met |= {why for options in wrong_options(rules) if (why := refused_options(options))}
    plays = sorted((HERE / "games").glob(f"test_{slug(rules)}*.py"))
    played = "".join(each.read_text(encoding="utf-8") for each in plays)
    assert [why.name for why in refusals(rules) if why not in met and f"Why.{why.name}" not in played] == []


@EVERY_GAME
def test_every_refusal_has_its_own_token_sentence_and_number(rules):
    own = refusals(rules)
    every = [*own, *Standard]
    numbers = [why.number for why in own if why.number]
    assert len({why.token for why in every}) == len({why.sentence for why in every}) == len(every)
    assert len(set(numbers)) == len(numbers)
    for why in own:
        assert why.token == f"{slug(rules)}.{why.name.lower()}"
        assert re.fullmatch(r"[A-Z“‘{].*[.!?”’]", why.sentence)


# -- writing -----------------------------------------------------------------------


@cache
def beginning(rules: type[Game[Any]]) -> Match:
    match = settings_of(rules)[-1].begin()
    match.told()
    return match


def is_well_formed(action: Action) -> bool:
    try:
        return well_formed(action) == action
    except Refused:
        return False


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field, within the bounds that its Meta sets."""
    meta = next((each for each in get_args(hint) if isinstance(each, msgspec.Meta)), msgspec.Meta())
    bare = get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
    if bare is int:
        return st.integers(
            meta.ge if meta.gt is None else meta.gt + 1, meta.le if meta.lt is None else meta.lt - 1
        )
    if bare is str:
        return st.text(min_size=meta.min_length or 0, max_size=meta.max_length)
    return st.from_type(bare)


@EVERY_GAME
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_any_action_can_be_written_and_read_and_judged(rules, data):
    kinds = actions(rules)
    kind = data.draw(st.sampled_from(kinds))
    hints = get_type_hints(kind, include_extras=True)
    action = data.draw(st.builds(kind, **{name: values_of(hints[name]) for name in kind.__struct_fields__}))
    assume(is_well_formed(action))
    assert from_json(json.loads(msgspec.json.encode(action)), kinds) == action
    assert read(write(action), kinds) == action
    refused_or_legal(beginning(rules), 0, action)


@EVERY_GAME
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_whatever_is_typed_is_read_or_refused(rules, data):
    name = data.draw(st.sampled_from([*map(tag, actions(rules)), ""]))
    refused_or_typed(f"{name} {data.draw(st.text())}", rules)


@EVERY_SETTING
def test_every_option_can_be_written_and_read(setting):
    kinds = actions(setting.rules)
    for match in stations(setting, most=10):
        for seat in match.prompts:
            for option in [*match.options(seat)[:20], *match.options(seat)[-20:]]:
                assert option in kinds or read(write(option), kinds) == option


# -- leaving -----------------------------------------------------------------------


@EVERY_SETTING
def test_anybody_may_leave_at_any_moment(setting):
    """The game ends or goes on without them, and at last everybody is ranked."""
    dice = Chance("leaving")
    for match in stations(setting, most=8):
        if not match.result:
            for leaver in dice.sample(range(setting.seats), 2):
                goes_on_without(taken_up(match), leaver, dice)


def goes_on_without(match: Match, leaver: int, dice: Chance) -> None:
    """One leaves, the others play on a little, then the next one leaves, until it is over."""
    here = list(range(len(match.game.seats)))
    while not match.result:
        left = match.leave(leaver)
        assert (left[0].seat, left[-1].final) == (leaver, True)
        assert leaver not in match.waiting_for()
        assert everything_of(taken_up(match)) == everything_of(match)
        here.remove(leaver)
        for _ in range(4):
            if not match.result:
                seat = dice.choice(match.waiting_for())
                match.move(seat, random_choice(match, seat, dice))
        leaver = dice.choice(here) if here else leaver
    assert ranked(match) == list(range(len(match.game.seats)))
    for seat in here:
        with pytest.raises(Refused, match=re.escape("game.game_over")):
            match.leave(seat)


# -- what a game says of itself ----------------------------------------------------


@EVERY_GAME
def test_a_game_says_what_it_is(rules):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", slug(rules))
    assert rules.title
    assert (rules.__doc__ or "").strip().endswith(".")
    assert usual_seats(rules) in seat_numbers(rules)
    assert rules.version >= 1


@EVERY_GAME
def test_every_action_has_its_own_name_and_its_words(rules):
    kinds = actions(rules)
    assert kinds
    assert len({*map(tag, kinds)}) == len(kinds)
    assert not {*map(tag, kinds)} & {"undo", "leave", "deal"}
    for kind in kinds:
        assert (kind.__doc__ or "").strip().endswith("."), f"{kind.__name__} needs a docstring"
        assert {*kind.misread, *re.findall(r"{(\w+)", kind.label)} <= {*kind.__struct_fields__}
        assert all(field.label for field in form_fields(kind))


@EVERY_GAME
def test_every_option_has_a_default_and_its_words(rules):
    assert not options_type(rules)().refuse()
    for field in form_fields(options_type(rules)):
        assert field.label
        assert field.default is not None
        assert not field.choices or field.default in [choice.value for choice in field.choices]


if __name__ == "__main__":  # in another process
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    for line in story(TITLES[sys.argv[1]].rules):
        print(line)
