"""Notices: who is told what, where and when; links that open and do not play; feed and calendar; nudges."""

import re
from collections.abc import Callable
from secrets import token_hex
from xml.etree import ElementTree

import feedparser
import icalendar
import pytest

from strifebarge import the_post
from strifebarge.post import Message, Post
from strifebarge.rules import Refused
from strifebarge.table.letters import HELD, MOST, PATIENCE, Address, NotTold, Way
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, token

OpenHouse = Callable[..., House]
ATOM = "{http://www.w3.org/2005/Atom}"
NOON = 2_000_023_200.0  # 18 May 2033, 10 in the morning, UTC
URL = "https://games.example.org"


class Box:
    """Where all letters of a test land, whatever way they go; it may be shut."""

    tries = (60.0, 600.0)

    def __init__(self) -> None:
        self.sent: list[tuple[str, Message]] = []
        self.shut = False

    def send(self, address: Address, message: Message) -> None:
        if self.shut:
            raise Refused(NotTold.NO_ANSWER)
        self.sent.append((address.place, message))

    def taken(self) -> list[tuple[str, Message]]:
        sent, self.sent = self.sent, []
        return sent


class Town:
    """A site with a clock of the test's own and a box for its letters."""

    def __init__(self, house: House):
        self.house = house
        self.now = NOON
        self.box = Box()
        house.referee.now = lambda: self.now  # type: ignore[method-assign]
        self.post: Post = the_post(house.referee, house.app.extensions["settings"])
        self.post.carriers = dict.fromkeys(Way, self.box)

    def wait(self, seconds: float = 61) -> list[tuple[str, Message]]:
        """Time goes on, the post makes its round; what has come."""
        self.now += seconds
        self.post(self.now)
        return self.box.taken()

    def told(self, who: Local, place: str = "https://hooks.example.org/a", **wishes: str) -> Local:
        """Somebody who is told by a webhook."""
        added = who.submit(who.get("/notices"), "/notices/add", way="discord", place=place)
        assert added.status == 303, added.words
        if wishes:
            page = who.get("/notices")
            assert who.submit(page, "/notices", **wishes).status == 303
        return who

    def by_mail(self, who: Local, place: str = "ann@example.org", answers: bool = False) -> Local:
        """Somebody who is told by mail, and has said that it is theirs."""
        assert who.submit(who.get("/notices"), "/notices/add", way="mail", place=place).status == 303
        [(_, message)] = self.wait(0)
        link = link_in(message.text, "/notices/confirm")
        stranger = self.house.visitor()
        assert stranger.submit(stranger.get(link), "/notices/confirm").status == 303
        if answers:
            choose(who, answers="yes")
        return who


def choose(who: Local, **fields: str) -> Page:
    """Send the form of wishes with these fields, and all kinds of notices."""
    form = who.get("/notices").form("/notices")
    kinds = [("kind", kind) for kind in ("turn", "half", "nudge", "agree", "over")]
    given = {"zone": "UTC", "key": dict(form.filled())["key"], **fields}
    return who.post("/notices", [*kinds, *given.items()])


def link_in(text: str, path: str) -> str:
    """The path of a link in a letter."""
    found = re.search(re.escape(URL) + "(" + re.escape(path) + r"\S*)", text)
    assert found, text
    return found[1]


@pytest.fixture
def town(open_house: OpenHouse) -> Town:
    return Town(open_house(public_url=URL, secure=False, smtp_url="smtp://localhost:1"))


@pytest.fixture
def party(town: Town) -> Party:
    """A game of two, the second one told by a webhook; it is the first one's turn."""
    party = town.house.gathered("chess")
    town.told(party.players[1])
    return party


def moves(party: Party, *words: str) -> None:
    """The two make these moves in turn, white first."""
    for number, move in enumerate(words):
        assert party.players[number % 2].move(party.table, f"move {move}").status == 303


# -- who is told, and when ---------------------------------------------------------------


