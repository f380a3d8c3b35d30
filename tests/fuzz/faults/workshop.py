"""Faults in a small game in which moves can be taken back."""

import random
from typing import Any

from strifebarge.fuzz.law import Law
from strifebarge.rules import Action, Game, Hidden, Ranking, Refusal, Seat, Text, hidden

from . import fault

TOOLS = ["hammer", "saw", "file", "tongs", "anvil", "plane", "chisel"]


class Why(Refusal):
    TIRED = "You have done enough."


class Build(Action):
    """Build something."""

    size: int

    label = "Build {size}"


class Rest(Action):
    """Rest, and let the next one build."""


class Colour(Action):
    """Paint it."""

    label = "Paint it {colour}"  # there is no such field


class Smith(Seat):
    built: list[int] = []
    tools: Hidden[str] = hidden()


class Workshop(Game[Smith]):
    """Build up to three things a turn; three turns each."""

    title = "Workshop"
    players = range(2, 4)

    rounds: int = 0

    def setup(self) -> None:
        for seat in self.seats:
            seat.tools = Hidden(self.chance.sample(TOOLS, 2))

    async def play(self) -> Any:
        self.rounds += 1
        for seat in self.round():
            await self.work(seat)
        return self.play if self.rounds < 3 else self.over()

    def over(self) -> Ranking:
        return self.ranking(lambda seat: sum(seat.built))

    async def work(self, seat: Smith) -> None:
        for _ in range(4):
            match await self.ask(seat, "Build or rest.", self.choices(seat)):
                case Build(size):
                    seat.built.append(size)
                    self.log("{seat} builds {size}.", seat=seat, size=size)
                case _:
                    return

    def choices(self, seat: Smith) -> list[Action]:
        return [Build(1), Build(2), Build(3), Rest()]

    def refuse(self, seat: Smith, action: Action) -> Why | None:
        if isinstance(action, Build) and len(seat.built) >= 3 * self.rounds:
            return Why.TIRED
        return None


@fault(Law.PROCESS)
class ToldFromASet(Workshop):
    """From the third thing on, what was built is told in the order of a set."""

    async def work(self, seat: Smith) -> None:
        await super().work(seat)
        if len(seat.built) > 2:
            self.log("{seat} has {things}.", seat=seat, things=list({*TOOLS}))


WORK: list[int] = []


@fault(Law.UNDOING, Law.SAVING, Law.LOOKING)
class TakesNothingBack(Workshop):
    """What is built is kept in the module too, and never taken back."""

    async def work(self, seat: Smith) -> None:
        WORK.clear()
        await super().work(seat)

    def choices(self, seat: Smith) -> list[Action]:
        WORK.append(len(seat.built))
        return [*super().choices(seat), *map(Build, range(4, 4 + len(WORK) % 5))]


@fault(Law.SAVING, Law.PROCESS, Law.LOOKING, quick=True)
class ThrowsItsOwnDice(Workshop):
    """Chance does not come from the game."""

    async def work(self, seat: Smith) -> None:
        seat.built.append(random.randrange(6))
        await super().work(seat)


@fault(Law.CRASH, Law.TELLING, quick=True)
class LabelLacksAField(Workshop):
    """A button names a field that the action does not have."""

    def choices(self, seat: Smith) -> list[Action]:
        return [*super().choices(seat), Colour()]


@fault(Law.LOOKING, quick=True)
class FileIsAnotherEachTime(Workshop):
    """The file for other programs is another one each time it is asked for."""

    def exports(self, names: list[str], occasion: Any = None) -> dict[str, str]:
        return {"txt": str(random.random())}


@fault(Law.TELLING, quick=True)
class StandingIsEmpty(Workshop):
    """What stands beside a name is nothing at all."""

    def standing(self, seat: Smith) -> Text:
        return Text("{words}", {"words": ""})


@fault(Law.LEAVING, Law.CRASH)
class NobodyMayLeave(Workshop):
    """To leave is refused, as a move might be."""

    def leave(self, seat: Smith) -> None:
        raise Why.TIRED()


@fault(Law.ENDING, Law.CRASH)
class LeftWithoutAWinner(Workshop):
    """When all but one have left, nobody has a place."""

    def leave(self, seat: Smith) -> None:
        self.eliminate(seat)
        if len(self.still_in) < 2:
            self.finish(Ranking([]))


@fault(Law.ENDLESS)
class RoundsNeverEnd(Workshop):
    """The last round is missed where somebody is out."""

    async def play(self) -> Any:
        self.rounds += 1
        for seat in self.still_in:
            await self.ask(seat, "Rest.", [Rest()])
        return self.over() if self.rounds == 3 and not self.out else self.play

    def leave(self, seat: Smith) -> None:
        self.eliminate(seat)


@fault(beyond="it is another rule, and breaks no law")
class LastGoesFirst(Workshop):
    """The order of play is turned round."""

    async def play(self) -> Any:
        self.rounds += 1
        for seat in reversed(list(self.round())):
            await self.work(seat)
        return self.play if self.rounds < 3 else self.over()


@fault(Law.CRASH)
class LastGoesFirstAndKnowsBetter(Workshop, kw_only=True):
    """The order of play is turned round, and an assertion of the game's own says so."""

    latest: int = -1

    async def play(self) -> Any:
        self.rounds, self.latest = self.rounds + 1, -1
        for seat in reversed(list(self.round())):
            assert seat.number > self.latest, "seats play in order"
            self.latest = seat.number
            await self.work(seat)
        return self.play if self.rounds < 3 else self.over()


@fault(Law.LEAK)
class ToolsAreCounted(Workshop):
    """Who has a hammer is told to all by the log."""

    async def work(self, seat: Smith) -> None:
        if "hammer" in seat.tools:
            self.log("There is hammering.")
        await super().work(seat)
