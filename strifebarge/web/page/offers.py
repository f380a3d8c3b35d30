"""Buttons that do actions, wrapped round anything on a board."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import proxy

import msgspec
from markupsafe import Markup, escape

from strifebarge.lib.cached import cached_property
from strifebarge.rules import Action
from strifebarge.rules.notation import tag, write
from strifebarge.rules.text import pack
from strifebarge.tables.view import ActionForm, Offer, View, label_of
from strifebarge.web.http.request_store import this_request
from strifebarge.web.page.kept import CellMacros, cells_of
from strifebarge.web.render.keeping import PieceCache
from strifebarge.web.render.templating import escaped, without_tags
from strifebarge.web.render.turning import is_turned
from strifebarge.web.words.catalogue import say, translations
from strifebarge.web.words.texts import render_text

MANY = 12  # buttons on one page
PLAN = "plan"  # what is picked where a viewer plans on the board


MOST_LABELS = 2 * 1024 * 1024  # bytes of labels that a process keeps, of all games together
LABELS: PieceCache[Markup] = PieceCache(MOST_LABELS)


def picked_offer(view: View) -> str:
    """Return what was picked on the page by a link, or on the page that a form came from; or ""."""
    return "" if is_pick_outdated(view) else picked_words()


def is_pick_outdated(view: View) -> bool:
    """Tell whether something was picked for an earlier question, so that it is no longer picked."""
    asked = this_request().args.get("asked", type=int)
    return bool(picked_words()) and asked is not None and asked != _question(view)


def pick_to_keep(view: View) -> dict[str, str | int]:
    """Return the arguments by which the page's script asks for it again with what is picked."""
    picked = picked_offer(view)
    if picked == PLAN:
        return {"pick": PLAN} if is_planning(view) else {}
    if picked and (view.mine or may_plan(view)):
        return {"pick": picked, "asked": _question(view)}
    return {}


def picked_words() -> str:
    """Return what was picked, whatever the question is by now."""
    request = this_request()
    words: str = request.args.get("pick", "")
    if words:
        return words
    return PLAN if request.method == "POST" and request.form.get("on") == "board" else ""


def _question(view: View) -> int:
    """Return the number of the viewer's question, or of the last move where they only plan."""
    return view.newest if view.question_number is None else view.question_number


def may_plan(view: View) -> bool:
    """Tell whether the viewer may plan their next moves."""
    return view.plan is not None and view.plan.may


def is_planning(view: View) -> bool:
    """Tell whether a viewer plans on the board: they have pressed `Plan` in the action bar."""
    return picked_offer(view) == PLAN and may_plan(view)