def test_whose_turn_it_is_is_told_after_a_minute_and_once(town: Town, party: Party) -> None:
    moves(party, "e4")
    assert town.wait(59) == []
    [(place, message)] = town.wait(2)
    assert place == "https://hooks.example.org/a"
    assert message.subject == "It is your turn in Chess with Guest Foxtrot – StrifeBarge"
    assert message.short.splitlines() == [
        "It is your turn in Chess with Guest Foxtrot.",
        "Guest Foxtrot plays e4.",
        f"{URL}{party.table}",
    ]
    for _ in range(5):
        assert town.wait(86400) == []


def test_at_a_live_table_whose_turn_it_is_is_told_after_ten_seconds(town: Town) -> None:
    party = town.house.gathered("chess", pace="clock-10-5")
    town.told(party.players[1])
    moves(party, "e4")
    assert town.wait(9) == []
    assert len(town.wait(2)) == 1


def test_who_has_moved_by_then_is_told_nothing(town: Town, party: Party) -> None:
    moves(party, "e4", "e5")
    assert town.wait() == []


def test_who_has_the_table_before_them_is_told_after_ten_minutes(town: Town, party: Party) -> None:
    moves(party, "e4")
    black = party.players[1]
    here = re.findall(r'data-here="([^"]+)"', black.get(party.table).text)
    town.now += 30
    assert black.post(here[0]).status == 204
    assert town.wait(31) == []
    assert town.wait(HELD - 120) == []
    assert len(town.wait(61)) == 1


def test_who_wants_no_notices_has_no_script_say_that_they_are_here(town: Town, party: Party) -> None:
    assert "data-here" not in party.players[0].get(party.table).text
    with town.house.unchanged():
        assert party.players[0].post(f"{party.table}/here").status == 204
        assert town.house.visitor().post(f"{party.table}/here").status == 204


def test_a_night_is_slept_through_and_what_is_answered_by_then_is_not_told(town: Town, party: Party) -> None:
    black = party.players[1]
    answer = choose(black, zone="Los Angeles", quiet="yes", **{"from": "22:00", "to": "7:00"})
    assert answer.status == 303  # it is 3 in the morning there
    moves(party, "e4")
    assert town.wait(3600) == []
    assert len(town.wait(3 * 3600)) == 1
    town.now += 86400 - 4 * 3600
    for seat, move in ((1, "e5"), (0, "d4")):
        assert party.players[seat].move(party.table, f"move {move}").status == 303
    assert town.wait(3600) == []
    assert party.players[1].move(party.table, "move d5").status == 303
    assert town.wait(86400) == []


def test_a_digest_is_one_message_for_all_games(town: Town) -> None:
    first = town.house.gathered("chess")
    black = first.players[1]
    town.told(black)
    white = town.house.visitor()
    table = white.start("chess").table
    black.join(table)
    second = Party(town.house, table, [white, black])
    choose(black, digest="yes", at="18:30")
    moves(first, "e4")
    moves(second, "d4")
    assert town.wait(3600) == []
    [(_, message)] = town.wait(8 * 3600)
    assert message.subject == "2 notices – StrifeBarge"
    assert first.table in message.short
    assert second.table in message.short
    assert message.link == f"{URL}/games"


def test_no_notices_of_one_game(town: Town, party: Party) -> None:
    black = party.players[1]
    assert black.submit(black.get(party.table), "/silent").status == 303
    moves(party, "e4")
    assert town.wait() == []
    assert "Notices of this game again" in black.get(party.table).words
    fields = [("key", "s" * 32), ("silent", "no")]
    assert black.post(f"{party.table}/silent", fields).status == 303
    assert party.players[1].move(party.table, "move e5").status == 303
    assert party.players[0].move(party.table, "move d4").status == 303
    assert len(town.wait()) == 1


