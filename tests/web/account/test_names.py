"""What people are called: in one form, to be told apart, and never anything but a name."""

import json
import re
from urllib.parse import quote

import pytest
from sqlalchemy import text

from strifebarge.lib.lookalikes import alike
from strifebarge.tables.model.chair import FLAGS
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, token
from tests.web.markup import elements, must_be_sound, name
from tests.web.signing import sign_in, sign_up

TIDIED = {
    "  Ann  ": "Ann",
    "Ann   of\tGreen": "Ann of Green",
    "Ａｎｎ": "Ann",  # full width
    "ﬁne": "fine",
    "e\u0301ve": "éve",
    "A\u200bn\u200dn": "Ann",  # zero width
    "A\u202enn\u2066": "Ann",  # bidi overrides
    "A\x00n\x01n\x7f": "Ann",
    "Ann\ufeff": "Ann",
    "A\u00adnn": "Ann",  # soft hyphen
    "Ann\r\nBen": "Ann Ben",
    "Ann\ue000": "Ann",  # private use
    "A\u3164n\uffa0n\u2800": "Ann",  # fillers and a blank that count as letters and symbols
    "A\ufe0fn\U000e0041n\u034f": "Ann",  # variation selectors, tags, a joiner
    "علی\u200cرضا": "علی\u200cرضا",  # Persian: without the non-joiner its parts grow together
    "علی\u200c": "علی",
    "دار\u200cا": "دارا",  # which are not joined anyway
    "ශ්\u200dරී": "ශ්\u200dරී",  # Sinhala
    "क्\u200cष": "क्\u200cष",
    "👨\u200d👩🏽\u200d👧 Lee": "👨\u200d👩🏽\u200d👧 Lee",  # one family
    "👨\u200dAnn\u200d👧": "👨Ann👧",
    "x" * 20: "x" * 20,
    "Łukasz Żółć": "Łukasz Żółć",
    "名前": "名前",
    "{seat} wins": "{seat} wins",
    "%(percent)s %s %d": "%(percent)s %s %d",
    "{0} {} {{x}}": "{0} {} {{x}}",
}

HOSTILE = [
    "<script>alert(1)</s",
    "<b>bold</b>",
    "<img src=x onerror=>",
    "<svg onload=alert()>",
    '"><script>a()</sc',
    "'><script>a()</scr",
    '" onfocus=a() x="',
    "' onfocus=a() x='",
    "</title><b>x",
    "</bdi><b>x",
    "</h1><script>1",
    "--><b>x",
    "<!--x",
    "]]><b>x",
    "&lt;b&gt;x",
    "&amp;amp;",
    "&#60;b&#62;",
    "a&b<c>d\"e'f",
    "javascript:alert(1)",
    "{{7*7}}",
    "{% raw %}x",
    "${7*7}",
    "#{7*7}",
    "<%= 7*7 %>",
    "{seat}",
    "{names}",
    "{0.__class__}",
    "{x!r:>99}",
    "%(name)s",
    "%s%s%n",
    "%n%n%d",
    "`id`",
    "'; DROP TABLE chairs",
    "x' OR '1'='1",
    "../../etc/passwd",
    "..\\..\\x",
    "null",
    "None",
    "undefined",
    "true",
    "NaN",
    "-1",
    "0",
    "1e999",
    "=1+1",
    "@x",
    "a\u0300\u0301\u0302\u0303",
    "ﷺ",
    "Ⅷ",
    "𝔄𝔫𝔫",
    "عمر",
    "עומר",
    "ไทย",
    "👑 x 👑",
    "<a href=/x>x</a>",
    "<base href=//x.org>",
]


def called(page: Page) -> list[str]:
    """Everybody's name on a table's page, by seat."""
    lists = [each for each in elements(must_be_sound(page)) if each.get("class") == "seats"]
    return ["".join(line.find(".//bdi").itertext()) for line in lists[0] if line.find(".//bdi") is not None]


@pytest.mark.parametrize("name", [name for name in TIDIED.values() if not name.isprintable()])
def test_a_name_with_joiners_looks_like_the_one_without(name: str) -> None:
    assert alike(name, re.sub("[\u200c\u200d]", "", name))


