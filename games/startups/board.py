"""The page as one viewer sees it: hand and offers, companies, the score sheet."""

from functools import partial
from typing import Literal, NamedTuple

from strifebarge.rules import Action, Refused, Text
from strifebarge.rules.board import Offer

from .board_cards import CardFace, View, face, gains, piece, unlocked
from .board_companies import Firm, firm_of, signed, totals_shown
from .board_payments import Do, Paying, Payment, Price, Task, lack_of, paying_of, payment_of, task_of
from .cards import CARDS, COMPANIES, RULES, Category, Side
from .choices import Choice, Copy, Discard, Position, Take, goods, to_stage
from .founders import Founder
from .rules import Startups

CUES = {"Age {age} begins.": "chapter"}
TURNING = "turn", "last"  # what the game asks while each chooses what to do with a card of the hand


# -- the viewer's own cards --------------------------------------------------------


class Held(NamedTuple):
    """A card of the viewer's hand, and what may be done with it; nothing where nothing is asked."""

    face: CardFace
    chosen: bool
    tasks: list[Task]
    discard: Discard | None

    @property
    def piece(self) -> str:
        """The card's public name, which it keeps when it is built."""
        return piece(self.face.copy)

    @property
    def marks(self) -> str:
        """The classes of the card in `board.css`."""
        off = bool(self.tasks) and self.tasks[0].payment.refused is not None
        return f"t-{self.face.card.color}" + " chosen" * self.chosen + " off" * off


class Hand(NamedTuple):
    """The viewer's cards, by colour and name."""

    cards: list[Held]
    free_build: bool  # is left in this age
    stage: int  # the number of the next stage
    refused: Refused | None  # why that cannot be built
    needs: Text | None  # the same in a sentence for the board


class Open(NamedTuple):
    """A card that may be taken or copied; without an action where one is built already."""

    face: CardFace
    action: Action | None

    @property
    def piece(self) -> str:
        """The name of the card on the page: not the public one, since a neighbour's is drawn there too."""
        return f"offered-{piece(self.face.copy)}"

    @property
    def price(self) -> Price:
        """The line on the compact card: it costs nothing."""
        return Price("free" if self.action else "built", 0, (), None)


class OnOffer(NamedTuple):
    """The cards of the discard pile, or the neighbours' communities."""

    asking: Literal["take", "copy"]
    cards: list[Open]


def _hand(view: View, you: Founder, at: Position, chosen: Action | None) -> Hand | None:
    """Return the viewer's hand; None where it is empty."""
    if not at.hand:
        return None
    turning = _choosing(view) and view.game.asking in TURNING
    staging = payment_of(view, you, to_stage(at, at.hand[0])[0]) if turning and at.stage else None
    refused = staging.refused if staging else None
    dos: list[Do] = ["build", "stage"] if at.stage and not refused else ["build"]
    cards = [
        Held(
            face=face(copy),
            chosen=isinstance(chosen, Choice) and chosen.card == copy,
            tasks=[task_of(view, you, at, do, copy) for do in dos] if turning else [],
            discard=Discard(copy) if turning else None,
        )
        for copy in view.game.shown(at.hand)
    ]
    needs = _needs(at, staging) if staging and refused else None
    return Hand(cards, at.may_build_free, you.stages + 1, refused, needs)


def _needs(at: Position, staging: Payment) -> Text:
    """Return the sentence that tells what is missing for the next stage."""
    lack = lack_of(at, staging)
    if lack:
        wanted = goods(dict(zip(lack.resources, lack.numbers, strict=True)))
        return Text("Next stage needs {missing}", {"missing": wanted})
    return Text("Next stage needs {price} funds", {"price": staging.price})


def _on_offer(view: View, you: Founder) -> OnOffer | None:
    game = view.game
    if not _choosing(view):
        return None
    match game.asking:
        case "take":
            actions: list[Take | Copy] = [*map(Take, game.shown(game.pile))]
        case "copy":
            actions = [*map(Copy, game.shown(game.beside_communities(you)))]
        case _:
            return None
    return OnOffer(
        game.asking, [Open(face(each.card), each if view.offered(each) else None) for each in actions]
    )


# -- points ------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of the score sheet, with the points of each founder."""

    category: Category
    points: list[int]


