"""Laws that every game keeps.  A game dropped into the folder is tested with no line changed here."""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strifebarge.fuzz.acts import GameOperation, act, round_trip, settings_of, some_op
from strifebarge.fuzz.elsewhere import GameAsJson, other_process, story
from strifebarge.fuzz.hiding import what_is_hidden_is_not_sent
from strifebarge.fuzz.laws import (
    MOST_BYTES,
    all_can_be_told,
    check_all,
    check_refusal,
    comes_back,
    ends_well,
    everything_of,
    goes_on_alike,
    leaves,
    looking_changes_nothing,
    refused_or_legal,
)
from strifebarge.rules import Action, Chance, Game, Refused, Standard
from strifebarge.rules.codec import save
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
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
from strifebarge.rules.text import tell
from strifebarge.rules.validity import well_formed
from tests.games.written_positions import ARRANGING, positions, strings_in
from tests.rules.every_setting import EVERY_GAME, EVERY_SETTING, LONGEST, stations
from tests.rules.everything_wrong import refusals_met, refused_options, refused_or_typed, wrong_options

HERE = Path(__file__).parent

# -- playing -----------------------------------------------------------------------


@EVERY_SETTING
def test_random_play_ends_and_ranks_everybody_once(setting):
    sizes = []
    for nth, match in enumerate(random_play(setting.begin(), Chance("dice"), LONGEST)):
        if nth % 50 == 0 or match.result:
            sizes.append(len(save(match.game)))
    ends_well(match)
    assert max(sizes) < MOST_BYTES


@EVERY_SETTING
def test_a_game_can_be_put_away_between_any_two_moves(setting):
    """Taken up again it looks the same to all, and whatever is done then leads to the same."""
    looks = 0
    for game in range(10):
        match, dice = setting.begin(f"away {game}"), Chance(f"away {game}")
        for nth in range(200):
            match.take_log()
            if match.result or looks > 50:
                break
            op = some_op(match, dice)
            if nth > 25 and nth % 20:
                act(match, op)
                continue
            looks += 1
            goes_on_alike(match, comes_back(match), partial(act, op=op))


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


def lives(rules: type[Game[Any]]) -> Iterator[GameAsJson]:
    """Games at every setting, not all to their end."""
    for setting in settings_of(rules):
        match, dice = setting.begin("story"), Chance("story")
        ops: list[GameOperation] = []
        while len(ops) < 100 and not match.result:
            seat = dice.choice(match.waiting_for())
            ops.append(GameOperation("move", seat, random_choice(match, seat, dice)))
            act(match, ops[-1])
        yield GameAsJson.of(setting, "story", ops)


@EVERY_GAME
def test_a_game_goes_the_same_way_in_every_process(rules):
    """Under other hash seeds the same is offered, and the same moves lead to the same bytes."""
    played = list(lives(rules))
    mine = [story(rules, life) for life in played]
    for seed in ("1", "20251120"):
        for here, there in zip(mine, other_process(rules, played, seed), strict=True):
            assert there == here


# -- seeing ------------------------------------------------------------------------


@EVERY_SETTING
def test_all_can_be_shown_and_told_to_everyone(setting):
    for match in stations(setting, most=30):
        all_can_be_told(match, match.take_log())


@EVERY_SETTING
def test_looking_changes_nothing(setting):
    for match in stations(setting, most=10):
        looking_changes_nothing(match)


@EVERY_SETTING
def test_what_is_hidden_is_not_in_what_is_sent(setting):
    for match in stations(setting, most=20):
        what_is_hidden_is_not_sent(match)


@EVERY_GAME
def test_what_stands_beside_a_name_has_no_sign_for_what_is_hidden(rules):
    match = Match.new(rules, usual_seats(rules), "standing")
    for viewer in (None, *range(len(match.game.seats))):
        view = match.view(viewer)
        standings = (view.standing(seat) for seat in view.seats)
        assert [words for each in standings if each and "?" in (words := tell(each, viewer))] == []


REFERS_BACK = re.compile(r"\b(it|its|them|there|the same)\b(?! position)", re.IGNORECASE)


@EVERY_GAME
def test_each_line_of_the_log_can_be_read_by_itself(rules):
    """Pages show the newest line first, so no line refers to what the line before it names."""
    match = Match.new(rules, usual_seats(rules), "log")
    for _ in random_play(match, Chance("log"), LONGEST):
        pass
    lines = [tell(line, None) for line in match.take_log()]
    assert lines
    assert [line for line in lines if REFERS_BACK.search(line)] == []


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
    beside = Path(sys.modules[rules.__module__].__file__ or "").parent
    plays = [*sorted(HERE.glob(f"test_{slug(rules)}*.py")), *sorted(beside.glob("test_*.py"))]
    played = "".join(each.read_text(encoding="utf-8") for each in plays)
    assert [why.name for why in refusals(rules) if why not in met and f"Why.{why.name}" not in played] == []


@EVERY_GAME
def test_every_refusal_has_its_own_token_sentence_and_number(rules):
    own = refusals(rules)
    every = [*own, *Standard]
    numbers = [why.number for why in every if why.number]
    assert len({why.token for why in every}) == len({why.sentence for why in every}) == len(every)
    assert len(set(numbers)) == len(numbers)
    for why in own:
        assert why.token == f"{slug(rules)}.{why.name.lower()}"
        assert re.fullmatch(r"[A-Z“‘{].*[.!?”’]", why.sentence)


# -- positions in writing ------------------------------------------------------------


@pytest.mark.parametrize("title", [pytest.param(each, id=each.slug) for each in ARRANGING])
@settings(max_examples=60)
@given(data=st.data())
def test_a_position_in_writing_is_refused_in_our_own_words_or_can_be_played(title, data):
    position = data.draw(positions(title))
    options = title.rules.arrange(position)
    why = options.refuse()
    if why is None:
        match = Match.new(title.rules, options=options)
        check_all(match, match.take_log())
        match.move(seat := match.waiting_for()[0], random_choice(match, seat, Chance()))
        check_all(match, match.take_log())
        return
    check_refusal(why if isinstance(why, Refused) else why())
    for each in strings_in(why.text) if isinstance(why, Refused) else ():
        assert each in position or " " not in each, "a sentence of somebody else"


# -- writing -----------------------------------------------------------------------


@cache
def beginning(rules: type[Game[Any]]) -> Match:
    match = settings_of(rules)[-1].begin()
    match.take_log()
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
                goes_on_without(round_trip(match), leaver, dice)


def goes_on_without(match: Match, leaver: int, dice: Chance) -> None:
    """One leaves, the others play on a little, then the next one leaves, until it is over."""
    here = list(range(len(match.game.seats)))
    while not match.result:
        leaves(match, leaver, lambda at, leaver=leaver: at.leave(leaver))
        match.take_log()
        comes_back(match)
        here.remove(leaver)
        for _ in range(4):
            if not match.result:
                seat = dice.choice(match.waiting_for())
                match.move(seat, random_choice(match, seat, dice))
        leaver = dice.choice(here) if here else leaver
    ends_well(match)
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
