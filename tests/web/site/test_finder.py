"""The list of open tables: what is on it, who finds it by what, and that it tells of nothing else."""

import pytest

from strifebarge.tables.model.listing import LASTS, PAGE
from tests.support.visitor import Page
from tests.web.house import House, leave, token


@pytest.fixture
def empty(open_house) -> House:
    """A house where nobody has opened a table yet."""
    return open_house()


def tables(page: Page) -> list[str]:
    return [each for each in page.seen.links if each.startswith("/g/")]


def test_private_tables_are_never_on_the_list(empty: House) -> None:
    for game in ("rps", "chess", "strifebarge"):
        assert empty.visitor().start(game).status == 200
    page = empty.visitor().get("/tables")
    assert tables(page) == []
    assert "No open tables" in page.words


def test_a_public_table_says_whose_it_is_since_when_and_how_it_is_played(empty: House) -> None:
    host = empty.visitor()
    page = host.start("strifebarge", seats="3", name="Ann", listed="yes", salvo="true")
    assert "anyone: list it under open tables" in page.words
    with empty.unchanged():
        listing = empty.visitor().get("/tables")
    assert tables(listing) == [page.table]
    assert "StrifeBarge with Ann 2 of 3 seats free. Open since just now" in listing.words
    assert "Salvo" in listing.words
    assert listing.headers["Cache-Control"] == "no-store"


def test_it_is_found_by_game_language_and_free_seats(empty: House) -> None:
    english = empty.visitor().start("strifebarge", seats="4", listed="yes").table
    host = empty.visitor()
    form = host.get("/new/chess", Accept_Language="de")
    german = empty.visitor().request(
        "POST",
        "/new/chess",
        "&".join(f"{name}={value}" for name, value in form.form("/new/chess").filled(listed="yes")).encode(),
        Content_Type="application/x-www-form-urlencoded",
        Accept_Language="de",
    )
    chess = german.location
    for query, expected in (
        ("", [chess, english]),
        ("?game=chess", [chess]),
        ("?game=strifebarge&free=3", [english]),
        ("?free=3", [english]),
        ("?free=4", []),
        ("?language=de", [chess]),
        ("?language=en", [english]),
        ("?language=xx", []),
        ("?game=eights", []),
        ("?free=x&page=-1", [chess, english]),
        ("?pace=", [chess, english]),
    ):
        assert sorted(tables(empty.visitor().get(f"/tables{query}"))) == sorted(expected), query
    assert empty.visitor().get("/tables?game=nosuch").status == 404


def test_anybody_may_sit_down_and_a_full_table_is_gone_from_the_list(empty: House) -> None:
    table = empty.visitor().start("strifebarge", seats="3", listed="yes").table
    one, other = empty.visitor(), empty.visitor()
    one.join(table)
    assert "1 of 3 seats free." in other.get("/tables").words
    other.join(table)
    assert tables(other.get("/tables")) == []
    leave(other, table, "free")
    assert tables(other.get("/tables")) == []  # it has begun


def test_the_host_takes_it_off_the_list_and_puts_it_on_again_and_all_are_asked_anew(empty: House) -> None:
    host, guest = empty.visitor(), empty.visitor()
    page = host.start("strifebarge", seats="3", listed="yes")
    guest.join(page.table)
    assert not guest.get(page.table).has_form("/publish")
    with empty.unchanged():
        assert guest.post(f"{page.table}/publish", [("key", "k" * 32)]).status == 403
        answer = host.post(f"{page.table}/renew", [("key", "r" * 32)])
        assert (answer.status, token(answer)) == (409, "table.listed")
    for listed in (False, True):
        assert host.submit(host.get(page.table), "/publish").status == 303
        assert bool(tables(guest.get("/tables"))) is listed
        assert not any(chair.ready for chair in empty.referee.views.status(page.code).chairs)
        host.submit(host.get(page.table), "/ready")
        again = [("key", f"{listed}" + "k" * 32), ("listed", "yes" if listed else "no")]
        assert host.post(f"{page.table}/publish", again).status == 303
        assert empty.referee.views.status(page.code).chairs[0].ready  # set to what it was, it changes nothing


def test_an_old_table_is_no_longer_on_the_list(empty: House, monkeypatch: pytest.MonkeyPatch) -> None:
    empty.visitor().start("strifebarge", listed="yes")
    now = empty.referee.now()
    assert len(tables(empty.visitor().get("/tables"))) == 1
    monkeypatch.setattr(empty.referee, "now", lambda: now + LASTS + 60)
    assert tables(empty.visitor().get("/tables")) == []


def test_a_long_list_has_pages_and_each_table_is_on_one_of_them(empty: House) -> None:
    host = empty.visitor()
    opened = {host.start("rps", listed="yes").table for _ in range(2 * PAGE + 3)}
    seen, path = [], "/tables?game=rps"
    for number in range(3):
        page = empty.visitor().get(path)
        seen += tables(page)
        following = [each for each in page.seen.links if "page=" in each and f"page={number + 2}" in each]
        assert bool(following) is (number < 2)
        path = following[0] if following else ""
    assert len(seen) == len(set(seen)) == len(opened)
    assert set(seen) == opened
    assert tables(empty.visitor().get("/tables?page=99")) == []


def test_a_rematch_is_private_again(empty: House) -> None:
    one, other = empty.visitor(), empty.visitor()
    table = one.start("rps", listed="yes").table
    other.join(table)
    one.move(table, "throw rock")
    other.move(table, "throw paper")
    one.submit(one.get(table), "/rematch")
    assert tables(one.get("/tables")) == []
