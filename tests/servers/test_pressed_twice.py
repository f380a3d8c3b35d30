"""The same form sent twice counts once, and is answered the same: at once, afterwards, after a restart."""

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urljoin

import pytest

from tests.servers.books import Books
from tests.support.servers import Site
from tests.support.visitor import Button, Page, Pairs, Remote, together

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
        """Two presses at the same instant, each with the cookies of before; the browser keeps the second's."""
        first = self.who.copy()
        one, other = together(lambda: first.post(self.path, self.fields), self.send)
        return one, other


def filled(who: Remote, page: Page, ending: str, button: Button | None = None, **changed: str) -> Filled:
    form = page.form(ending)
    return Filled(who, urljoin(page.path, form.action or page.path), form.filled(button, **changed))


# -- what can be pressed ---------------------------------------------------------------


def start(new: New) -> Filled:
    known = new()
    known.start("rps")
    return filled(known, known.get("/new/rps"), "/new/rps", best_of="3")


def start_as_a_stranger(new: New) -> Filled:
    who = new()
    return filled(who, who.get("/"), "/new/rps")


def join(new: New) -> Filled:
    known = new()
    known.start("rps")
    return filled(known, known.get(new().start("rps").table), "/join", name="Known")


def join_as_a_stranger(new: New) -> Filled:
    who = new()
    return filled(who, who.get(new().start("strifebarge", seats="3").table), "/join", name="Stranger")


def two_at(game: str, new: New, **options: str) -> tuple[Remote, Remote, str]:
    """A game that has begun: its players, and its address."""
    one, other = new(), new()
    table = one.start(game, **options).table
    other.join(table)
    return one, other, table


def move(new: New) -> Filled:
    one, other, table = two_at("strifebarge", new, seats="2")
    page = one.get(table)
    return filled(one, page, "/turn", page.form("/turn").moves[0])


def choose(new: New) -> Filled:
    one, other, table = two_at("rps", new)
    return filled(one, one.get(table), "/turn", move="throw rock")


def leave_before_the_game(new: New) -> Filled:
    one, other = new(), new()
    table = one.start("strifebarge", seats="3").table
    other.join(table)
    return filled(other, other.get(f"{table}/quit"), "/quit")


def leave_the_seat_free(new: New) -> Filled:
    one, other, table = two_at("strifebarge", new, seats="2")
    return filled(one, one.get(f"{table}/quit"), "/quit", how="free")


def resign(new: New) -> Filled:
    one, other, table = two_at("strifebarge", new, seats="2")
    return filled(other, other.get(f"{table}/quit"), "/quit", how="resign")


def rematch(new: New) -> Filled:
    one, other, table = two_at("rps", new)
    other.submit(other.get(f"{table}/quit"), "/quit", how="resign")
    return filled(one, one.get(table), "/rematch")


def begin_with_fewer(new: New) -> Filled:
    one, other = new(), new()
    table = one.start("strifebarge", seats="3").table
    other.join(table)
    return filled(one, one.get(table), "/begin")


def free_the_seat_of_another(new: New) -> Filled:
    one, other = new(), new()
    table = one.start("strifebarge", seats="3").table
    other.join(table)
    return filled(one, one.get(table), "/remove")


def take_a_seat_handed_on(new: New) -> Filled:
    one, other, table = two_at("strifebarge", new, seats="2")
    link = one.get(f"{table}/quit").seen.ids["link"]["value"]
    third = new()
    return filled(third, third.get(link[link.index("/g/") :]), "/seat", name="Third")


ACTS = [
    start,
    start_as_a_stranger,
    join,
    join_as_a_stranger,
    move,
    choose,
    leave_before_the_game,
    leave_the_seat_free,
    resign,
    rematch,
    begin_with_fewer,
    free_the_seat_of_another,
    take_a_seat_handed_on,
]


# -- the rule ---------------------------------------------------------------------------


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_a_form_sent_twice_at_the_same_instant_counts_once(
    act: Callable[[New], Filled], visitor: New, books: Books
) -> None:
    for _ in range(ROUNDS):
        form = act(visitor)
        revisions = dict(books.ask("SELECT id, revision FROM tables"))
        answers = form.twice()
        assert [answer.status for answer in answers] == [303, 303], [answer.words for answer in answers]
        assert answers[0].location == answers[1].location
        assert form.key in books.receipts()
        changed = dict(books.ask("SELECT id, revision FROM tables").copy())
        effects = {code: revision - revisions.get(code, -1) for code, revision in changed.items()}
        made = [code for code in effects if code not in revisions]
        assert len(made) == (1 if act in (start, start_as_a_stranger, rematch) else 0)
        assert all(effects[code] in (0, 1) for code in effects if code not in made), effects
        after = books.everything()
        assert form.send().location == answers[0].location
        assert books.everything() == after, "the form sent a third time did something"


@pytest.mark.parametrize("act", [start_as_a_stranger, join_as_a_stranger], ids=lambda act: act.__name__)
def test_a_stranger_who_presses_twice_is_one_person(
    act: Callable[[New], Filled], visitor: New, books: Books
) -> None:
    for _ in range(ROUNDS):
        form = act(visitor)
        first = form.who.copy()
        one, other = together(
            lambda first=first, form=form: first.post(form.path, form.fields), form.send
        )
        assert first.cookies["sb"] != form.who.cookies["sb"]
        players = books.players(one.code)
        assert len(set(filter(None, players))) == (1 if act is start_as_a_stranger else 2)
        for tab in (first, form.who):
            assert "(you)" in tab.follow(one).words
            assert one.table in tab.get("/games").seen.links


def test_a_form_sent_again_after_a_restart_still_counts_once(
    site: Site, visitor: New, books: Books
) -> None:
    forms = [act(visitor) for act in ACTS]
    answers = [form.send() for form in forms]
    before = books.everything()
    site.restart()
    again = [form.send() for form in forms]
    assert [page.status for page in again] == [303] * len(forms)
    assert [page.location for page in again] == [page.location for page in answers]
    assert books.everything() == before


def test_a_key_used_once_is_no_good_for_another_form(visitor: New, books: Books) -> None:
    form = move(visitor)
    form.send()
    before = books.everything()
    other = [(name, "fire A1" if name == "move" else value) for name, value in form.fields]
    answer = form.who.post(form.path, other)
    assert (answer.status, answer.token) == (409, "table.key_reused")
    assert books.everything() == before