@pytest.mark.parametrize("raw", TIDIED)
def test_a_name_is_kept_in_one_form_without_what_cannot_be_seen(house: House, raw: str) -> None:
    page = house.visitor().start("rps", name=raw)
    assert called(page) == [TIDIED[raw]]


@pytest.mark.parametrize(
    "raw",
    [
        "x" * 21,
        "ﷺ" * 3,
        "\u200b",
        "\u202e",
        "...",
        "<>",
        "\u0301",
        "\x00\x01",
        "👑",
        "\u3164",
        "\u115f\u1160",
    ],
)
def test_a_name_too_long_or_with_nothing_to_be_seen_is_refused(house: House, raw: str) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("rps").table
    refused = guest.submit(guest.get(table), "/join", name=raw)
    assert refused.status == 422
    assert token(refused) == "table.wrong_name"
    visitor = host.get("/games")
    with house.unchanged():
        assert host.submit(visitor, "/name", name=raw).status == 422


def test_without_a_name_one_is_called_by_the_flag_of_the_seat(house: House) -> None:
    party = house.fleet(3)
    page = party.players[0].get(party.table)
    assert called(page) == ["Guest Foxtrot", "Guest Golf", "Guest Juliett"]
    named = house.visitor().start("rps", name="   ")
    assert called(named) == ["Guest Foxtrot"]


SAME = [
    "Ann",
    "ann",
    "ANN",
    "A n n",
    " Ann ",
    "Ａnn",
    "A\u200bnn",
    "𝔄𝔫𝔫",
    "\u0391\u039d\u039d",
    "A\u3164n\ufe0fn",
]


def refused_name(house: House, table: str, wanted: str) -> Page:
    guest = house.visitor()
    guest.start("rps")  # somebody already, so that nothing at all may change
    page = guest.get(table)
    with house.unchanged():
        return guest.submit(page, "/join", name=wanted)


@pytest.mark.parametrize("wanted", SAME)
def test_two_at_a_table_are_never_called_alike(house: House, wanted: str) -> None:
    table = house.visitor().start("strifebarge", seats="3", name="Ann").table
    refused = refused_name(house, table, wanted)
    assert (refused.status, token(refused)) == (409, "table.name_taken")
    assert refused.has_form("/join")  # with the form to choose another


def test_nobody_is_called_as_the_guest_in_another_seat(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="3").table
    assert refused_name(house, table, "guest foxtrot").status == 409


def test_nobody_is_called_as_a_guest_who_may_yet_come(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="3", name="Guest Golf").table
    house.visitor().join(table)
    names = called(house.visitor().get(table))
    assert len(set(names)) == len(names), names


@pytest.mark.parametrize("wanted", ["\u0410nn", "An\u0578", "\u13aann", "\uff21\u0578\U0001d427"])
def test_letters_of_another_script_that_look_the_same_are_the_same(house: House, wanted: str) -> None:
    table = house.visitor().start("strifebarge", seats="3", name="Ann").table
    assert refused_name(house, table, wanted).status == 409


def test_the_name_of_one_who_left_before_the_game_is_free_again(house: House) -> None:
    host, ann = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    ann.join(table, name="Ann")
    leave(ann, table, "free")
    assert called(house.visitor().join(table, name="ann")) == ["Guest Foxtrot", "ann"]


def test_a_name_is_remembered_for_the_next_table_and_past_ones_keep_theirs(house: House) -> None:
    me, other = house.visitor(), house.visitor()
    first = me.start("rps", name="Ann").table
    other.join(first)
    leave(me, first, "resign")
    assert me.submit(me.get("/games"), "/name", name="Beth").location == "/games"
    assert called(me.get(first))[0] == "Ann"
    table = me.follow(me.submit(me.get("/"), "/new/rps")).table
    assert called(me.get(table)) == ["Beth"]


# -- one person, one name ------------------------------------------------------------------------


def names_of(house: House, table: str) -> dict[str, str]:
    """What each player of a table is called there, by their secret id."""
    chairs = house.referee.store.table(table.removeprefix("/g/")).chairs
    return {str(chair.player): chair.called for chair in chairs}


