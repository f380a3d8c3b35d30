"""Time on the pages: running, stopped, and run out."""

from collections.abc import Iterator

from strifebarge.rules.pace import DAY
from tests.browser.conftest import People
from tests.browser.party import PLAYABLE, Party, look_again, typed, unasked
from tests.support.browser import Person

from .scene import Scene


def by_the_clock(come: People) -> Iterator[Scene]:
    """Time on the pages: before the game, running, and stopped for all."""
    party = Party([come(), come()])
    party.start("StrifeBarge", 2, pace="pool-72-12")
    party.friends[1].open(party.link)
    yield Scene("clock-join", party.friends[1])
    party.join()
    yield Scene("clock-waiting", party.newest)
    mover = party.mover()
    yield Scene("clock-running", mover)
    mover.open(f"{party.link}?view=text&say=time")
    yield Scene("clock-text", mover)
    mover.open(f"{party.link}?view=board")
    mover.press("Propose to stop the clocks")
    other = next(each for each in party.friends if each is not mover)
    look_again(other)
    yield Scene("clock-pause-proposed", other)
    other.press("Agree to stop the clocks")
    yield Scene("clock-paused", other)
    other.open("/games")
    other.press("Go on vacation")
    yield Scene("vacation", other)
    host, friend = Party([come(), come()]).sit("Chess", pace="clock-10-5").friends
    yield Scene("clock-live", host)
    pass_time(friend, 90)
    look_again(friend)
    yield Scene("clock-live-somebody-away", friend)


def too_late(come: People) -> Iterator[Scene]:
    """Deadlines that pass: of two, where the other decides; of three, where somebody may have the seat."""
    two = Party([come(), come()]).sit("Chess", pace="days-3")
    unasked(two.friends)
    for friend in two.friends:
        look_again(friend)
    two.play(typed(["e4", "e5"]), 2)
    host, friend = two.friends
    three = Party([come(), come(), come()]).sit("StrifeBarge", 3, pace="days-1")
    captain, ben, cleo = three.friends
    unasked(three.friends)
    pass_time(host, 3 * DAY + 10)
    look_again(friend)
    yield Scene("clock-run-out", friend)
    friend.press("Go on")
    pass_time(host, 14 * DAY)  # of vacation, which has begun by itself
    look_again(friend)
    friend.press("Go on")
    yield Scene("clock-the-other-decides", friend)
    look_again(host)
    yield Scene("clock-grace", host)
    host.open(f"{two.link}?view=text&say=time")
    yield Scene("clock-grace-text", host)
    friend.press("Call it a draw")
    yield Scene("clock-draw-called", friend)
    for _ in range(2):
        look_again(ben)
        if ben.see("text=Go on"):
            ben.press("Go on")
        for each in (ben, cleo):
            look_again(each)
            each.press(each.page.locator(PLAYABLE).first)
        pass_time(ben, DAY + 10)
    look_again(ben)
    ben.press("Go on")
    yield Scene("clock-away", ben)
    link = ben.page.get_by_label("Invite someone to take").input_value()
    ben.press("Remove Guest Foxtrot from the game")
    yield Scene("clock-away-voted", ben)
    heir = come()
    heir.open(link)
    yield Scene("seat-of-who-is-away", heir)
    captain.open("/me")
    yield Scene("you-missed-deadlines", captain)


def pass_time(person: Person, seconds: int) -> None:
    """So much time goes by at the site."""
    assert person.page.request.post(f"{person.address}/later/{seconds}").ok