def test_the_others_are_told_who_must_agree_and_that_it_is_over(town: Town, party: Party) -> None:
    white, black = party.players
    assert white.submit(white.get(party.table), "/suspend").status == 303
    [(_, message)] = town.wait()
    assert message.subject.startswith("They wait for you to agree in Chess: Guest Foxtrot")
    for player in (black, white):
        assert player.submit(player.get(party.table), "/ready").status == 303
    leave(white, party.table, "resign")
    [(_, message)] = town.wait()
    assert message.subject == "Your game of Chess with Guest Foxtrot is over – StrifeBarge"


def test_what_is_told_is_in_the_readers_own_language(town: Town, party: Party) -> None:
    black = party.players[1]
    page = black.get("/notices", Accept_Language="de")
    assert "Sag mir, wenn" in page.words
    form = page.form("/notices")
    black.post("/notices", form.filled(), Accept_Language="de")
    moves(party, "e4")
    [(_, message)] = town.wait()
    assert message.short.startswith("Du bist am Zug in Schach mit Gast Foxtrot.")


def test_letters_hold_what_everybody_may_know_and_no_more(town: Town) -> None:
    party = town.house.gathered("eights")
    for number, player in enumerate(party.players):
        town.told(player, f"https://hooks.example.org/{number}")
    for _ in range(6):
        play_on(party, party.to_move())
        [(_, message)] = town.wait()
        seen = set(re.findall(r"[2-9JQKA]0? of \w+|[\w]+ of (?:spades|hearts|diamonds|clubs)", message.short))
        watched = town.house.visitor().get(party.table).words
        assert all(card in watched for card in seen)


# -- on its way --------------------------------------------------------------------------------


def test_an_address_that_fails_is_tried_again_given_up_and_says_so(town: Town, party: Party) -> None:
    black = party.players[1]
    town.box.shut = True
    moves(party, "e4")
    town.wait()
    assert "it did not work, and is tried again: It did not answer in time." in black.get("/notices").words
    town.wait(60)
    town.wait(600)
    assert "given up: It did not answer in time." in black.get("/notices").words
    town.box.shut = False
    assert town.wait(86400) == []
    assert black.post("/notices/test", [("key", "t" * 32), ("address", _address(black))]).status == 303
    [(_, message)] = town.wait(0)
    assert message.short.startswith("This is what a notice looks like.")
    assert "given up" not in black.get("/notices").words


def test_the_same_test_pressed_twice_is_one(town: Town, party: Party) -> None:
    black = party.players[1]
    address = re.findall(r'name="address" value="(\w+)"', black.get("/notices").text)[0]
    for _ in range(2):
        assert black.post("/notices/test", [("key", "t" * 32), ("address", address)]).status == 303
    assert len(town.wait(0)) == 1


def test_what_was_taken_and_never_sent_goes_out_after_the_lease_and_not_before(
    town: Town, party: Party
) -> None:
    moves(party, "e4")
    town.now += 61
    town.post.judge(town.now)
    [address] = town.house.referee.store.outbox.ready(town.now, 9)
    assert town.house.referee.store.outbox.claim(address, town.now, town.now + 120)  # and it was killed here
    assert town.wait(119) == []
    assert len(town.wait(2)) == 1


