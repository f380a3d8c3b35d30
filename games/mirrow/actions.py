"""The actions of Strife on the Mirrow."""

from typing import Annotated

from msgspec import Meta

from strifebarge.rules import Action, Text

from .delta import Area, Gate
from .fleet import card_name

Token = Annotated[int, Meta(title="Block", ge=1, le=10)]
Card = Annotated[int, Meta(title="Card", ge=1, le=20)]


class Place(Action):
    """Place a block in an area."""

    block: Token
    area: Area

    label = "Block {block} to {area}"

    @property
    def goal(self) -> Area:
        return self.area


class Auto(Action):
    "Place the rest randomly."


class Ready(Action):
    """Finish placing: all your blocks are where you want them."""

    label = "Done"


class Play(Action):
    """Play a card of your hand in this round."""

    card: Card

    label = "Play {card}"

    @property
    def words(self) -> Text:
        return Text(self.label, {"card": card_name(self.card)})


class Turn(Action):
    """Open a sluice, or close it."""

    gate: Gate

    label = "Turn the sluice {gate}"


class Spy(Action):
    """Look at the enemy's blocks in an area."""

    area: Area

    label = "Look at {area}"


class Mend(Action):
    """Add a step to a block."""

    block: Token

    label = "Add a step to block {block}"


class Rebuild(Action):
    """Return an eliminated block to your home port, at strength 1."""

    block: Token

    label = "Rebuild block {block}"


class Lose(Action):
    """Take a step from one of your blocks."""

    block: Token

    label = "Block {block} loses a step"


class Activate(Action):
    """Spend an action point on an area: its blocks may move."""

    area: Area

    label = "Activate {area}"


class Sail(Action):
    """Move a block over a link."""

    block: Token
    to: Area

    label = "Block {block} to {to}"

    @property
    def goal(self) -> Area:
        return self.to


class Stop(Action):
    """End this block's move."""


class Done(Action):
    """Done moving here."""


class Pass(Action):
    """Nothing more."""


class EndTurn(Action):
    """End your turn."""


class Fight(Action):
    """Choose the battle to fight now."""

    area: Area

    label = "Fight at {area}"


class Fire(Action):
    """Fire with a block."""

    block: Token

    label = "Fire with block {block}"


class Retreat(Action):
    """Retreat with a block over a link."""

    block: Token
    to: Area

    label = "Block {block} retreats to {to}"

    @property
    def goal(self) -> Area:
        return self.to


class Hit(Action):
    """Take a hit with one of your strongest blocks."""

    block: Token

    label = "Block {block} takes the hit"
