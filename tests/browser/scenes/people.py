"""The pages about oneself, and all the games that somebody has."""

from collections.abc import Iterator
from random import Random

from tests.browser.conftest import People
from tests.browser.party import PLAYABLE, Party, at_random

from .scene import Scene


def oneself(come: People) -> Iterator[Scene]:
    """The pages about oneself: as a stranger, as a guest, with an account; and gone."""
    stranger, person = come(), come()
    for name, path in (("you-nobody", "/me"), ("sign-in", "/sign-in"), ("code-from-another", "/move")):
        stranger.open(path)
        yield Scene(name, stranger)
    stranger.open("/me/devices", status=403)
    yield Scene("refused-nobody", stranger)
    party = Party([person])
    party.start("Rock-Paper-Scissors")
    for name, path in (
        ("you-guest", "/me"),
        ("make-an-account", "/me/account"),
        ("guest-signs-out", "/me/out"),
    ):
        person.open(path)
        yield Scene(name, person)
    person.open("/me/account")
    person.page.get_by_label("Username").fill("a.person")
    person.page.get_by_label("Password", exact=True).fill("password")
    person.page.get_by_label("Repeat password").fill("password")
    person.press("Create account", status=422)
    yield Scene("refused-password", person)
    person.page.get_by_label("Password", exact=True).fill("blue whale in the bath")
    person.page.get_by_label("Repeat password").fill("blue whale in the bath")
    person.press("Create account")
    yield Scene("you-account", person)
    for name, path in (("password", "/me/account"), ("devices", "/me/devices"), ("sign-out", "/me/out")):
        person.open(path)
        yield Scene(name, person)
    person.open("/me/code")
    yield Scene("no-code-yet", person)
    person.press("Create a code")
    yield Scene("code", person)
    code = person.read(".spoken")
    person.open("/me/link")
    person.press("Create a link")
    yield Scene("personal-link", person)
    other = come()
    other.open("/move")
    other.page.get_by_label("Code").fill(code)
    other.press("Continue here")
    other.open("/me/link")
    yield Scene("personal-link-not-shown", other)
    other.press("Create a new link", status=403)
    yield Scene("is-it-you", other)
    other.page.get_by_label("Your password").fill("a wrong whale")
    other.press("Confirm", status=403)
    yield Scene("it-is-not", other)
    person.open("/me/erase")
    yield Scene("erase", person)
    person.page.get_by_label("Your password").fill("blue whale in the bath")
    person.page.get_by_label("Delete everything about me.").check()
    person.press("Delete my data")
    yield Scene("erased", person)


def my_games(come: People) -> Iterator[Scene]:
    """Somebody who plays a lot; and who guesses codes: at the very end, since that closes the door."""
    host, friend, other = come(), come(), come()
    done = Party([host, friend]).sit("Rock-Paper-Scissors")
    done.give_up()
    Party([host, friend]).sit("StrifeBarge")
    three = Party([host, friend, other]).sit("Crazy Eights", 3)
    three.play(at_random(Random(10)), 3)
    Party([host, friend]).sit("Rock-Paper-Scissors")
    host.press(host.page.locator(PLAYABLE).first)
    Party([host]).start("StrifeBarge", 8)
    host.open("/games")
    yield Scene("my-games", host)
    host.open("/")
    yield Scene("landing-my-turn", host)
    guesser = come()
    for number in range(40):
        guesser.page.goto(f"/g/{number:08}")
        if guesser.see("text=A little slower"):
            break
        if number == 0:
            yield Scene("missing-game", guesser)
    yield Scene("too-fast", guesser)