class Board:
    """The functions that a board's template is given; it remembers which offers the board has placed."""

    def __init__(self, view: View):
        self.view = view
        self.done: set[str] = set()
        self.judged: dict[str, Offer] = {}  # by their words
        self.bar = Markup()  # what it draws in the action bar

    @cached_property
    def input(self) -> "BoardInput":
        """The part of the page that the game's `board.py` is given."""
        return BoardInput(self.view, self)

    @cached_property
    def cells(self) -> CellMacros | None:
        """The macros of the game's `cells.html`; None where it has none."""
        return cells_of(self.view.title)

    @cached_property
    def by_words(self) -> dict[str, Action]:
        return {write(each): each for each in self.view.turn.options if isinstance(each, Action)}

    def offered(self, action: Action) -> Offer | None:
        """Return this action's offer, if it is one now; it alone is judged, since a sea has thousands."""
        if not self.view.turn.offered or (text := write(action)) not in self.by_words:
            return None
        if text not in self.judged:
            offered_action = self.by_words[text]
            self.judged[text] = Offer(offered_action, self.view.reason(offered_action))
        return self.judged[text]

    def offer(
        self,
        action: Action,
        caller: Callable[[], str] | None = None,
        label: Any = None,
        **attributes: Any,
    ) -> Markup:
        """Return a button that does `action`, with what the call block holds as its face.

        It is greyed with the reason if it is refused; only the face is left if it is not on offer.
        """
        offer = self.offered(action)
        face = Markup(caller()) if caller else None  # noqa: S704 - a template's own output
        if offer is None:
            return face or Markup()
        self.done.add(offer.notation)
        return button(offer, self.view, face, label, **attributes)

    def plan(self, action: Action, caller: Callable[[], str] | None = None, **attributes: Any) -> Markup:
        """Return a button that plans `action`, or takes it back where it is planned already.

        While the viewer does not plan on the board it is `offer`.
        """
        if not is_planning(self.view):
            return self.offer(action, caller, **attributes)
        face = Markup(caller()) if caller else None  # noqa: S704 - a template's own output
        return plan_button(action, self.view, face, **attributes)

    def placed(self, do: str) -> str:
        """Note that the board has drawn all actions of this kind itself."""
        self.done.add(do)
        return ""

    def rest(self) -> list[Offer]:
        """Return the offers that the board has not placed."""
        if all(tag(kind) in self.done for kind in self.view.kinds):
            return []  # without a look at each: a sea has thousands
        return [
            offer
            for offer in self.view.offers
            if tag(type(offer.action)) not in self.done and offer.notation not in self.done
        ]

    @staticmethod
    def heaps(offers: list[Offer]) -> list[tuple[str, list[Offer]]]:
        """Group offers by their kind; a large group among many gets its label, to be folded under it."""
        kinds: dict[type[Action], list[Offer]] = {}
        for offer in offers:
            kinds.setdefault(type(offer.action), []).append(offer)
        many = len(offers) > MANY
        return [
            (label_of(kind) if many and len(heap) > MANY // 2 else "", heap) for kind, heap in kinds.items()
        ]

    def blanks(self) -> list[ActionForm]:
        """Return the forms that the board has not placed."""
        return [blank for blank in self.view.blanks if blank.do not in self.done]


class BoardInput:
    """The `BoardView` that a game's `board.py` is given: no more of a view than a board needs."""

    def __init__(self, view: View, board: Board):
        self._view = view
        self.game: Any = view.position.game
        self.you = view.position.you
        self.mine = view.mine
        self._board = proxy(board)  # which holds this: so both go as soon as the page is made
        self.choice = view.choice
        self.planning = may_plan(view)
        self.planned = view.plan.moves if view.plan else []
        self.picked = picked_offer(view)
        self.places = view.places
        self.lines = view.lines
        self.news = view.news
        self.number = view.number
        self.live = view.live
        self.turned = is_turned()
        self.result = view.result

    def offered(self, action: Action) -> Offer | None:
        """Return this action's offer, if it is one now."""
        offer: Offer | None = self._board.offered(action)
        return offer

    @cached_property
    def filled(self) -> Mapping[str, Sequence[str]]:
        """The values of each field of a form that was sent, and refused."""
        request = this_request()
        return dict(request.form.lists()) if request.method == "POST" else {}

    @property
    def offers(self) -> list[Offer]:
        """Return what the viewer may choose from; judged only when asked for, since a sea has thousands."""
        return self._view.offers


def button(
    offer: Offer, view: View, face: Markup | None = None, label: Any = None, **attributes: Any
) -> Markup:
    """Return the button of one offer."""
    aria_label = escape(label) if label else (offer_label(offer, view) if face else None)
    if offer.refused:
        reason = render_text(offer.refused.text, view)
        attributes |= {"aria-disabled": "true", "title": without_tags(reason)}
        aria_label = Markup("{}: {}").format(aria_label or offer_label(offer, view), reason)
    if aria_label:
        attributes["aria-label"] = without_tags(aria_label)
    return _written("move", offer.notation, offer_label(offer, view) if face is None else face, attributes)


def plan_button(action: Action, view: View, face: Markup | None = None, **attributes: Any) -> Markup:
    """Return the button by which a viewer plans an action; pressed again, it takes that back."""
    offer, moves = Offer(action, None), view.plan.moves if view.plan else []
    label, is_planned = offer_label(offer, view), offer.notation in moves
    aria_label = (
        say("{move}: planned, take it back", move=label) if is_planned else say("{move}: plan it", move=label)
    )
    attributes["aria-label"] = without_tags(aria_label)
    if is_planned:
        attributes["class"] = f"{attributes.get('class', 'btn sec')} planned"
    return _written("without" if is_planned else "move", offer.notation, face or label, attributes)


def _written(name: str, value: str, face: Markup, attributes: dict[str, Any]) -> Markup:
    """Return a button that sends a form with this field."""
    attributes.setdefault("class", "btn sec")
    written = "".join(
        [f' {escaped(each.rstrip("_"))}="{escaped(text)}"' for each, text in attributes.items()]
    )
    button = f'<button type="submit" name="{name}" value="{escaped(value)}"{written}>{face}</button>'
    return Markup(button)  # noqa: S704 - every piece was escaped


def offer_label(offer: Offer, view: View) -> Markup:
    """Return what the button of an offer says: kept by the action, but where it names seats or secrets."""
    try:
        written = msgspec.json.encode(offer.action, order="deterministic")
    except (TypeError, ValueError, OverflowError):  # a value that cannot be written: its label is its own
        return render_text(offer.label, view)
    key = (translations(view.title), type(offer.action), written)
    label: Markup | None = LABELS.get(key)
    if label is None:
        packed = pack(offer.label)
        label = render_text(packed, view)
        if not _is_personal(packed):
            LABELS.put(key, label)
    return label


def _is_personal(packed: Any) -> bool:
    """Return whether a packed text tells each reader something else."""
    match packed:
        case dict():
            return not packed.keys().isdisjoint(("seat", "secret")) or any(map(_is_personal, packed.values()))
        case list():
            return any(map(_is_personal, packed))
    return False


def actions_by_name(kinds: tuple[type[Action], ...]) -> dict[str, type[Action]]:
    """Return a game's actions under their class names, for its board."""
    return {kind.__name__: kind for kind in kinds}
