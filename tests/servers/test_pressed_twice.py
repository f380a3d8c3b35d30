"""The same form sent twice counts once, and is answered the same: at once, afterwards, after a restart."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple
from urllib.parse import urljoin

import pytest

from tests.servers.books import Books
from tests.support.servers import Site
from tests.support.together import together
from tests.support.visitor import Button, Page, Pairs, Remote

pytestmark = pytest.mark.servers
ROUNDS = 20
New = Callable[[], Remote]


class Filled(NamedTuple):
    """A form filled in, by somebody who is about to press its button."""

    who: Remote
    path: str
    fields: Pairs

    @property
    def key(self) -> str:
        return dict(self.fields)["key"]

    def send(self) -> Page:
        return self.who.post(self.path, self.fields)

    def twice(self) -> tuple[Page, Page]:
        """Two presses at the same instant, with the same cookies; the browser keeps those of one answer."""
        first = self.who.copy()
        one, other = together(partial(first.post, self.path, self.fields), self.send)
        return one, other


def filled(who: Remote, page: Page, ending: str, button: Button | None = None, **changed: str) -> Filled:
    form = page.form(ending)
    return Filled(who, urljoin(page.path, form.action or page.path), form.filled(button, **changed))


# -- what can be pressed, again and again ------------------------------------------------


def start(new: New) -> Iterator[Filled]:
    player = new()
    player.start("rps")
    while True:
        yield filled(player, player.get("/new/rps"), "/new/rps", best_of="3")


def start_as_a_stranger(new: New) -> Iterator[Filled]:
    while True:
        who = new()
        yield filled(who, who.get("/"), "/new/rps")


def join_and_leave_before_the_game(new: New) -> Iterator[Filled]:
    player = new()
    player.start("rps")
    table = new().start("strifebarge", seats="3").table
    while True:
        yield filled(player, player.get(table), "/join", name="Known")
        yield filled(player, player.get(f"{table}/quit"), "/quit")


def join_as_a_stranger(new: New) -> Iterator[Filled]:
    while True:
        table = new().start("strifebarge", seats="8").table
        for number in range(7):
            who = new()
            yield filled(who, who.get(table), "/join", name=f"Stranger {number}")


def two_at(game: str, new: New, **options: str) -> tuple[Remote, Remote, str]:
    """A game that has begun: its players, and its address."""
    one, other = new(), new()
    table = one.start(game, **options).table
    other.join(table)
    return one, other, table


def move(new: New) -> Iterator[Filled]:
    one, other, table = two_at("strifebarge", new, seats="2")
    while True:
        for who in one, other:
            page = who.get(table)
            yield filled(who, page, "/turn", page.form("/turn").moves[0])


def choose_and_change_ones_mind(new: New) -> Iterator[Filled]:
    one, _, table = two_at("rps", new)
    while True:
        for hand in "rock", "paper", "scissors":
            yield filled(one, one.get(table), "/turn", move=f"throw {hand}")


def leave_the_seat_free(new: New) -> Iterator[Filled]:
    one, _, table = two_at("strifebarge", new, seats="2")
    while True:
        yield filled(one, one.get(f"{table}/quit"), "/quit", how="free")
        one.join(table)


def resign_and_play_again(new: New) -> Iterator[Filled]:
    alone = new()
    table = alone.start("eights", seats="1").table
    while True:
        yield filled(alone, alone.get(f"{table}/quit"), "/quit", how="resign")
        yield filled(alone, alone.get(table), "/rematch")
        table = next_table(alone, table)


def next_table(who: Remote, table: str) -> str:
    """Where the rematch of this table is played."""
    return who.submit(who.get(table), "/rematch").table


def begin_with_fewer(new: New) -> Iterator[Filled]:
    host = new()
    while True:
        yield filled(host, host.start("eights", seats="2"), "/begin")


def free_the_seat_of_another(new: New) -> Iterator[Filled]:
    host = new()
    table = host.start("strifebarge", seats="3").table
    while True:
        new().join(table)
        yield filled(host, host.get(table), "/remove")


def take_a_seat_handed_on(new: New) -> Iterator[Filled]:
    keeper, _, table = two_at("strifebarge", new, seats="2")
    while True:
        link = keeper.get(f"{table}/quit").seen.ids["link"]["value"]
        keeper = new()
        yield filled(keeper, keeper.get(link[link.index("/g/") :]), "/seat", name="Next")


STRANGERS = [start_as_a_stranger, join_as_a_stranger]
ACTS = [
    start,
    start_as_a_stranger,
    join_and_leave_before_the_game,
    join_as_a_stranger,
    move,
    choose_and_change_ones_mind,
    leave_the_seat_free,
    resign_and_play_again,
    begin_with_fewer,
    free_the_seat_of_another,
    take_a_seat_handed_on,
]


def named(act: Callable[[New], Iterator[Filled]]) -> str:
    return act.__name__


# -- the rule ---------------------------------------------------------------------------


@pytest.mark.parametrize("act", ACTS, ids=named)
def test_a_form_sent_twice_at_the_same_instant_counts_once(
    act: Callable[[New], Iterator[Filled]], visitor: New, books: Books
) -> None:
    for form in islice(act(visitor), ROUNDS):
        before = books.effects()
        answers = form.twice()
        assert [answer.status for answer in answers] == [303, 303], [answer.words for answer in answers]
        assert answers[0].location == answers[1].location
        after = books.effects()
        assert after["tables"] - before["tables"] == (form.path.startswith("/new/") or "rematch" in form.path)
        assert after["moves"] - before["moves"] <= 1
        assert after["receipts"] - before["receipts"] == 1
        if after["tables"] == before["tables"]:
            assert after["revisions"] - before["revisions"] == 1
        assert form.send().location == answers[0].location
        assert books.effects() == after, "the form sent a third time did something"


@pytest.mark.parametrize("act", STRANGERS, ids=named)
def test_a_stranger_who_presses_twice_is_one_person(
    act: Callable[[New], Iterator[Filled]], visitor: New, books: Books
) -> None:
    for number, form in enumerate(islice(act(visitor), ROUNDS)):
        first = form.who.copy()
        one, _ = together(partial(first.post, form.path, form.fields), form.send)
        assert first.cookies["sb"] != form.who.cookies["sb"]
        assert len(set(filter(None, books.players(one.code)))) == (
            1 if act is start_as_a_stranger else number % 7 + 2
        )
        for tab in (first, form.who):
            assert "(you)" in tab.follow(one).words
            assert one.table in tab.get("/games").seen.links


def test_a_form_sent_again_after_a_restart_still_counts_once(site: Site, visitor: New, books: Books) -> None:
    forms = [next(act(visitor)) for act in ACTS]
    answers = [form.send() for form in forms]
    before = books.everything()
    site.restart()
    again = [form.send() for form in forms]
    assert [page.status for page in again] == [303] * len(forms)
    assert [page.location for page in again] == [page.location for page in answers]
    assert books.everything() == before


def test_a_key_used_once_is_no_good_for_another_form(visitor: New, books: Books) -> None:
    form = next(move(visitor))
    form.send()
    before = books.everything()
    other = [(name, "fire J10" if name == "move" else value) for name, value in form.fields]
    answer = form.who.post(form.path, other)
    assert (answer.status, answer.token) == (409, "game.stale")
    assert books.everything() == before