# -- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "place", "why"),
    [
        ("pigeon", "x", "wrong_way"),
        ("mail", "nobody", "wrong_mail"),
        ("mail", "a@b", "wrong_mail"),
        ("mail", "a@b.c\nBcc: d@e.f", "wrong_mail"),
        ("mail", "a b@c.de", "wrong_mail"),
        ("mail", '"a@b"@c.de', "wrong_mail"),
        ("mail", "a@[127.0.0.1]", "wrong_mail"),
        ("mail", "a@b.de,c@d.ef", "wrong_mail"),
        ("mail", "a" * 300 + "@b.de", "wrong_mail"),
        ("discord", "http://hooks.example.org/", "wrong_hook"),
        ("slack", "https://user:pass@hooks.example.org/", "wrong_hook"),
        ("ntfy", "ntfy.sh/topic", "wrong_hook"),
        ("ntfy", "https://ntfy.sh/a b", "wrong_hook"),
        ("ntfy", "https://ntfy.sh/\r\nHost: x", "wrong_hook"),
        ("ntfy", "https://ntfy.sh:99999/", "wrong_hook"),
        ("ntfy", "file:///etc/passwd", "wrong_hook"),
        ("ntfy", "", "wrong_hook"),
        ("ntfy", "https://" + "a" * 1100, "wrong_hook"),
    ],
)
def test_what_is_no_address_is_not_kept(town: Town, way: str, place: str, why: str) -> None:
    player = town.house.visitor()
    player.start("rps")
    with town.house.unchanged():
        page = player.post("/notices/add", [("key", "k" * 32), ("way", way), ("place", place)])
        assert (page.status, page.token) == (422, f"table.{why}")


