"""What a page tells of the options of a first turn: heard as a screen reader says it, and by which button."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from strifebarge.rules import Action
from strifebarge.rules.match import Match
from strifebarge.rules.notation import write
from strifebarge.rules.text import tell
from tests.support import forms
from tests.web.house import Party

SOFT_HYPHEN = "\xad"


def heard(element: Element) -> str:
    """The words of an element, without signs that are for the eye alone."""
    return " ".join("".join(_heard(element)).replace(SOFT_HYPHEN, "").split())


def _heard(element: Element) -> Iterator[str]:
    if element.get("aria-hidden") != "true":
        yield element.text or ""
        for each in element:
            yield from _heard(each)
            yield each.tail or ""


def moves_in(element: Element) -> list[Element]:
    """The buttons in here that make a move, greyed ones too."""
    return [each for each in element.iter("button") if each.get("name") == "move"]


def rules_of(party: Party) -> Match:
    """The match of a table as its rules see it, for a test alone to play on."""
    return forms.take_up(party.house.referee, party.house.referee.store.table(party.code)).match


def options_of(match: Match, seat: int) -> dict[str, Action]:
    """All single actions that a seat is asked to choose from, refused ones too, as they are written."""
    return {write(each): each for each in match.options(seat) if isinstance(each, Action)}


def refusal_of(match: Match, seat: int, action: Action) -> str:
    """The sentence by which the rules refuse an action; "" if they do not."""
    refused = match.reason(seat, action)
    return tell(refused.text, seat) if refused else ""
