"""Every place where a password is tried counts against the same limits: of an address, and of a name."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import strifebarge
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, token
from tests.web.signing import PASSWORD, page_of, planted, session, sign_in, sign_up

Guess = Callable[[Local, str], Page]


def _sent(path: str, **fields: str) -> Guess:
    """A form with a guess in the fields that have "?"."""

    def guess(who: Local, secret: str) -> Page:
        key = ("key", "k" * 32)
        return who.post(path, [key, *((name, value.replace("?", secret)) for name, value in fields.items())])

    return guess


OWN = {  # of somebody who is signed in
    "prove": _sent("/me/confirm", proof="?"),
    "prove with a form": _sent("/me/code", proof="?"),
    "sign_up": _sent("/me/account", login="ann", password="?", again="?"),
    "change_password": _sent("/me/password", before="?", password="another whale", again="another whale"),
    "the same as the new one": _sent("/me/password", before="", password="?", again="?"),
    "erase": _sent("/me/erase", sure="yes", password="?"),
}
STRANGERS = {
    "sign_in": _sent("/sign-in", login="ann", password="?"),
    "sign up as a stranger": _sent("/me/account", login="ann", password="?", again="?"),
}
WRONG = "a wrong whale"


@pytest.fixture
def house(open_house: OpenHouse) -> House:
    """A site with an account that was made long ago; twenty wrong guesses an hour, and two of an address."""
    house = open_house(limit_sign_in=2)
    start = house.referee.now() + 601
    assert sign_up(house.visitor(), "ann").status == 303
    house.referee.now = lambda: start  # type: ignore[method-assign]
    return house


@pytest.fixture
def stolen(house: House) -> str:
    """The cookie of somebody's session."""
    who = house.visitor()
    assert sign_in(who, "ann").status == 303
    before, later = session(who), house.referee.now() + 601  # a proof is too old
    house.referee.now = lambda: later  # type: ignore[method-assign]
    return before


def test_all_places_together_have_one_limit_an_hour(house: House, stolen: str) -> None:
    places = [*OWN.values(), *STRANGERS.values()]
    for number in range(20):
        guess = places[number % len(places)]
        who = planted(house, stolen) if guess in OWN.values() else house.visitor()
        answer = guess(who, WRONG)
        assert answer.status in (403, 409, 422), answer.token
    for name, guess in (OWN | STRANGERS).items():
        who = planted(house, stolen) if name in OWN else house.visitor()
        answer = guess(who, PASSWORD)
        assert (answer.status, token(answer)) == (429, "who.guarded"), name
    assert page_of(planted(house, stolen)) != ""


@pytest.mark.parametrize("place", OWN)
def test_an_address_may_try_twice_wherever_it_does(house: House, stolen: str, place: str) -> None:
    who = planted(house, stolen)
    for guess in (OWN[place], OWN["prove"]):
        assert guess(who, WRONG).status in (403, 409)
    answer = OWN[place](who, PASSWORD)
    assert (answer.status, token(answer)) == (429, "web.too_fast")


def test_a_right_guess_of_the_new_password_changes_nothing_long_after(house: House, stolen: str) -> None:
    answer = OWN["the same as the new one"](planted(house, stolen), PASSWORD)
    assert (answer.status, token(answer)) == (403, "who.wrong_password")


def test_no_other_place_asks_whether_a_password_is_right() -> None:
    source = Path(strifebarge.__file__).parent
    texts = {path.relative_to(source).as_posix(): path.read_text() for path in source.rglob("*.py")}
    checking = {path for path, text in texts.items() if "verify_secret(" in text}
    assert checking == {"lib/hashing.py", "people/service.py", "tables/acts/local_play.py"}  # the last: PINs
    asked = re.compile(r"accounts(?:\(\))?\.(sign_in|sign_up|must_know|change_password)\(")
    assert sorted((path, name) for path, text in texts.items() for name in asked.findall(text)) == [
        ("web/account/account.py", "change_password"),
        ("web/account/account.py", "must_know"),
        ("web/account/account.py", "sign_in"),
        ("web/account/account.py", "sign_in"),
        ("web/account/account.py", "sign_up"),
        ("web/account/reauthentication.py", "must_know"),
    ]