def test_five_addresses_are_enough_and_the_same_one_is_one(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    for number in range(MOST):
        for _ in range(2):
            town.told(player, f"https://hooks.example.org/{number}")
    with town.house.unchanged():
        fields = [("key", "k" * 32), ("way", "ntfy"), ("place", "https://ntfy.sh/one-more")]
        assert player.post("/notices/add", fields).token == "table.too_many"


def test_nobody_sees_tests_or_takes_away_what_is_anothers(town: Town, party: Party) -> None:
    black, other = party.players[1], party.players[0]
    address = re.findall(r'name="address" value="(\w+)"', black.get("/notices").text)[0]
    assert "hooks.example.org" not in other.get("/notices").text
    with town.house.unchanged():
        for form in ("remove", "test"):
            refused = other.post(f"/notices/{form}", [("key", "k" * 32), ("address", address)])
            assert (refused.status, refused.token) == (409, "table.no_address")
    assert black.post("/notices/remove", [("key", "k" * 32), ("address", address)]).status == 303
    moves(party, "e4")
    assert town.wait() == []


def test_a_stranger_is_told_to_sit_down_first(town: Town) -> None:
    stranger = town.house.visitor()
    assert "sit down at a table" in stranger.get("/notices").words
    with town.house.unchanged():
        for form in ("", "/add", "/remove", "/test", "/feed"):
            page = stranger.post(f"/notices{form}", [("key", "k" * 32)])
            assert (page.status, token(page)) == (403, "table.nobody")


def test_a_site_without_an_address_sends_nothing(open_house: OpenHouse) -> None:
    house = open_house()
    player = house.visitor()
    player.start("rps")
    assert "This site sends no mail" in player.get("/notices").words
    fields = [("key", "k" * 32), ("way", "discord"), ("place", "https://hooks.example.org/")]
    assert player.post("/notices/add", fields).token == "table.wrong_way"
    assert the_post(house.referee, house.app.extensions["settings"]).carriers == {}


@pytest.mark.parametrize(
    ("field", "written", "why"),
    [
        ("zone", "Atlantis", "wrong_zone"),
        ("from", "25:00", "wrong_time"),
        ("to", "noon", "wrong_time"),
        ("at", "", "wrong_time"),
        ("kind", "everything", "wrong_kind"),
    ],
)
def test_wishes_that_cannot_be_are_said_and_not_kept(
    town: Town, party: Party, field: str, written: str, why: str
) -> None:
    given = {"quiet": "yes", "digest": "yes", "from": "22:00", "to": "7:00", "at": "18:00", field: written}
    with town.house.unchanged():
        page = choose(party.players[1], **given)
        assert (page.status, page.token) == (422, f"table.{why}")


# -- mail ----------------------------------------------------------------------------------------


def test_a_mail_address_is_told_nothing_before_its_owner_has_said_yes(town: Town) -> None:
    party = town.house.gathered("chess")
    black = party.players[1]
    black.submit(black.get("/notices"), "/notices/add", way="mail", place="ann@example.org")
    moves(party, "e4")
    [(place, message)] = town.wait()
    assert (place, message.off) == ("ann@example.org", "")
    assert "Do you want to be told here" in message.text
    link = link_in(message.text, "/notices/confirm")
    robot = town.house.visitor()
    with town.house.unchanged():
        for _ in range(5):
            page = robot.get(link)
            assert page.status == 200
            assert page.headers.get("Set-Cookie") is None
    assert (
        black.post("/notices/test", [("key", "t" * 32), ("address", _address(black))]).token
        == "table.not_confirmed"
    )
    assert robot.submit(page, "/notices/confirm").status == 303
    party.players[1].move(party.table, "move e5")
    party.players[0].move(party.table, "move d4")
    [(place, message)] = town.wait()
    assert place == "ann@example.org"
    assert "/answer?" not in message.text


def _address(who: Local) -> str:
    return re.findall(r'name="address" value="(\w+)"', who.get("/notices").text)[0]


def test_a_wrong_or_old_link_confirms_nothing(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    player.submit(player.get("/notices"), "/notices/add", way="mail", place="ann@example.org")
    [(_, message)] = town.wait(0)
    link = link_in(message.text, "/notices/confirm")
    for wrong in (
        link[:-1],
        link + "x",
        "/notices/confirm",
        "/notices/confirm?t=",
        "/notices/off?t=nonsense",
    ):
        with town.house.unchanged():
            path, _, t = wrong.partition("?t=")
            assert (town.house.visitor().get(wrong).status, player.post(path, [("t", t)]).status) == (
                410,
                410,
            )
    off = "/notices/off?t=" + link.partition("?t=")[2]
    assert player.get(off).status == 410  # a link is good for one thing


def test_one_address_is_not_asked_by_many(town: Town) -> None:
    answers = []
    for _ in range(5):
        player = town.house.visitor()
        player.start("rps")
        page = player.submit(player.get("/notices"), "/notices/add", way="mail", place="victim@example.org")
        answers.append(page.status)
    assert answers == [303, 303, 303, 422, 422]
    assert len(town.wait(0)) == 3


def test_mail_programs_end_it_with_one_post_and_people_with_one_button(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    for number, way in enumerate(("program", "person")):
        town.by_mail(player, f"{way}@example.org")
        player.post("/notices/test", [("key", f"{number}" * 32), ("address", _address(player))])
        [(_, message)] = town.wait(0)
        path = message.off.removeprefix(URL)
        robot = town.house.visitor()
        with town.house.unchanged():
            page = robot.get(path)
        if way == "program":
            for _ in range(2):
                assert robot.post(path, [("List-Unsubscribe", "One-Click")]).status == 200
        else:
            assert robot.submit(page, "/notices/off").status == 303
        assert f"{way}@example.org" not in player.get("/notices").text
        assert robot.get(path).status == 410


# -- a move by a link ------------------------------------------------------------------------------


def play_on(party: Party, mover: Local) -> None:
    """Somebody plays until it is another's turn."""
    while (page := mover.get(party.table)).my_turn:
        assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303


@pytest.fixture
def linked(town: Town) -> tuple[Party, str]:
    """Crazy Eights, and the link by which the one to move may do so."""
    party = town.house.gathered("eights")
    mover = party.to_move()
    waiter = next(player for player in party.players if player is not mover)
    town.by_mail(waiter, answers=True)
    play_on(party, mover)
    [(_, message)] = town.wait()
    return party, link_in(message.text, f"{party.table}/answer")


def test_a_link_opens_a_page_that_plays_one_move_for_whoever_has_it(
    town: Town, linked: tuple[Party, str]
) -> None:
    party, link = linked
    stranger = town.house.visitor()
    before = town.house.referee.status(party.code).number
    with town.house.unchanged():
        for _ in range(3):
            page = stranger.get(link)
            assert page.status == 200
    form = page.form("/answer")
    button = form.moves[0]
    assert stranger.submit(page, "/answer", button).status == 303
    after = town.house.referee.status(party.code).number
    assert after > before
    with town.house.unchanged():  # a second press is the same move
        assert stranger.submit(page, "/answer", button).status == 303
        other = stranger.post(f"{party.table}/answer", [("t", link.partition("?t=")[2]), ("move", "draw")])
        assert (other.status, other.token) == (409, "game.stale")
        assert stranger.get(link).status == 410
    assert not stranger.get(party.table).my_turn


def test_what_a_link_does_not_allow_is_refused_and_leaves_no_trace(
    town: Town, linked: tuple[Party, str]
) -> None:
    party, link = linked
    stranger, t = town.house.visitor(), link.partition("?t=")[2]
    with town.house.unchanged():
        wrong = stranger.post(f"{party.table}/answer", [("t", t), ("move", "play ZZ")])
        assert wrong.status == 422
        assert wrong.form("/answer").moves
        for broken in (t[:-1], t + "x", "", "a.b", town.house.app.extensions["settings"].secret_keys[0]):
            assert stranger.get(f"{party.table}/answer?t={broken}").status == 410
            assert stranger.post(f"{party.table}/answer", [("t", broken), ("move", "draw")]).status == 410
    other = town.house.gathered("eights")
    assert stranger.get(f"{other.table}/answer?t={t}").status == 410
    assert stranger.get(f"/g/{party.code.lower()}/answer?t={t}").status == 200
    for path in ("", "/quit", "/settings"):
        assert "Draw" not in [form.moves for form in stranger.get(party.table + path).forms]


def test_a_link_dies_with_its_question_and_with_its_seat(town: Town, linked: tuple[Party, str]) -> None:
    party, link = linked
    mover = party.to_move()
    leave(mover, party.table, "free")
    assert town.house.visitor().get(link).status == 410
    with town.house.unchanged():
        fields = [("t", link.partition("?t=")[2]), ("move", "draw")]
        assert town.house.visitor().post(f"{party.table}/answer", fields).status == 410


def test_a_page_behind_a_link_shows_what_that_seat_may_see(town: Town, linked: tuple[Party, str]) -> None:
    party, link = linked
    mover = party.to_move()
    own = {each.value for each in mover.get(party.table).form("/turn").moves}
    shown = {each.value for each in town.house.visitor().get(link).form("/answer").moves}
    assert shown == own


def test_a_piece_is_picked_up_on_the_page_behind_a_link(town: Town) -> None:
    party = town.house.gathered("chess")
    town.by_mail(party.players[1], answers=True)
    moves(party, "e4")
    [(_, message)] = town.wait()
    stranger = town.house.visitor()
    link = link_in(message.text, f"{party.table}/answer")
    page = stranger.get(link)
    picks = re.findall(r'href="([^"]*/answer\?[^"]*pick=e7[^"]*)"', page.text)
    picked = stranger.get(picks[0].replace("&amp;", "&").partition("#")[0])
    button = next(each for each in picked.form("/answer").moves if "e5" in each.value)
    assert stranger.submit(picked, "/answer", button).status == 303
    assert town.house.referee.status(party.code).number == 2


# -- feed and calendar ---------------------------------------------------------------------------------


def feed_of(who: Local) -> str:
    page = who.submit(who.get("/notices"), "/notices/feed")
    assert page.status == 303
    return str(who.get("/notices").seen.ids["atom"]["value"]).removeprefix(URL)


def test_the_feed_says_whose_turn_it_is(town: Town) -> None:
    party = town.house.gathered("chess")
    path, stranger = feed_of(party.players[1]), town.house.visitor()
    assert feedparser.parse(stranger.get(path).body).entries == []
    moves(party, "e4")
    assert town.wait() == []
    answer = stranger.get(path)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    assert answer.headers["Cache-Control"] == "private, max-age=60"
    assert stranger.get(path, If_None_Match=str(answer.headers["ETag"])).status == 304
    read = feedparser.parse(answer.body)
    assert not read.bozo
    assert read.version == "atom10"
    [entry] = read.entries
    assert entry.title == "It is your turn in Chess with Guest Foxtrot."
    assert entry.link == f"{URL}{party.table}"
    root = ElementTree.fromstring(answer.body)
    for each in (root, *root.findall(f"{ATOM}entry")):
        for needed in ("id", "title", "updated"):
            assert each.findtext(f"{ATOM}{needed}"), needed
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    party.players[1].move(party.table, "move e5")
    assert feedparser.parse(stranger.get(path).body).entries == []


def test_the_calendar_has_a_task_for_each_table_that_waits(town: Town) -> None:
    party = town.house.gathered("chess")
    path = feed_of(party.players[1]).removesuffix(".atom") + ".ics"
    moves(party, "e4")
    town.wait()
    answer = town.house.visitor().get(path)
    assert answer.headers["Content-Type"].startswith("text/calendar")
    read = icalendar.Calendar.from_ical(answer.body)
    assert read["VERSION"] == "2.0"
    assert read["PRODID"]
    [task] = read.walk("VTODO")
    assert str(task["SUMMARY"]) == "It is your turn in Chess with Guest Foxtrot."
    assert str(task["URL"]) == f"{URL}{party.table}"
    assert task["UID"]
    assert task["DTSTAMP"]
    assert all(len(line) <= 75 for line in answer.body.split(b"\r\n"))


def test_a_deadline_is_an_event_with_an_alarm_and_two_reminders_come_before_it(town: Town) -> None:
    party = town.house.gathered("chess", pace="days-3")
    path = feed_of(party.players[1]).removesuffix(".atom") + ".ics"
    town.told(party.players[1])
    moves(party, "e4")
    deadline = town.now + 3 * 86400
    assert [message.short.splitlines()[0] for _, message in town.wait()] == [
        "It is your turn in Chess with Guest Foxtrot."
    ]
    [event] = icalendar.Calendar.from_ical(town.house.visitor().get(path).body).walk("VEVENT")
    assert event["DTSTART"].dt.timestamp() == pytest.approx(deadline, abs=1)
    [alarm] = event.walk("VALARM")
    assert alarm["TRIGGER"].dt.total_seconds() == pytest.approx(-3 * 86400 / 4, abs=1)
    told = []
    while town.now < deadline - 3600:
        told += [message.short.splitlines()[0] for _, message in town.wait(1800)]
    assert told == [
        "Half of the time for your move in Chess is gone.",
        "Little time is left for your move in Chess.",
    ]


def test_a_new_address_ends_the_one_before_and_none_ever_comes_back(town: Town) -> None:
    player, stranger = town.house.visitor(), town.house.visitor()
    player.start("rps")
    page = player.get("/notices")
    first = feed_of(player)
    assert player.submit(page, "/notices/feed").status == 303  # the same form again
    assert str(player.get("/notices").seen.ids["atom"]["value"]).endswith(first)
    second = feed_of(player)
    assert [stranger.get(path).status for path in (first, second)] == [404, 200]
    form = player.get("/notices").form("/notices/feed")
    ended = [(name, value) for name, value in form.filled() if name != "feed"]
    assert player.post("/notices/feed", [*ended, ("feed", "no")]).status == 303
    assert stranger.get(second).status == 404
    third = feed_of(player)
    assert third not in (first, second)
    assert [stranger.get(path).status for path in (first, second, third)] == [404, 404, 200]
    forged = third[:-13] + "xxxxxxxx.atom"
    for wrong in ("/feed/x.atom", "/feed/x.ics", forged, third.replace(".atom", "x.atom")):
        assert stranger.get(wrong).status == 404


@pytest.mark.parametrize("name", ["<b>&\"'", "]]>x", "Zoë 🚢", "BEGIN:VEVENT"])
def test_names_are_words_in_feed_calendar_and_letters(town: Town, name: str) -> None:
    host, guest = town.house.visitor(), town.house.visitor()
    table = host.start("chess", name=name).table
    guest.join(table)
    path = feed_of(guest)
    town.told(guest)
    assert host.move(table, "move e4").status == 303
    [(_, message)] = town.wait()
    assert name in message.short
    [entry] = feedparser.parse(guest.get(path).body, sanitize_html=False).entries
    assert (
        ElementTree.fromstring(guest.get(path).body).findtext(f"{ATOM}entry/{ATOM}title", "").count(name) == 1
    )
    [task] = icalendar.Calendar.from_ical(guest.get(path.replace(".atom", ".ics")).body).walk("VTODO")
    assert name in str(task["SUMMARY"])
    assert entry.link.endswith(table)


# -- nudges ---------------------------------------------------------------------------------------------


def nudges(who: Local, party: Party, seat: int) -> Page:
    return who.post(f"{party.table}/nudge", [("key", token_hex(16)), ("seat", str(seat))])


def test_who_keeps_others_waiting_for_a_day_is_nudged_once_a_day(town: Town, party: Party) -> None:
    white = party.players[0]
    moves(party, "e4")
    assert len(town.wait()) == 1
    assert "/nudge" not in white.get(party.table).text
    early = nudges(white, party, 1)
    assert (early.status, early.token) == (409, "table.too_soon")
    town.now += PATIENCE
    page = white.get(party.table)
    assert "Nudge Guest Golf" in page.words
    assert white.submit(page, "/nudge", page.form("/nudge").buttons[0]).status == 303
    [(_, message)] = town.wait()
    assert message.subject == "They wait for your move in Chess: Guest Foxtrot – StrifeBarge"
    assert "Somebody has reminded those who are to move" in party.players[1].get(party.table).words
    again = nudges(white, party, 1)
    assert (again.status, again.token) == (409, "table.nudged")
    town.now += PATIENCE
    assert nudges(white, party, 1).status == 303
    assert town.wait() == []  # what they were told still stands: of one turn there is one nudge


def test_the_day_between_nudges_counts_over_all_games(town: Town, party: Party) -> None:
    white, black = town.house.visitor(), party.players[1]
    table = white.start("chess").table
    black.join(table)
    other = Party(town.house, table, [white, black])
    moves(party, "e4")
    moves(other, "d4")
    town.wait()
    town.now += PATIENCE
    answers = [nudges(who, at, 1) for who, at in ((party.players[0], party), (white, other))]
    [(_, message)] = town.wait()
    assert party.table in message.short
    # Whoever is the second to nudge them cannot tell: the same is answered, and the same is shown.
    assert [answer.status for answer in answers] == [303, 303]
    for who, at in ((party.players[0], party), (white, other)):
        assert "Somebody has reminded those who are to move" in who.get(at.table).words
    town.now += PATIENCE - 3600
    refused = nudges(white, other, 1)
    assert refused.token == "table.nudged"
    assert "Try again in 1 hours." in refused.words


def test_who_may_not_be_nudged(town: Town, party: Party) -> None:
    white, black = party.players
    moves(party, "e4")
    town.now += PATIENCE + 1
    with town.house.unchanged():
        assert nudges(white, party, 0).token == "table.not_waiting"
        assert nudges(black, party, 1).token == "table.not_waiting"
        assert nudges(white, party, 7).status == 403
        assert nudges(town.house.visitor(), party, 1).status == 403


def test_a_nudge_tells_nobody_whether_the_other_is_told_anything(town: Town) -> None:
    answers = []
    for listens in (True, False):
        party = town.house.gathered("chess")
        if listens:
            town.told(party.players[1])
        moves(party, "e4")
        town.now += PATIENCE + 1
        status = nudges(party.players[0], party, 1).status
        words = party.players[0].get(party.table).words
        answers.append((status, words[words.index("Somebody has reminded") :][:80]))
    assert answers[0] == answers[1]
    assert answers[0][0] == 303
