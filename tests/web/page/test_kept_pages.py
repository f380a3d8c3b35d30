"""Pages that a worker keeps say what fresh ones would say, to their own viewers alone."""

import gzip
import re
import zlib
from collections.abc import Callable

import pytest

from strifebarge.web.page import kept_pages
from strifebarge.web.render.holes import KEY_HOLE, NOW_HOLE, Skeleton
from strifebarge.web.render.keeping import OVERHEAD, BoundedCache
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, Wall

KEY = re.compile(r'(name="key" value=")([0-9a-f]{32})')
PIECE = {"X-Piece": "main"}


@pytest.fixture(autouse=True)
def keeps_pages_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page that may be kept is, the first time that it is asked for."""
    monkeypatch.setattr(kept_pages.RecentRequests, "is_repeat", lambda *_: True)


def forget(house: House) -> None:
    for what in ("pages", "parts"):
        house.app.extensions[what].clear()


def plain(page: Page) -> str:
    return KEY.sub(r"\1", page.text)


def says_what_is(house: House, who: Local, path: str) -> str:
    """A page that may be kept, which must say what one says that is made now."""
    who.get(path)
    page = who.get(path)
    forget(house)
    fresh = who.get(path)
    assert plain(page) == plain(fresh)
    return page.words


def everybody(house: House, party: Party, *also: str) -> list[str]:
    """What all who sit at a table, and a stranger, see of it."""
    stranger = house.visitor()
    paths = [party.table, *(f"{party.table}{each}" for each in also)]
    return [says_what_is(house, who, path) for who in (*party.players, stranger) for path in paths]


# -- what is kept says what is ---------------------------------------------------------


def test_a_kept_page_changes_with_all_that_happens_at_its_table(house: House) -> None:
    party = house.fleet()
    ann, ben = party.players
    everybody(house, party, "?done=1", "?pick=A1", "/at/0")
    for _ in range(2):
        for who in (ann, ben):
            page = who.get(party.table)
            if page.has_form("/turn"):
                assert who.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
            everybody(house, party, "?done=1", "/at/1")
    ann.submit(ann.get(party.table), "/say", text="Good luck!")
    assert all("Good luck!" in words for words in everybody(house, party)[:2])
    ben.submit(ben.get(party.table), "/note", note="Mind the corner.")
    mine, theirs, strangers = everybody(house, party)
    assert "Mind the corner." in theirs
    assert "Mind the corner." not in mine + strangers
    form = ben.get(f"{party.table}/talk").form("/strike")
    assert ben.post(f"{party.table}/mute", form.filled()).status == 303
    assert "Good luck!" not in everybody(house, party)[1]
    ann.submit(ann.get(party.table), "/suspend", suspend="yes")
    assert "Want to suspend" in everybody(house, party)[1]


def test_a_kept_page_changes_with_its_readers_choices(house: House) -> None:
    party = house.fleet()
    ann = party.players[0]
    first = says_what_is(house, ann, party.table)
    ann.cookies["lang"] = "de"
    assert says_what_is(house, ann, party.table) != first
    for name, value in (
        ("theme", "dark"),
        ("sure", "yes"),
        ("sound", "yes"),
        ("view", "text"),
        ("lang", "en"),
    ):
        before = ann.get(party.table).text
        ann.cookies[name] = value
        says_what_is(house, ann, party.table)
        assert KEY.sub("", ann.get(party.table).text) != KEY.sub("", before), name
        says_what_is(house, ann, "/")


@pytest.mark.parametrize("pace", ["", "days-3", "pool-72-12"])
def test_a_kept_page_changes_as_time_goes_by(house: House, clock: Wall, pace: str) -> None:
    party = house.gathered("chess", pace=pace)
    for seconds in (1, 30, 29, 61, 3540, 3601, 80_000, 90_000, 200_000):
        clock.seconds(seconds)
        for who in (*party.players, house.visitor()):
            page = who.get(party.table)
            forget(house)
            assert plain(page) == plain(who.get(party.table)), seconds


# -- to whom ---------------------------------------------------------------------------


def test_a_kept_page_hands_out_the_address_by_which_its_reader_came(house: House) -> None:
    party = house.fleet()
    who = house.visitor()
    for path in ("/", f"{party.table}/at/0", party.table):
        for name in ("one.example", "two.example"):
            page = who.get(path, Host=name)
            hosts = {*re.findall(r"https?://(\w+\.example)", page.text)}
            assert hosts <= {name}, path
            assert hosts or path != "/"


def test_who_is_signed_out_is_a_stranger_at_the_next_request(house: House) -> None:
    party = house.fleet()
    ann, ben = party.players
    tab = ann.copy()
    assert tab.get(party.table).has_form("/silent")
    ann.submit(ann.get("/me/out"), "/out")
    assert not tab.get(party.table).has_form("/silent")
    assert not tab.get(party.table, **PIECE).has_form("/silent")
    assert ben.get(party.table).has_form("/silent")


def test_who_has_handed_a_seat_over_watches_at_the_next_request(house: House) -> None:
    party = house.fleet()
    ann, heir = party.players[0], house.visitor()
    tag = ann.get(party.table, **PIECE).headers["ETag"]
    assert ann.get(party.table).has_form("/silent")
    page = ann.get(f"{party.table}/quit")
    link = next(has["value"] for has in page.seen.ids.values() if "/seat?t=" in has.get("value", ""))
    heir.submit(heir.get(link[link.index("/g/") :]), "/seat", name="Zoe")
    assert heir.get(party.table).has_form("/silent")
    assert not ann.get(party.table).has_form("/silent")
    assert ann.get(party.table, **PIECE, If_None_Match=str(tag)).status == 200


def test_nothing_of_a_shared_device_is_kept_or_tagged(house: House) -> None:
    party = house.at_one_device(lifted=True)
    number = len(house.app.extensions["pages"])
    page = party.players[0].get(party.table, **PIECE)
    assert page.status == 200
    assert "ETag" not in page.headers
    assert len(house.app.extensions["pages"]) == number


# -- keys ------------------------------------------------------------------------------


def test_no_two_answers_carry_the_same_key(house: House) -> None:
    party = house.fleet()
    strangers = [house.visitor(), house.visitor()]
    pages = [who.get("/") for who in (*strangers, *strangers)]
    pages += [who.get(party.table) for who in (*party.players, *party.players)]
    pages += [party.players[0].get(party.table, Accept_Encoding="identity", **PIECE) for _ in range(2)]
    keys = [key for page in pages for _, key in KEY.findall(page.text)]
    assert len(keys) > 30
    assert len(set(keys)) == len(keys)
    assert not any("[key " in page.text or "[now " in page.text for page in pages)


def test_two_tabs_that_show_one_kept_page_move_once_each_in_turn(house: House) -> None:
    party = house.fleet()
    mover = next(who for who in party.players if who.get(party.table).has_form("/turn"))
    tabs = [mover.get(party.table), mover.get(party.table)]
    moves = tabs[0].form("/turn").moves
    first = mover.submit(tabs[0], "/turn", moves[0])
    assert first.status == 303
    assert mover.submit(tabs[0], "/turn", moves[0]).location == first.location
    assert mover.submit(tabs[1], "/turn", moves[1]).status == 409


# -- tags ------------------------------------------------------------------------------


def test_who_has_a_page_is_told_so_before_it_is_made(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = house.fleet()
    askers: list[tuple[Local, dict[str, str]]] = [(party.players[0], PIECE), (house.visitor(), {})]
    tags = [str(who.get(party.table, **more).headers["ETag"]) for who, more in askers]
    with monkeypatch.context() as patch:
        patch.setattr(house.referee.views, "show", None)
        for (who, more), tag in zip(askers, tags, strict=True):
            answer = who.get(party.table, **more, If_None_Match=tag)
            assert (answer.status, answer.text) == (304, "")
            assert answer.headers["ETag"] == tag
    party.players[1].submit(party.players[1].get(party.table), "/say", text="Hello")
    assert party.players[0].get(party.table, **PIECE, If_None_Match=tags[0]).status == 200


def test_a_whole_page_of_a_seat_has_no_tag_and_is_not_kept_by_browsers(house: House) -> None:
    party = house.fleet()
    page = party.players[0].get(party.table)
    assert "ETag" not in page.headers
    assert page.headers["Cache-Control"] == "no-store"


# -- what it is made of ----------------------------------------------------------------


@pytest.mark.parametrize(
    "page",
    ["", "no hole", KEY_HOLE, f"q{KEY_HOLE}ü{NOW_HOLE}z{KEY_HOLE}q", "x" * 200_000],
    ids=["empty", "no hole", "one hole", "holes", "long"],  # holes are words that no other process has
)
def test_a_page_with_holes_says_the_same_compressed(page: str) -> None:
    skeleton = Skeleton(page)
    for _ in range(2):
        whole, pressed = skeleton.filled("12:00").decode(), skeleton.pressed("12:00")
        html = gzip.decompress(pressed).decode()
        assert zlib.decompressobj(31).decompress(pressed).decode() == html
        filled = re.sub("[0-9a-f]{32}", KEY_HOLE, whole)
        assert filled == page.replace(NOW_HOLE, "12:00")
        assert re.sub("[0-9a-f]{32}", KEY_HOLE, html) == filled


def test_what_is_kept_is_bounded_and_ends_in_time() -> None:
    length: Callable[[str], int] = len
    cache = BoundedCache(10 * (OVERHEAD + 100), length)
    for number in range(30):
        cache.put(number, "x" * 100, 5 if number == 29 else 100)
        cache.get(20, 1)
    assert 5 <= len(cache) <= 10
    assert cache.bytes == len(cache) * (OVERHEAD + 100)
    assert cache.get(0, 1) is None
    assert cache.get(20, 1) == ("x" * 100, 100)
    assert cache.get(29, 4) is not None
    assert cache.get(29, 5) is None
    cache.put(20, "x" * cache.most, 100)
    assert cache.get(20, 1) == ("x" * 100, 100)
    cache.clear()
    assert (len(cache), cache.bytes) == (0, 0)
