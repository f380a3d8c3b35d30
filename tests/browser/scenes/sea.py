"""The sea, for two, in salvos, and for many: and what surrounds every long game."""

from collections.abc import Iterator
from random import Random

from tests.browser.conftest import People
from tests.browser.party import MOVES, PLAYABLE, Lookouts, Party, look_again, tick

from .scene import Scene


def strifebarge(come: People) -> Iterator[Scene]:
    """The sea: a long game of two, with all that surrounds it."""
    party = Party([come(), come()]).sit("StrifeBarge")
    party.hurry(Lookouts(Random(3), honest=0.7).pick, 14)
    mover = party.mover()
    yield Scene("strifebarge-late", mover)
    mover.page.get_by_label("Square").fill("Z99")
    mover.press("Fire", status=422)
    yield Scene("refused-no-such-square", mover)
    left = mover.open_tab()
    mover.open(party.link)
    mover.press(mover.page.locator(PLAYABLE).first)
    yield Scene("strifebarge-played", mover)
    mover.page.close()
    mover.page = left
    mover.press(mover.page.locator(PLAYABLE).last, status=409)
    yield Scene("refused-too-late", mover)
    mover.open(f"{party.link}/log")
    yield Scene("log", mover)
    mover.open(f"{party.link}/quit")
    yield Scene("quit", mover)
    heir = come()
    heir.open(mover.page.get_by_label("Link to your seat").input_value())
    yield Scene("seat-link", heir)
    mover.open(party.link)
    asker = next(each for each in party.friends if each is not mover)
    asker.open("/about")
    asker.prefer("Confirm moves", "Always")
    asker.open(party.link)
    asker.press(asker.page.locator(PLAYABLE).first)
    yield Scene("sure", asker)
    asker.open("/about")
    asker.prefer("Confirm moves", "Never")
    asker.open(party.link)
    for frame, path in ("my-turn", ""), ("waiting", ""), ("moved", "?v=0"), ("paused", "?n=1000"):
        viewer = asker if frame == "my-turn" else come()
        viewer.open(f"{party.link}/status{path}")
        yield Scene(f"status-{frame}", viewer)
    asker.open(party.link)
    party.newest = asker
    party.hurry(Lookouts(Random(4), honest=0).pick)
    yield Scene("strifebarge-result", party.host)
    party.host.press("Rematch")
    yield Scene("rematch-wanted", party.host)
    look_again(party.friends[1])
    yield Scene("rematch-offered", party.friends[1])


def salvo(come: People) -> Iterator[Scene]:
    party = Party([come(), come(), come()]).sit("StrifeBarge", 3, salvo="true")
    lookouts = Lookouts(Random(5), honest=0.8)
    party.play(lookouts.choose, 7)
    mover = party.mover()
    boxes = mover.values(f"{MOVES} input[type=checkbox]")
    tick(mover, boxes[:2])
    yield Scene("strifebarge-salvo", mover)
    tick(mover, boxes[2:6])
    mover.press("Fire", status=422)
    yield Scene("refused-wrong-salvo", mover)


def great_sea(come: People) -> Iterator[Scene]:
    """Eight captains, and the sea of 2012."""
    party = Party([come() for _ in range(8)]).sit("StrifeBarge", 8)
    party.hurry(Lookouts(Random(6)).pick, 4)
    yield Scene("strifebarge-eight-captains", party.mover())
    wide = Party(party.friends[:2]).sit("StrifeBarge", 2, sea="open")
    yield Scene("strifebarge-open-sea", wide.host)
    wider = Party(party.friends[:4]).sit("StrifeBarge", 4, sea="open")
    wider.hurry(Lookouts(Random(7)).pick, 5)
    yield Scene("strifebarge-overview", wider.mover())
