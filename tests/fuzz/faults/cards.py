"""Faults in Crazy Eights."""

from itertools import count
from typing import Any

from games.eights.rules import Card, CrazyEights, Draw, Holder, Name, Pass, Play, Suit, Why, points
from strifebarge.fuzz.law import Law
from strifebarge.rules import Action, No, Ranking, Refused, Secret, Text

from . import fault

__all__ = ["Draw", "Name", "Pass", "Play", "Why"]


def is_for(reason: Why, refused: No) -> bool:
    """Return whether something is refused for this reason."""
    return isinstance(refused, Refused) and refused.why is reason


# -- leaks ------------------------------------------------------------------------------


@fault(Law.LEAK, quick=True)
class DrawnCardIsTold(CrazyEights):
    """The log names the card that was drawn to everybody."""

    def draw(self, seat: Holder) -> None:
        [card] = self.stock.draw()
        seat.hand.append(card)
        self.log("{seat} draws the {card}.", seat=seat, card=card)


@fault(Law.LEAK)
class DrawnCardIsToldToTheWrongOne(CrazyEights):
    """The log tells the card that was drawn to the next player too."""

    def draw(self, seat: Holder) -> None:
        [card] = self.stock.draw()
        seat.hand.append(card)
        other = self.seats[(seat.number + 1) % len(self.seats)]
        self.log("{seat} draws {card:a card}.", seat=seat, card=Secret(card, seat, other))


@fault(Law.LEAK, quick=True)
class StandingTellsASuit(CrazyEights):
    """What stands beside a name tells the suit of a card in hand."""

    def standing(self, seat: Holder) -> Text:
        held = [card for card in seat.hand if card]
        return Text("holds {suit}", {"suit": held[0].suit if held else "nothing"})


@fault(Law.LEAK, quick=True)
class PromptTellsTheNextCard(CrazyEights):
    """The question names the card on top of the stock."""

    @property
    def fitting(self) -> Text:
        return Text("a card, but not {next}", {"next": self.stock[-1] if self.stock else "nothing"})


@fault(Law.LEAK, quick=True)
class FieldCopiesTheStock(CrazyEights, kw_only=True):
    """A field that all see holds the card on top of the stock."""

    next_card: str = ""

    async def turn(self, seat: Holder) -> None:
        self.next_card = self.stock[-1] if self.stock else ""
        await super().turn(seat)


@fault(Law.LEAK)
class FieldCopiesAHand(CrazyEights, kw_only=True):
    """A field that all see holds somebody's hand, sorted."""

    plan: list[str] = []

    def setup(self) -> None:
        super().setup()
        self.plan = sorted(self.seats[0].hand)


@fault(beyond="what is reckoned from hidden things may be meant for all")
class FieldTellsPoints(CrazyEights, kw_only=True):
    """A field that all see holds how many points each hand is worth."""

    worth: list[int] = []

    async def turn(self, seat: Holder) -> None:
        self.worth = [points(each) for each in self.seats]
        await super().turn(seat)


@fault(Law.LEAK)
class OptionsShowTheNextHand(CrazyEights):
    """Among the greyed options are the cards of another hand."""

    def choices(self, seat: Holder) -> list[Action]:
        other = self.seats[(seat.number + 1) % len(self.seats)]
        return [*super().choices(seat), *map(Play, other.hand)]


@fault(Law.LEAK)
class OrderOfOptionsTells(CrazyEights):
    """Options come in another order where the next card would match."""

    def choices(self, seat: Holder) -> list[Action]:
        options = super().choices(seat)
        return options[::-1] if self.stock and self.follows(self.stock[-1]) else options


@fault(Law.LEAK, Law.REFUSING)
class ReasonTellsTheNextCard(CrazyEights):
    """The reason against a card is another where the next card would match."""

    def refuse(self, seat: Holder, action: Action) -> No:
        why = super().refuse(seat, action)
        top = self.stock[-1] if self.stock else None
        return Why.MUST_PLAY if is_for(Why.NO_MATCH, why) and top and self.follows(top) else why


# -- order, ends and dead ends ----------------------------------------------------------


@fault(beyond="it is another rule, and breaks no law")
class AnEightGoesAgain(CrazyEights):
    """Whoever plays an eight has another turn at once."""

    async def turn(self, seat: Holder) -> None:
        await super().turn(seat)
        if self.pile[-1].rank == "8" and seat.hand:
            await super().turn(seat)


@fault(Law.DEAD_END)
class NobodyPasses(CrazyEights):
    """Who can neither play nor draw is asked all the same."""

    async def turn(self, seat: Holder) -> None:
        if self.options.draw == "automatic":
            self.draw_until_playable(seat)
        match await self.ask(seat, "Play {fitting}.", self.choices(seat), fitting=self.fitting):
            case Draw():
                self.draw(seat)
            case Play(card):
                await self.lay(seat, card, is_new=False)


@fault(Law.ENDLESS)
class AllPassForEver(CrazyEights):
    """Nothing ends the game when all have passed."""

    @property
    def all_passed(self) -> bool:
        return False


@fault(Law.ENDLESS, Law.CRASH)
class LooksForEver(CrazyEights):
    """A loop that waits for a card which the stock does not have any more."""

    def draw_until_playable(self, seat: Holder) -> bool:
        while not self.playable(seat):
            if self.stock:
                self.draw(seat)
        return False


