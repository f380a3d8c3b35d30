"""offer(): wraps anything on a board as the button that does an action."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from markupsafe import Markup, escape

from strifebarge.rules import Action
from strifebarge.rules.notation import tag, write
from strifebarge.table.view import Blank, Offer, View, label_of

from .words import told

MANY = 12  # buttons on one page


class Board:
    """What a board's template may use; remembers which offers it has placed."""

    def __init__(self, view: View):
        self.view = view
        self.done: set[str] = set()

    @cached_property
    def by_words(self) -> dict[str, Offer]:
        return {offer.words: offer for offer in self.view.offers}

    def offered(self, action: Action) -> Offer | None:
        """This action's offer, if it is one now."""
        return self.by_words.get(write(action)) if self.view.options else None

    def offer(
        self,
        action: Action,
        caller: Callable[[], str] | None = None,
        label: Any = None,
        **attributes: Any,
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
        self.done.add(do)
        return ""

    def rest(self) -> list[Offer]:
        """The offers the board has not placed."""
        kinds = {option if isinstance(option, type) else type(option) for option in self.view.options}
        if all(tag(kind) in self.done for kind in kinds):
            return []  # without a look at each: a sea has thousands
        return [
            offer
            for offer in self.view.offers
            if tag(type(offer.action)) not in self.done and offer.words not in self.done
        ]

    @staticmethod
    def heaps(offers: list[Offer]) -> list[tuple[str, list[Offer]]]:
        """Offers by their kind; the many of a kind among many with its label, to be folded under it."""
        kinds: dict[type[Action], list[Offer]] = {}
        for offer in offers:
            kinds.setdefault(type(offer.action), []).append(offer)
        many = len(offers) > MANY
        return [
            (label_of(kind) if many and len(heap) > MANY // 2 else "", heap) for kind, heap in kinds.items()
        ]

    def blanks(self) -> list[Blank]:
        """The forms the board has not placed."""
        return [blank for blank in self.view.blanks if blank.do not in self.done]


def button(
    offer: Offer, view: View, face: Markup | None = None, label: Any = None, **attributes: Any
) -> Markup:
    """The button of one offer."""
    words = escape(label) if label else (told(offer.label, view) if face else None)
    if offer.refused:
        reason = told(offer.refused.text, view)
        attributes |= {"aria-disabled": "true", "title": reason.striptags()}
        words = Markup("{}: {}").format(words or told(offer.label, view), reason)
    if words:
        attributes["aria-label"] = words.striptags()
    attributes.setdefault("class", "btn sec")
    written = "".join(f' {escape(name.rstrip("_"))}="{escape(value)}"' for name, value in attributes.items())
    face = told(offer.label, view) if face is None else face
    button = f'<button type="submit" name="move" value="{escape(offer.words)}"{written}>{face}</button>'
    return Markup(button)  # noqa: S704 - every piece was escaped


def actions_by_name(kinds: tuple[type[Action], ...]) -> dict[str, type[Action]]:
    """A game's actions under their class names, for its board."""
    return {kind.__name__: kind for kind in kinds}
