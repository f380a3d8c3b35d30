"""What is alike in all games: a table from all sides, in another language, and by rules that change."""

from collections.abc import Iterator
from random import Random

from tests.browser.conftest import People
from tests.browser.party import Party, at_random, look_again

from .scene import SEATS, TITLES, Chapter, Scene


def any_game(slug: str) -> Chapter:
    """A game as far as all games have the same pages."""

    def chapter(come: People) -> Iterator[Scene]:
        party = Party([come() for _ in range(SEATS[slug])])
        party.start(TITLES[slug])
        party.join()
        party.play(at_random(Random(slug)), 5)
        mover = party.mover()
        if mover is None:
            mover = party.host
        yield Scene(f"{slug}-my-turn", mover)
        mover.open(f"{party.link}?view=text&say=help")
        yield Scene(f"{slug}-text", mover)
        mover.open(f"{party.link}?view=board")
        waiter = next(each for each in party.friends if each is not mover)
        look_again(waiter)
        yield Scene(f"{slug}-waiting", waiter)
        watcher = come()
        watcher.open(party.link)
        yield Scene(f"{slug}-watching", watcher)
        party.give_up()
        yield Scene(f"{slug}-given-up", party.host)
        look_again(watcher)
        yield Scene(f"{slug}-given-up-watching", watcher)
        party.host.follow("Replay from the start")
        yield Scene(f"{slug}-history", party.host)

    return chapter


def german(come: People) -> Iterator[Scene]:
    """Another language, whose words are longer."""
    party = Party([come(), come()]).sit("StrifeBarge")
    host, friend = party.friends
    for each in party.friends:
        each.open("/about")
        each.prefer("Language", "Deutsch")
    yield Scene("german-about", host)
    host.open("/")
    yield Scene("german-landing", host)
    host.open("/new/chess")
    yield Scene("german-options", host)
    host.open(party.link)
    yield Scene("german-my-turn", host)
    friend.open(party.link)
    yield Scene("german-waiting", friend)
    host.open(f"{party.link}/quit")
    yield Scene("german-quit", host)
    host.press("Endgültig aussteigen")
    yield Scene("german-result", host)
    host.press(host.page.locator("form[action$='/rematch'] button"))
    yield Scene("german-rematch-wanted", host)
    joiner = come()
    host.open("/")
    host.press(host.page.locator("form[action$=eights] button:not([formaction])"))
    yield Scene("german-waiting-room", host)
    joiner.open("/about")
    joiner.prefer("Language", "Deutsch")
    joiner.open(host.page.url)
    yield Scene("german-join", joiner)


def other_rules(come: People) -> Iterator[Scene]:
    """A game whose rules have changed under it; and that it goes back, as somebody proposes."""
    party = Party([come(), come()]).sit(TITLES["eights"])
    host, friend = party.friends
    party.play(at_random(Random(6)), 5)
    host.open(f"/changed/{party.link.rpartition('/')[2]}")
    yield Scene("rules-changed", host)
    host.press(host.page.locator("form[action$='/back'] button"))
    yield Scene("going-back-proposed", host)
    friend.open(party.link)
    yield Scene("going-back-asked", friend)
    friend.open(f"{party.link}?view=text")
    yield Scene("going-back-asked-text", friend)
    friend.press(friend.page.locator("form[action$='/ready'] button"))
    host.reload()
    host.press(host.page.locator("form[action$='/ready'] button"))
    yield Scene("went-back", host)
