"""Saving is seeing everything; a view is the same with None where somebody may not look."""

import json
import subprocess
import sys
from typing import Any

import pytest
from msgspec import Struct

from strifebarge.rules import Game, Hidden, Seat, hidden
from strifebarge.rules.codec import held_by, load, save, seat_type, secrets
from strifebarge.rules.match import Match

from .parlour import Auction, Bidder, Fog, General, Lab


@pytest.fixture
def fog() -> Any:
    return Match.new(Fog, 3, "a secret seed").game


def seen(game, viewer):
    return json.loads(save(game, viewer))


def test_saving_what_was_loaded_gives_the_same_bytes(fog):
    data = save(fog)
    assert save(load(Fog, data)) == data


def test_a_saved_game_comes_back_whole(fog):
    fog.seats[1].blocks[0].face.show(fog.seats[2])
    fog.piles["north"].show(2)
    again: Any = load(Fog, save(fog))
    assert isinstance(again.seats[1], General)
    assert again.marks == fog.marks
    assert again.seats[0].blocks[0].marks == {"x", "y"}
    assert again.seats[1].blocks[0].face.readers == {2}
    assert again.piles["north"].readers == [set(), {None}, set()]
    assert again.treasure.readers == {1}
    assert again.seats[2].reserve[0].face.value == 62
    assert (again.chance.seed, again.chance.drawn) == (fog.chance.seed, fog.chance.drawn)


def test_who_is_out_and_who_is_gone_comes_back(fog):
    fog.eliminate(fog.seats[2])
    fog.gone.append(2)
    again = load(Fog, save(fog))
    assert (again.out, again.gone) == ({2: 1}, [2])


def test_chance_goes_on_where_it_was(fog):
    again = load(Fog, save(fog))
    assert again.chance.shuffled(range(20)) == fog.chance.shuffled(range(20))


# -- with whose eyes -----------------------------------------------------------


def test_what_a_seat_keeps_hidden_is_none_to_the_others(fog):
    for viewer in (None, 0, 2):
        assert seen(fog, viewer)["seats"][1]["reserve"] == [None]
        assert seen(fog, viewer)["seats"][1]["orders"] is None
    mine = seen(fog, 1)["seats"][1]
    assert mine["orders"] == "order1"
    assert mine["reserve"] == [{"name": "r1", "face": 61, "marks": []}]


def test_what_the_game_keeps_hidden_nobody_sees(fog):
    for viewer in (None, 0, 1, 2):
        assert seen(fog, viewer)["piles"] == {"north": [None] * 3, "east": [None]}


def test_whoever_was_told_sees_it(fog):
    assert [seen(fog, viewer)["treasure"] for viewer in (None, 0, 1, 2)] == [None, None, [7, 8], None]


def test_a_secret_within_an_open_struct_is_its_keepers(fog):
    faces = [
        [seen(fog, viewer)["seats"][seat]["blocks"][0]["face"] for seat in range(3)]
        for viewer in (None, 0, 2)
    ]
    assert faces == [[None] * 3, [50, None, None], [None, None, 52]]
    assert seen(fog, None)["seats"][0]["blocks"][0]["name"] == "b0"


def test_what_is_shown_of_a_hidden_list_keeps_its_place(fog):
    fog.piles["north"].show(2, fog.seats[0])
    assert seen(fog, 0)["piles"]["north"] == [None, 2, None]
    assert seen(fog, 1)["piles"]["north"] == [None] * 3


def test_showing_a_struct_shows_not_the_secret_within(fog):
    fog.seats[0].reserve.show(fog.seats[0].reserve[0])
    assert seen(fog, 1)["seats"][0]["reserve"] == [{"name": "r0", "face": None, "marks": []}]


def test_nobody_sees_chance(fog):
    fog.chance.die()
    for viewer in (None, 0, 1, 2):
        assert seen(fog, viewer)["chance"] is None
        assert b"a secret seed" not in save(fog, viewer)


def test_a_view_is_a_game_with_none_where_something_is_hidden(fog):
    view: Any = load(Fog, save(fog, 0), whole=False)
    assert type(view) is Fog
    assert view.seats[0].reserve[0].face.value == 60
    assert list(view.seats[1].reserve) == [None]
    assert view.seats[1].orders.value is None
    assert view.seats[1].blocks[0].face.value is None
    assert list(view.piles["north"]) == [None] * 3
    assert view.treasure.value is None
    assert view.chance.seed == ""


def test_a_view_changes_nothing_of_the_game(fog):
    before = save(fog)
    view: Any = load(Fog, save(fog, 0), whole=False)
    view.seats[0].reserve.clear()
    view.marks.add("z")
    view.chance.die()
    assert save(fog) == before


# -- in which order ------------------------------------------------------------


def test_sets_are_sorted_and_dicts_keep_their_order(fog):
    data = json.loads(save(fog))
    assert data["marks"] == ["a", "b", "c"]
    assert data["seats"][0]["blocks"][0]["marks"] == ["x", "y"]
    assert list(data["order"]) == ["z", "a", "m"]
    assert list(data["piles"]) == ["north", "east"]


