"""What tests of coplayers, absent players and substitutes share."""

from itertools import count

from tests.support.visitor import Local, Page
from tests.web.house import House, Party

numbers = count()


def key() -> list[tuple[str, str]]:
    """A form's key, never used before."""
    return [("key", f"{next(numbers):032}")]


link = House.link


def follow(who: Local, path: str, name: str = "") -> Page:
    return who.submit(who.get(path), "/seat", name=name)


def waiting(house: House, people: int = 3, **terms: str) -> tuple[Party, Local, Local]:
    """A fleet at sea, who is to move, and somebody who waits for them."""
    party = house.gathered("strifebarge", people, **terms)
    mover = party.to_move()
    return party, mover, next(player for player in party.players if player is not mover)


def can(who: Local, party: Party) -> str:
    """The step that is offered about who is late."""
    page = who.get(party.table)
    return dict(page.form("/miss").fields)["step"] if page.has_form("/miss") else ""
