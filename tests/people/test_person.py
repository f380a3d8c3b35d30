"""What somebody may sign in with, and what their browser is called."""

import resource
from concurrent.futures import ThreadPoolExecutor

import pytest

from strifebarge.lib import hashing
from strifebarge.people import password
from strifebarge.people.models import device_name, passkey_name, tidy_login, tidy_password
from strifebarge.rules import Refused

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
CHROME = f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/156.0 Safari/537.36"
EDGE = f"{CHROME} Edg/156.0"
IPHONE = f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) {WEBKIT} Version/18.0 Mobile Safari/604.1"
PIXEL = f"Mozilla/5.0 (Linux; Android 16; Pixel 9) {WEBKIT} Chrome/156.0 Mobile Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        (CHROME, "Chrome, Windows"),
        (EDGE, "Edge, Windows"),
        (IPHONE, "Safari, iPhone"),
        (PIXEL, "Chrome, Android"),
        ("Lynx/2.9.0 libwww-FM/2.14", "Lynx"),
        ("", ""),
        ("<script>alert(1)</script>" * 1000, ""),
    ],
)
def test_a_browser_is_called_by_what_it_says_it_is(agent: str, name: str) -> None:
    assert device_name(agent) == name


def test_a_passkey_is_called_by_its_keeper_and_browser_and_by_a_number_where_that_is_taken() -> None:
    firefox, bitwarden = "Mozilla/5.0 (X11; Linux) Firefox/130.0", "d548826e-79b4-db40-a3d8-11116f7e8349"
    assert passkey_name("", firefox, ()) == "Firefox, Linux"
    assert passkey_name(bitwarden, firefox, ["Firefox, Linux"]) == "Bitwarden, Firefox, Linux"
    assert passkey_name("", firefox, ["Firefox, Linux", "Firefox, Linux (2)"]) == "Firefox, Linux (3)"
    assert (passkey_name("", "", ()), passkey_name("", "", [""])) == ("", "Passkey (2)")


@pytest.mark.parametrize("typed", ["ann", " Ann ", "ANN", "Ａｎｎ"])
def test_a_name_is_the_same_however_it_is_typed(typed: str) -> None:
    assert tidy_login(typed) == "ann"


@pytest.mark.parametrize(
    "wrong", ["", "an", ".ann", "ann.", "a n n", "x" * 31, "an\u202en", "a@b.c", "\0\0\0"]
)
def test_a_name_has_nothing_in_it_that_could_mislead(wrong: str) -> None:
    with pytest.raises(Refused) as no:
        tidy_login(wrong)
    assert no.value.token == "who.wrong_login"


@pytest.mark.parametrize(
    ("secret", "token"),
    [
        ("", "who.weak"),
        ("short77", "who.weak"),
        ("x" * 201, "who.too_long"),
        ("Password", "who.common"),
        ("password123!", "who.common"),
        ("12345678", "who.common"),
        ("hgfedcba", "who.common"),
        ("aaaabbbb", "who.common"),
        ("annabella1", "who.common"),
        ("qwertzuiop", "who.common"),
        ("Sommer2026!", "who.common"),
        ("p4ssw0rd", "who.common"),
        ("jennifer1984", "who.common"),
        ("Hallo123!", "who.common"),
        ("trustno1!", "who.common"),
        ("abcabcabcabcabcabc", "who.common"),
        ("schiffeversenken1", "who.common"),
        ("1qaz2wsx3edc", "who.common"),
        ("19.05.1984", "who.common"),
    ],
)
def test_a_password_that_others_would_guess_is_refused(secret: str, token: str) -> None:
    with pytest.raises(Refused) as no:
        password.must_be_good(secret, "annabella")
    assert no.value.token == token


@pytest.mark.parametrize(
    "secret", ["blue whale", "correct horse battery", "ä€🂡 ä€🂡?", "annabella likes tea", "x7$kQ2!m"]
)
def test_any_other_is_taken_whatever_is_in_it(secret: str) -> None:
    password.must_be_good(secret, "annabella")


def test_what_is_a_guess_for_one_name_is_none_for_another_however_many_ask_at_once() -> None:
    names = [f"{name}{number}" for number in range(10) for name in ("kunigunde", "zebedee")]

    def judged(name: str) -> tuple[bool, bool]:
        own = password.guesses(f"{name}99", name) < password.FEWEST
        return own, password.guesses("wrong whale", name) < password.FEWEST

    with ThreadPoolExecutor(8) as several:
        assert set(several.map(judged, names)) == {(True, False)}


def test_no_password_takes_long_to_be_judged() -> None:
    began = processor_time()
    for long in ("@4$3!0" * 40, "1!|l" * 50, "aB3$" * 50, "a" * 200, "password" * 25):
        password.guesses(long, "annabella")
    assert processor_time() - began < 5


def processor_time() -> float:
    """Return the seconds of a processor that processes started here have taken, up to their end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_password_is_kept_as_a_hash_of_the_slow_kind_and_told_by_it_alone() -> None:
    one, other = hashing.hashed("blue whale"), hashing.hashed("blue whale")
    assert one.startswith("$argon2id$")
    assert one != other
    assert hashing.verify_secret("blue whale", one)
    assert not hashing.verify_secret("Blue whale", one)
    assert not hashing.verify_secret("blue whale", None)
    assert not hashing.verify_secret("blue whale", "no hash at all")
    assert not hashing.verify_secret("nobody has this password", None)
    assert not hashing.outdated(one)
    assert hashing.outdated("$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$" + "A" * 22)


def test_an_accent_is_the_same_in_one_sign_or_two() -> None:
    assert tidy_password("e\u0301te\u0301 bleu") == tidy_password("été bleu")