class Sheet(NamedTuple):
    """The score sheet: the viewer first, then the others in the order of the ring."""

    founders: list[Founder]
    lines: list[Line]
    totals: list[int]

    @property
    def companies(self) -> list[tuple[str, str]]:
        """The companies, with their sides."""
        return [(founder.company, founder.side) for founder in self.founders]

    @property
    def funds(self) -> list[int]:
        """The funds that each has left."""
        return [founder.funds for founder in self.founders]

    def of(self, nth: int) -> list[tuple[Category, str]]:
        """Return the lines of one founder, with signs."""
        return [(line.category, signed(line.points[nth])) for line in self.lines]


def _sheet(game: Startups, you: Founder | None) -> Sheet:
    founders, of_all = game.seated_from(you), game.sheets
    sheets = [of_all[founder.number] for founder in founders]
    lines = [Line(category, [sheet[category] for sheet in sheets]) for category in sheets[0]]
    return Sheet(founders, lines, [sum(sheet.values()) for sheet in sheets])


# -- the page ----------------------------------------------------------------------


class Clock(NamedTuple):
    """The age and turn, and the side to which hands go on after it."""

    age: int
    turn: int
    passing: Side | None
    pile: int  # cards in the discard pile


class Board(NamedTuple):
    """The things that `board.html` and `text.html` show."""

    over: bool
    clock: Clock
    chosen: Text | None  # the viewer's choice, while others still choose
    paying: Paying | None
    on_offer: OnOffer | None
    hand: Hand | None
    income: int  # for a card that is discarded
    example: Text | None  # of a choice that may be typed
    near: list[Firm]  # the left neighbour's, the viewer's own, the right neighbour's; none for a spectator
    far: list[Firm]
    last: list[Firm]  # those that did something in the last turn, from the viewer's own on to the left
    sheet: Sheet | None


def board(view: View) -> Board:
    """Return the viewer's cards and all companies."""
    game, you = view.game, view.you
    over = view.result is not None
    at = game.position(you) if you else None
    chosen = _chosen(view)
    hand = _hand(view, you, at, chosen.action if chosen else None) if you and at else None
    turning = _choosing(view) and game.asking in TURNING
    near, far = _firms(view, game.seated_from(you))
    return Board(
        over=over,
        clock=Clock(game.age, game.turn, _passing(game), len(game.pile)),
        chosen=chosen.label if chosen else None,
        paying=paying_of(view, you, at) if you and at and turning else None,
        on_offer=_on_offer(view, you) if you else None,
        hand=hand,
        income=RULES.discard_income,
        example=hand.cards[0].discard.words if hand and hand.cards[0].discard else None,
        near=near,
        far=far,
        last=[firm for firm in [*near[1:2], *near[:1], *far, *near[2:]] if firm.last],
        sheet=_sheet(game, you) if over or game.options.running else None,
    )


def _choosing(view: View) -> bool:
    """Tell whether the viewer may choose now, or choose again; without a look at all that is on offer."""
    return view.mine or view.choice is not None


def _chosen(view: View) -> Offer | None:
    """Return what the viewer has chosen, while others still choose."""
    if view.choice is None:
        return None
    return next((offer for offer in view.offers if offer.notation == view.choice), None)


def plates(view: View) -> dict[int, tuple[int, int, int, int, int | None]]:
    """Return for each seat its funds, strength, stages built and in all, and points where they are shown."""
    totals = totals_shown(view)
    return {
        founder.number: (
            founder.funds,
            founder.strength,
            founder.stages,
            len(founder.all_stages),
            totals.get(founder.number),
        )
        for founder in view.game.seats
    }


text = board
CELLS = {  # what cells.html is given
    "CARDS": CARDS,
    "COMPANIES": COMPANIES,
    "gains": gains,
    "piece": piece,
    "unlocked": unlocked,
}


def _firms(view: View, seated: list[Founder]) -> tuple[list[Firm], list[Firm]]:
    """Return the companies that the viewer deals with, and the others."""
    firm = partial(firm_of, view, totals_shown(view))
    if view.you is None:
        return [], [firm(each) for each in seated]
    own, left, *others, right = seated
    near = [firm(left, "left"), firm(own), firm(right, "right")]
    return near, [firm(each, small=True) for each in others]


def _passing(game: Startups) -> Side | None:
    """Return to which side hands go on after this turn, if they do."""
    return RULES.pass_direction[game.age - 1] if game.turn < RULES.turns_per_age else None