def test_who_knows_is_sorted_too(fog):
    fog.treasure.show(fog.seats[2], fog.seats[0])
    fog.treasure.show()
    assert json.loads(save(fog))["treasure"] == [[7, 8], [None, 0, 1, 2]]


@pytest.mark.parametrize("hash_seed", ["0", "1", "2"])
def test_the_bytes_do_not_depend_on_the_hash_seed(fog, hash_seed):
    script = (
        "from tests.rules.parlour import Fog; from strifebarge.rules.match import Match;"
        "from strifebarge.rules.codec import save;"
        "print(save(Match.new(Fog, 3, 'a secret seed').game).decode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        check=True,
    )
    assert done.stdout.strip() == save(fog)


# -- what is hidden from whom --------------------------------------------------


def test_all_that_is_hidden_is_found_with_its_keeper(fog):
    hidden = [(keeper, thing.content) for thing, keeper in held_by(fog)]
    assert {keeper for keeper, _ in hidden} == {None, 0, 1, 2}
    assert [content for keeper, content in hidden if keeper is None] == [[1, 2, 3], [4], [7, 8]]
    block = fog.seats[2].reserve[0]
    assert [content for keeper, content in hidden if keeper == 2] == [52, "order2", [block], 62]


def test_secrets_shrink_when_something_is_shown_and_only_then(fog):
    def unknown():
        return secrets(fog, [None, 0, 1, 2])

    before = unknown()
    fog.marks.add("z")
    assert unknown() == before
    fog.seats[0].orders.show(fog.seats[1])
    assert set(before - unknown()) == {(1, fog.seats[0].orders)}
    fog.treasure.show()
    assert {viewer for viewer, _ in before - unknown()} == {None, 0, 1, 2}


def test_hiding_shrinks_nothing(fog):
    before = secrets(fog, [None, 0, 1, 2])
    fog.piles["east"].append(9)
    assert not before - secrets(fog, [None, 0, 1, 2])


# -- classes -------------------------------------------------------------------


def test_the_class_of_the_seats_is_what_the_game_was_subscripted_with():
    assert seat_type(Auction) is Bidder
    assert seat_type(Game) is Seat


class Node(Struct):
    name: str
    below: list["Node"] = []
    secret: Hidden[int] = hidden()


class Plot(Seat):
    seats: list[int] = []  # a field that is called as the game's


class Tree(Game[Plot]):
    title = "Tree"

    root: Node | None = None
    pairs: dict[str, set[str]] = {}
    plain: Hidden = hidden()  # type: ignore[type-arg]
    nested: Hidden[Hidden[int]] = hidden()


def test_structs_may_hold_their_like():
    game = Tree(seats=[Plot(number=0)], root=Node("a", [Node("b", secret=Hidden([1]))]))
    again: Any = load(Tree, save(game))
    assert list(again.root.below[0].secret) == [1]
    assert seen(game, 0)["root"]["below"][0]["secret"] == [None]


def test_a_seat_may_have_a_field_called_seats():
    game = Tree(seats=[Plot(number=0, seats=[4, 5])])
    assert load(Tree, save(game)).seats[0].seats == [4, 5]


def test_dicts_of_sets_are_sorted_with_them():
    game = Tree(seats=[], pairs={"b": {"y", "x"}, "a": set()})
    assert json.loads(save(game))["pairs"] == {"a": [], "b": ["x", "y"]}


def test_hidden_things_of_any_type_come_back_as_json_has_them():
    game = Tree(seats=[], plain=Hidden([1, "x", None]))
    again: Any = load(Tree, save(game))
    assert list(again.plain) == [1, "x", None]


def test_hidden_lists_may_lie_in_hidden_lists():
    inner = Hidden([1, 2])
    inner.show(2)
    game = Tree(seats=[], nested=Hidden([inner, Hidden([3])]))
    again: Any = load(Tree, save(game))
    assert [list(each) for each in again.nested] == [[1, 2], [3]]
    assert seen(game, None)["nested"] == [None, None]
    game.nested.show(inner)
    assert seen(game, None)["nested"] == [[None, 2], None]


class Leader(Game[Seat]):
    title = "Leader"

    leader: Seat | None = None


def test_a_seat_outside_the_seats_is_an_error_for_it_would_come_back_as_another():
    with pytest.raises(TypeError, match="keep its number instead"):
        save(Leader(seats=[]))


class Sharing(Game[Seat]):
    title = "Sharing"

    deck: Hidden[int] = Hidden([1, 2, 3])


def test_a_hidden_default_is_an_error_for_all_games_would_share_it():
    with pytest.raises(TypeError, match=r"Sharing.deck: use hidden\(\)"):
        save(Sharing(seats=[]))


class Odd(Game[Seat]):
    title = "Odd"

    thing: Any = None


def test_what_cannot_be_saved_is_an_error():
    with pytest.raises(TypeError, match="no way to save"):
        save(Odd(seats=[], thing=object()))


def test_the_whole_of_a_hand_lies_open_to_all_seeing_eyes():
    game: Any = Match.new(Lab, 2, "x").game
    assert sorted(json.loads(save(game))["deck"][0]) == list("ABCDEFGHIJKL")
