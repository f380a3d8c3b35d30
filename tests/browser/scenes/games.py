"""The pages that a game has for itself."""

from collections.abc import Iterator
from random import Random

from tests.browser.conftest import People
from tests.browser.party import (
    MOVES,
    PLAYABLE,
    START,
    Party,
    any_of,
    at_random,
    look_again,
    to_move,
    typed,
    unfold,
)
from tests.support.browser import Person

from .scene import TITLES, Scene


def eights(come: People) -> Iterator[Scene]:
    """Cards: drawn by hand, an eight and its suit, the hands laid open."""
    party = Party([come(), come(), come()]).sit("Crazy Eights", 3, draw="by_hand")
    waiting = next(each for each in party.friends if each.see("#bar a[href*='pick=plan']"))
    waiting.follow(waiting.page.locator("#bar a[href*='pick=plan']"))
    waiting.press(waiting.page.locator(".own button[name=move]").first)
    yield Scene("eights-planning", waiting)
    greyed = party.host.page.locator(f"{MOVES} button[aria-disabled]")
    if greyed.count():
        with party.host.arriving(422):
            greyed.first.click(force=True)
        yield Scene("refused-no-match", party.host)
    chance = Random(8)
    naming = False

    def play(person: Person) -> None:
        nonlocal naming
        eight = person.page.locator(f"{PLAYABLE}[value^='play 8']")
        card = person.page.locator(f"{PLAYABLE}:not([value=draw])")
        if eight.count() and not naming:
            person.press(eight.first)
        elif card.count() and chance.random() < 0.8:
            person.press(card.last)
        else:
            at_random(chance)(person)

    for _ in range(24):
        mover = party.mover()
        if mover is None:
            break
        if mover.see("button[value^='name']") and not naming:
            naming = True
            yield Scene("eights-naming", mover)
            watcher = come()
            watcher.open(party.link)
            yield Scene("eights-naming-watching", watcher)
        play(mover)
    yield Scene("eights-late", party.newest)
    alone = Party([come()])
    alone.host.open("/new/eights")
    alone.host.page.get_by_label("Players", exact=True).select_option("1")
    alone.host.press(alone.host.page.locator(START))
    alone.link = alone.host.page.url
    yield Scene("eights-patience", alone.host)
    alone.hurry(any_of(chance))
    yield Scene("eights-result", alone.host)


def chess(come: People) -> Iterator[Scene]:
    """A piece picked up, a pawn that becomes something, a draw offered, check and mate."""
    party = Party([come(), come()]).sit("Chess")
    party.play(typed(["e4", "e5"]), 2)
    host = party.mover()
    host.follow(host.page.locator("a[href*='pick=g1']"))
    yield Scene("chess-picked", host)
    host.page.get_by_role("textbox", name="Move").fill("Ke3")
    host.press("Move", status=422)
    yield Scene("refused-chess-move", host)
    party.play(typed(["Bc4", "f6", "Qh5"]), 3)
    yield Scene("chess-check", party.mover())
    party.play(typed(["g6", "Qxg6+", "hxg6"]), 3)
    yield Scene("chess-taken", party.mover())
    other = Party([come(), come()]).sit("Chess")
    other.play(typed(["a4", "b5", "axb5", "a6", "bxa6", "Bb7", "axb7", "Nc6"]), 8)
    host = other.mover()
    host.follow(host.page.locator("a[href*='pick=b7']"))
    host.follow(host.page.locator("a[href*='pick=b7a8']"))
    yield Scene("chess-becoming", host)
    host.press("Offer a draw")
    other.newest = host
    yield Scene("chess-draw-offered", host)
    author = come()
    author.open("/position/chess?held=Q")
    yield Scene("chess-position", author)
    author.open("/position/chess?position=8/8/8/8/8/8/8/K7 w - - 0 1")
    yield Scene("chess-position-refused", author)
    mate = Party([come(), come()]).sit("Chess")
    mate.play(typed(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]))
    yield Scene("chess-result", mate.friends[1])


def rps(come: People) -> Iterator[Scene]:
    """Two who choose at once."""
    party = Party([come(), come()]).sit("Rock-Paper-Scissors", best_of="3")
    host, friend = party.friends
    host.press(host.page.locator(PLAYABLE).nth(0))
    yield Scene("rps-chosen", host)
    look_again(friend)
    yield Scene("rps-to-choose", friend)
    friend.press(friend.page.locator(PLAYABLE).nth(1))
    look_again(host)
    yield Scene("rps-second-throw", host)
    party.play(at_random(Random(9)))
    yield Scene("rps-result", host)


def startups(come: People) -> Iterator[Scene]:
    """Four companies: the hand, ways to pay, waiting, a later age, and the score sheet."""
    party = Party([come() for _ in range(4)]).sit("7 Startups", 4, running="true")
    host = party.host
    yield Scene("startups-hand", host)
    unfold(host)
    yield Scene("startups-card", host)
    host.press(host.page.locator(PLAYABLE).first)
    party.newest = host
    yield Scene("startups-chosen", host)
    party.hurry(any_of(Random(4)), 23)
    for friend in party.friends:
        look_again(friend)
        ways = friend.page.locator(f"{MOVES} a[href*='pick=build'], {MOVES} a[href*='pick=stage']")
        if ways.count():
            friend.open(ways.first.get_attribute("href"))
            yield Scene("startups-paying", friend)
            break
    party.hurry(any_of(Random(5)), 34)
    look_again(host)
    yield Scene("startups-late", host)
    party.hurry(any_of(Random(6)))
    look_again(host)
    yield Scene("startups-result", host)


def mirrow(come: People) -> Iterator[Scene]:
    """Blocks placed, cards chosen, a turn composed, a battle, and the same in words."""
    party = Party([come(), come()]).sit(TITLES["mirrow"])
    host = party.host
    host.follow(host.page.locator("a[href*='pick=2#']").first)
    yield Scene("mirrow-picked", host)
    host.press("Block 2 to Dunmouth")
    for friend in party.friends:
        look_again(friend)
        friend.press("Place the rest randomly")
        friend.press("Done")
    look_again(host)
    yield Scene("mirrow-cards", host)
    for friend in party.friends:
        look_again(friend)
        unfold(friend)
        friend.press(friend.page.locator(".orders button:visible").first)
    mover = party.mover() or host
    choose = at_random(Random(4))
    for _ in range(20):  # a card may be an event, which is played out first
        if mover.see(".area button.name:not([aria-disabled])"):
            mover.press(mover.page.locator(".area button.name:not([aria-disabled])").first)
            break
        choose(mover)
        mover = party.mover() or host
    yield Scene("mirrow-moving", mover)
    party.newest = mover
    for _ in range(60):
        mover = party.mover() or host
        if mover.see(".fight") or not to_move(mover):  # or it is over before there was one
            break
        choose(mover)
    yield Scene("mirrow-battle", mover)
    mover.open(f"{party.link}?view=text")
    yield Scene("mirrow-battle-text", mover)