def test_guests_keep_their_names_over_a_rematch_and_at_other_tables(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    again = one.submit(one.get(party.table), "/rematch").table
    assert other.submit(other.get(again), "/ready").status == 303
    assert names_of(house, again) == names_of(house, party.table)
    elsewhere = other.start("rps").table
    assert called(other.get(elsewhere)) == ["Guest Golf"]
    assert called(house.visitor().join(elsewhere)) == ["Guest Golf", "Guest Golf 2"]


def test_guests_keep_their_names_when_seats_are_drawn(house: House) -> None:
    people = [house.visitor() for _ in range(8)]
    table = people[0].start("strifebarge", seats="8", t_seating="chance").table
    for who in people[1:-1]:
        who.join(table)
    before = names_of(house, table)
    people[-1].join(table)
    names = names_of(house, table)
    assert names.items() >= {player: name for player, name in before.items() if player != "None"}.items()
    assert [*names.values()] != [f"Guest {flag}" for flag in FLAGS.values()], "seats were drawn"


def test_a_new_account_gives_its_name_to_who_has_chosen_none(house: House) -> None:
    party = house.fleet()
    one, other = party.players
    assert other.submit(other.get("/me"), "/name", name="Ben").status == 303
    for who, login in ((one, "paula.white"), (other, "benjamin")):
        assert sign_up(who, login).status == 303
    assert called(one.get(party.table)) == ["paula.white", "Ben"]
    assert called(one.start("rps")) == ["paula.white"]


def test_who_signs_in_has_the_accounts_name_where_they_sit_as_a_guest(house: House) -> None:
    assert sign_up(house.visitor(), "paula.white").status == 303
    party = house.fleet()
    assert sign_in(party.players[0], "paula.white").status == 303
    assert called(party.players[1].get(party.table)) == ["paula.white", "Guest Golf"]


def test_the_name_is_asked_and_changed_at_the_table_itself(house: House) -> None:
    host = house.visitor()
    page = host.start("strifebarge", seats="3")
    assert dict(page.form("/name").fields)["name"] == "", "a name that the site gave is a placeholder"
    assert host.submit(page, "/name", name="Ann").location == page.table
    house.visitor().join(page.table, name="Ben")
    house.visitor().join(page.table)
    running = host.get(page.table)
    refused = host.submit(running, "/name", name="ben")
    assert (refused.status, token(refused)) == (409, "table.name_taken")
    assert host.submit(running, "/name", name="Anna").status == 303
    assert called(host.get(page.table)) == ["Anna", "Ben", "Guest Juliett"]
    assert not house.visitor().get(page.table).has_form("/name")


# -- names that only the site itself has --------------------------------------------------------

RESERVED = [
    *("Host", "HOST", "Gastgeberin", "the Host", "Admin", "[Admin]", "adm1n", "Admín", "Administrator 2"),
    *("Moderator", "mod77", "StrifeBarge", "Strife Barge", "StrifeBarge Admin", "s t r i f e barge"),
    *("\u041d\u043est", "\u0397ost", "\u0391D\u039cIN", "H\u200bost", "H\u3164ost", "Ｈost"),
]
FREE = ["Ann Host", "Hostess", "Admiral", "Modern", "Mo", "Ian", "Hans Gastgeber", "Mod Squad", "Rooster"]


@pytest.mark.parametrize("wanted", RESERVED)
def test_nobody_is_called_as_if_they_ran_the_site(house: House, wanted: str) -> None:
    host, guest, device = (house.visitor() for _ in range(3))
    table = host.start("strifebarge", seats="3").table
    refused = guest.submit(guest.get(table), "/join", name=wanted)
    assert (refused.status, token(refused)) == (422, "table.reserved_name")
    assert "reserved for the site itself" in refused.words
    page, visitor = host.get("/new/rps"), host.get("/games")
    with house.unchanged():
        assert host.submit(page, "/new/rps", name=wanted).status == 422
        assert host.submit(visitor, "/name", name=wanted).status == 422
        together = device.get("/new/eights")
        fields = {"seats": "2", "devices": "one", "others": wanted}
        assert device.submit(together, "/new/eights", **fields).status == 422


@pytest.mark.parametrize("wanted", FREE)
def test_other_names_are_free(house: House, wanted: str) -> None:
    assert called(house.visitor().start("rps", name=wanted)) == [wanted]


def test_who_has_such_a_name_already_keeps_it(house: House) -> None:
    who = house.visitor()
    who.start("rps", name="Hella")
    with house.engine.begin() as books:
        books.execute(text("UPDATE players SET name = 'Host' WHERE name = 'Hella'"))
    assert called(who.start("rps", name="Host")) == ["Host"]
    assert who.submit(who.get("/games"), "/name", name="Host").status == 303
    assert who.submit(who.get("/games"), "/name", name="Admin").status == 422


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Iris", "lris", True),
        ("Modern", "Modem", True),
        ("O", "0", True),
        ("STRASSE", "straße", True),
        ("Ian", "Lan", False),
        ("Li", "Ll", False),
        ("Eve", "Éve", False),
        ("Ann", "Anna", False),
        ("Пётр", "Петр", False),
        ("名前", "名刺", False),
    ],
)
def test_what_looks_alike_is_what_unicode_says(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same


# -- names to sign in with ---------------------------------------------------------------------


def test_no_two_sign_in_with_names_that_look_alike(house: House) -> None:
    assert sign_up(house.visitor(), "paula.white").status == 303
    for wanted in ("\u0440aula.white", "PAUL\u0410.white", "pau1a.white", "paula.\u051dhite"):
        refused = sign_up(house.visitor(), wanted)
        assert (refused.status, token(refused)) == (409, "who.login_taken"), wanted
    assert sign_up(house.visitor(), "paula.whites").status == 303
    hidden = sign_up(house.visitor(), "paula\uffa0white")
    assert (hidden.status, token(hidden)) == (422, "who.wrong_login")


# -- hostile names -------------------------------------------------------------------------------


def plain_game(house: House, one: str, other: str) -> Party:
    """Rock-Paper-Scissors played to its end by two of these names."""
    host, guest = house.visitor(), house.visitor()
    table = host.start("rps", name=one).table
    answer = guest.submit(guest.get(table), "/join", name=other)
    assert answer.status == 303, (one, other, answer.words)
    party = Party(house, table, [host, guest])
    for player, hand in ((host, "rock"), (guest, "paper")):
        player.move(table, f"throw {hand}")
    return party


def pages_of(party: Party, who: Local) -> list[Page]:
    paths = ["", "/log", "/at/0", "/at/2", "/at/2?as=seen", "/record.json", "/status"]
    return [*(who.get(party.table + path) for path in paths), who.get("/games"), who.get("/")]


def shape(page: Page) -> list[tuple[str, list[str]]]:
    """The elements and the names of their attributes: what must not depend on anybody's name."""
    tree = must_be_sound(page, framed="/status" in page.path)
    return [(name(each), sorted(each.attrib)) for each in elements(tree)]


def test_no_name_ever_becomes_anything_but_text(house: House) -> None:
    expected = None
    for one, other in zip(HOSTILE[::2], HOSTILE[1::2], strict=True):
        party = plain_game(house, one, other)
        pages = pages_of(party, party.players[0])
        assert all(page.status == 200 for page in pages)
        record = next(page for page in pages if page.path.endswith(".json"))
        assert len(json.loads(record.body)["names"]) == 2
        shapes = [shape(page) for page in pages if page is not record]
        expected = expected or shapes
        assert shapes == expected, (one, other)
        assert all(called(house.visitor().get(party.table)))


def test_a_name_with_braces_or_percents_stays_a_name_in_every_sentence(house: House) -> None:
    for one, other in (("{seat} {names}", "%(name)s %s"), ("{0.__class__}", "{{7*7}} {black}")):
        party = plain_game(house, one, other)
        for path in ("", "/log", "/at/2"):
            words = house.visitor().get(party.table + path).words
            assert other in words
            assert "won the throw" in words
            assert one in words


def test_an_open_table_of_a_hostile_host_is_a_sound_page_with_that_name(house: House) -> None:
    for each in HOSTILE:
        host = house.visitor()
        page = host.start("strifebarge", seats="3", name=each)
        for seen in (
            page,
            house.visitor().get(page.table),
            host.get("/games"),
            host.get(f"{page.table}/quit"),
        ):
            must_be_sound(seen)


def test_a_quoted_name_in_the_address_is_not_taken_from_there(house: House) -> None:
    page = house.visitor().get("/new/rps?name=" + quote('"><script>'))
    must_be_sound(page)
    assert "script>" not in page.text.replace("<script src", "").replace("</script>", "")
