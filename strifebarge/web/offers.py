"""offer(): wraps anything on a board as the button that does an action."""

from collections.abc import Callable
from typing import Any

from markupsafe import Markup, escape

from strifebarge.rules import Action
from strifebarge.rules.notation import tag, write
from strifebarge.table.view import Blank, Offer, View

from .words import told


class Board:
    """What a board's template may use; remembers which offers it has placed."""

    def __init__(self, view: View):
        self.view = view
        self.offers = {offer.words: offer for offer in view.offers}
        self.done: set[str] = set()

    def offered(self, action: Action) -> Offer | None:
        """This action's offer, if it is one now."""
        return self.offers.get(write(action))

    def offer(
        self, action: Action, caller: Callable[[], str] | None = None, label: Any = None, **attributes: Any
    ) -> Markup:
        """A button that does `action`, with what the call block holds as its face.

        Greyed with the reason if it is refused; only the face if it is not on offer.
        """
        offer = self.offered(action)
        face = Markup(caller()) if caller else None  # noqa: S704 - a template's own output
        if offer is None:
            return face or Markup()
        self.done.add(offer.words)
        return button(offer, self.view, face, label, **attributes)

    def placed(self, do: str) -> str:
        """The board has drawn all actions of this kind itself."""
        self.done.update(words for words in self.offers if words.partition(" ")[0] == do)
        self.done.add(do)
        return ""

    def rest(self) -> list[Offer]:
        """The offers the board has not placed."""
        return [offer for words, offer in self.offers.items() if words not in self.done]

    def blanks(self) -> list[Blank]:
        """The forms the board has not placed."""
        return [blank for blank in self.view.blanks if blank.do not in self.done]


def button(
    offer: Offer, view: View, face: Markup | None = None, label: Any = None, **attributes: Any
) -> Markup:
    """The button of one offer."""
    words = escape(label) if label else (told(offer.label, view) if face else None)
    if offer.refused:
        reason = told(offer.refused, view)
        attributes |= {"aria-disabled": "true", "title": reason.striptags()}
        words = Markup("{}: {}").format(words or told(offer.label, view), reason)
    if words:
        attributes["aria-label"] = words.striptags()
    attributes.setdefault("class", "btn sec")
    written = Markup("").join(
        Markup(' {}="{}"').format(name.rstrip("_"), value) for name, value in attributes.items()
    )
    return Markup('<button type="submit" name="move" value="{}"{}>{}</button>').format(
        offer.words, written, face if face is not None else told(offer.label, view)
    )


def actions_by_name(kinds: tuple[type[Action], ...]) -> dict[str, type[Action]]:
    """A game's actions under their class names, for its board."""
    return {kind.__name__: kind for kind in kinds}


__all__ = ["Board", "actions_by_name", "button", "tag"]
