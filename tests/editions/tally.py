"""Tally, a small game of two stages, in the versions that its author has put on the site."""

RULES = '''"""Tally: count in turn."""

from typing import Any

from strifebarge.rules import Action, Game, Hidden, Refusal, Seat, hidden


class Why(Refusal):
    TOO_MUCH = "That is too much."


class Count(Action):
    """Count on."""

    by: int

    label = "Count {by} on"


class Counter(Seat):
    counted: int = 0
    card: Hidden[int] = hidden()


class Tally(Game[Counter]):
    """Count in turn, three rounds, then three rounds more."""

    title = "Tally"
    players = range(2, 4)
    version = 1

    total: int = 0
    rounds: int = 0

    def setup(self) -> None:
        for seat in self.seats:
            seat.card = Hidden([self.chance.die()])

    async def play(self) -> Any:
        """The first three rounds."""
        for _ in range(3):
            await self.once_round()
        return self.second

    async def second(self) -> Any:
        """Three more."""
        for _ in range(3):
            await self.once_round()
        return self.ranking(lambda seat: seat.counted)

    async def once_round(self) -> None:
        for seat in self.round():
            options = [Count(1), Count(2), Count(3)]
            counted = await self.ask(seat, "Count on from {total}.", options, total=self.total)
            seat.counted += counted.by
            self.total += counted.by
            self.log("{seat} counts to {total}.", seat=seat, total=self.total)
        self.rounds += 1

    def refuse(self, seat: Counter, action: Action) -> Why | None:
        return None
'''

ONE = RULES
# Nothing that a position shows:
WORDS = RULES.replace("Count on from {total}.", "Count further than {total}.")
SECOND_STAGE = RULES.replace('"""Three more."""', '"""Three more."""\n        self.total = 100')
DOUBLE = RULES.replace("self.total += counted.by", "self.total += 2 * counted.by")
STRICT = RULES.replace("        return None\n", "        return Why.TOO_MUCH if action.by == 3 else None\n")
ONLY_ONES = RULES.replace("Count(1), Count(2), Count(3)", "Count(1)")
FEWEST = RULES.replace("self.ranking(lambda seat: seat.counted)", "self.ranking(lambda seat: -seat.counted)")
ALL_AT_ONCE = (
    """for seat, counted in (await self.ask_all("Count on.", [Count(1), Count(2), Count(3)])).items():"""
)
TOGETHER = RULES.replace("for seat in self.round():", ALL_AT_ONCE).replace(
    """            options = [Count(1), Count(2), Count(3)]
            counted = await self.ask(seat, "Count on from {total}.", options, total=self.total)
""",
    "",
)
TOGETHER_NO_THREE = TOGETHER.replace("Count(2), Count(3)", "Count(2)")
ANOTHER_START = DOUBLE.replace("total: int = 0", "total: int = 50")


def version(rules: str, number: int) -> str:
    return rules.replace("version = 1", f"version = {number}")
