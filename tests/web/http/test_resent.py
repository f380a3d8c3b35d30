"""Every form carries a one-use key, or may be sent any number of times; whichever it is, is written here."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.visitor import Local
from tests.web.hosting import opened_by
from tests.web.house import House, OpenHouse, Party, hand_on

NOT_WHOLE = "The form was incomplete."
# Why the same form once more, and from an old page too, does no harm without a key.
HARMLESS = {
    "answer.play": "its key follows from the link it came by, which plays one move",
    "lobby.code": "it only leads to a table",
    "lobby.rename": "it says what somebody is called",
    "lobby.prefer": "it says how somebody likes it",
    "notices.confirm": "an address that was confirmed is confirmed",
    "notices.off": "an address that was removed is gone; mail programs send it by themselves, and no key",
    "notices.key": "it only tells the page's script something",
    "nudging.note_presence": "it says who is there now, and is sent by the page's script again and again",
    "talk.mute": "it says whether somebody is read",
    "talk.note": "it says what somebody has noted",
}
# What a form must say besides, for its key to be looked at.
TALK_FIELDS = {"number": "1", "seat": "1"}


def routes(house: House) -> list[Any]:
    return [rule for rule in house.app.url_map.iter_rules() if "POST" in (rule.methods or ())]


def test_every_form_has_a_key_or_does_no_harm_when_it_is_sent_again(open_house: OpenHouse) -> None:
    house = open_house(public_url="https://games.example.org", secure=False)
    party = house.fleet()
    who = party.players[0]
    opened_by(who, house.services.hosts.make_link("root"))
    seat = hand_on(who, party.table).partition("?t=")[2]
    without, endpoints = set(), {rule.endpoint for rule in routes(house)}
    for rule in routes(house):
        path = str(rule).replace("<id>", party.code).replace("<game>", "rps").replace("<what>", "theme")
        path = path.replace("<code>", party.code).replace("<int:number>", "0").replace("<record>", "0" * 16)
        assert "<" not in path
        for key in ("", "short"):
            answer = who.post(path, [("key", key), ("t", seat), ("asked", "0"), *TALK_FIELDS.items()])
            if NOT_WHOLE not in answer.words:
                without.add(rule.endpoint)
    assert without == {*HARMLESS}, "these have no key: may they be sent again?"
    assert endpoints >= {*HARMLESS}


def press(who: Local, party: Party, what: str) -> Callable[[], int]:
    """A form that has no key, to be sent again and again."""
    html = who.get(f"{party.table}/talk").text
    number = html.partition('name="number" value="')[2].partition('"')[0]
    sent = {
        "name": ("/name", [("name", "Zoë")]),
        "theme": ("/prefer/theme", [("theme", "dark")]),
        "note": (f"{party.table}/note", [("note", "K9")]),
        "mute": (f"{party.table}/mute", [("number", number)]),
    }
    path, fields = sent[what]
    return lambda: who.post(path, fields).status


@pytest.mark.parametrize("what", ["name", "theme", "note", "mute"])
def test_what_says_how_it_is_to_be_says_the_same_when_it_is_said_again(house: House, what: str) -> None:
    party = house.fleet()
    ann, ben = party.players
    assert ben.submit(ben.get(party.table), "/say", text="Hello").status == 303
    send = press(ann, party, what)
    before = house.kept()
    assert send() == 303
    assert house.kept() != before
    with house.unchanged():
        assert send() == 303
