"""Playing for a side that does not answer: the action that costs it least."""

from strifebarge.rules import Action

from .actions import Auto, Done, EndTurn, Fire, Hit, Lose, Pass, Play, Ready, Stop
from .fleet import DECK, Craft, League
from .waters import Waters


class Absence(Waters):
    """The answers of an empty chair, and the end for a side whose time has run out."""

    def absent(self, side: League, offers: list[Action]) -> Action:
        return min(offers, key=lambda action: self.cost(side, action))

    def cost(self, side: League, action: Action) -> tuple[int, ...]:
        """Return what an action costs its side; an empty chair does the cheapest, of equal ones the first."""
        match action:
            case Auto():
                return (0,)
            case EndTurn() | Done() | Stop() | Pass() | Ready():
                return (1,)
            case Play(card):
                return 2, DECK[card].points, card
            case Lose(token) | Hit(token):
                block = side.block(token)
                return 3, block.craft is Craft.FLAGSHIP, -block.strength, token
            case Fire():
                return (4,)
        return (5,)

    def out_of_time(self, side: League) -> None:
        """End the game without a result."""
        self.log("{seat:You have| has} no time left.", seat=side)
        self.nobody("A side had no time left.")