@fault(Law.CRASH, quick=True)
class ForgetsTheLastPlace(CrazyEights):
    """Who comes last has no place."""

    def scored(self) -> Ranking:
        ranking = super().scored()
        return Ranking(ranking.places[:-1] or [[0]], ranking.scores)


@fault(Law.CRASH, quick=True)
class ForgetsToReturn(CrazyEights):
    """A stage ends with nothing."""

    async def play(self) -> Any:
        await self.turn(self.seats[0])


@fault(Law.CRASH, quick=True)
class ForgetsToAwait(CrazyEights):
    """A procedure that asks is called without `await`."""

    async def play(self) -> Any:
        for seat in self.round():
            self.turn(seat)  # type: ignore[unused-coroutine]
        return self.scored()


# -- what is kept -------------------------------------------------------------------------


@fault(Law.PROCESS, quick=True)
class DealsFromASet(CrazyEights):
    """Cards are dealt in the order of a set."""

    def setup(self) -> None:
        super().setup()
        for seat in self.seats:
            held = set(seat.hand)
            seat.hand = type(seat.hand)(held)


@fault(Law.OUTSIDE, quick=True)
class RemembersOutsideItsFields(CrazyEights):
    """Who led is remembered where nothing is saved."""

    async def turn(self, seat: Holder) -> None:
        self.leader = seat.number
        await super().turn(seat)


TURNS = count()


@fault(Law.SAVING, Law.PROCESS, Law.LEAK, quick=True)  # what differs in two worlds may tell what is hidden
class CountsInTheModule(CrazyEights):
    """Turns are counted in the module and not in the game."""

    async def turn(self, seat: Holder) -> None:
        if next(TURNS) % 3 == 0:
            self.log("{seat} thinks about it.", seat=seat)
            self.passes = []
        await super().turn(seat)


@fault(Law.CRASH, quick=True)
class KeepsAFunction(CrazyEights, kw_only=True):
    """A field holds what cannot be written."""

    scorer: Any = None

    async def lay(self, seat: Holder, card: Card, is_new: bool) -> None:
        await super().lay(seat, card, is_new)
        self.scorer = points


@fault(Law.SAVING)
class KeepsATuple(CrazyEights, kw_only=True):
    """A field holds numbers as keys of a dict, and has not said so."""

    seen: dict[Any, int] = {}

    async def lay(self, seat: Holder, card: Card, is_new: bool) -> None:
        self.seen[seat.number] = self.seen.get(seat.number, 0) + 1
        await super().lay(seat, card, is_new)


@fault(Law.SIZE, quick=True)
class KeepsTooMuch(CrazyEights, kw_only=True):
    """A field grows by a page with each card."""

    diary: list[str] = []

    async def lay(self, seat: Holder, card: Card, is_new: bool) -> None:
        self.diary.append(f"{card} " * 5000)
        await super().lay(seat, card, is_new)


# -- refusing -------------------------------------------------------------------------------


@fault(Law.LOOKING, Law.REFUSING, Law.SAVING, quick=True)
class RefusingCounts(CrazyEights, kw_only=True):
    """To be asked whether a card may be played changes the game."""

    asked: int = 0

    def refuse(self, seat: Holder, action: Action) -> No:
        self.asked += 1
        return super().refuse(seat, action)


@fault(Law.REFUSING)
class BoardRefusesWhatIsAllowed(CrazyEights):
    """Judged by what a seat sees, the draw is refused: there, the top of the stock is None."""

    def refuse(self, seat: Holder, action: Action) -> No:
        if isinstance(action, Draw) and self.stock and self.stock[-1] is None:
            return Why.STOCK_EMPTY
        return super().refuse(seat, action)


@fault(Law.CRASH, Law.TELLING)
class ReasonLacksAWord(CrazyEights):
    """A reason whose sentence is not given what it names."""

    def refuse(self, seat: Holder, action: Action) -> Any:
        why = super().refuse(seat, action)
        return Short(Why.NOT_HELD) if is_for(Why.NOT_HELD, why) else why


class Short(Refused):
    @property
    def text(self) -> Text:
        return Text("You do not have the {card}.")


# -- rare things ------------------------------------------------------------------------------


@fault(Law.CRASH)
class FiveByHandBreak(CrazyEights):
    """With five players and drawing by hand a card is drawn that is not there."""

    def draw(self, seat: Holder) -> None:
        if len(self.seats) == 5 and self.options.draw == "by_hand" and len(self.stock) < 10:
            raise RuntimeError("no such card")
        super().draw(seat)


@fault(Law.CRASH)
class LastEightBreaks(CrazyEights):
    """Where an eight is the last card, its suit cannot be named."""

    async def lay(self, seat: Holder, card: Card, is_new: bool) -> None:
        await super().lay(seat, card, is_new)
        if card.rank == "8" and not seat.hand:
            self.suit = Suit("none")


@fault(Law.CRASH)
class EmptyChairCannotName(CrazyEights):
    """An empty chair passes even where it is to name a suit."""

    def absent(self, seat: Holder, offers: list[Action]) -> Action:
        return Pass()


@fault(Law.CRASH)
class LeavingInTheMiddleBreaks(CrazyEights):
    """To leave while a suit is to be named divides by nothing."""

    def leave(self, seat: Holder) -> None:
        if self.naming:
            self.suit = list(Suit)[1 // (not self.naming)]
        super().leave(seat)
