"""Messages to a thinking process, which hold what one seat has seen and no more, and its answers."""

from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.bots.search.sighting import Acts, ObservedStep, Sighting
from strifebarge.rules import Action, Game
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.notation import from_json, tag
from strifebarge.rules.schema import actions
from strifebarge.rules.validity import written

Written = bytes  # an action as JSON


class SeenStep(Struct, frozen=True):
    """A step of a sighting."""

    acts: list[tuple[int, Written | None]]
    view: bytes
    unseen: bool


class SightingData(Struct, frozen=True):
    """A sighting as plain data: its game by module and name, its actions as JSON."""

    module: str
    name: str
    seat: int
    stage: str
    start: bytes
    opened: bytes
    steps: list[SeenStep]
    waiting: list[int]
    offers: list[Written]
    classes: list[str]

    @classmethod
    def of(cls, sighting: Sighting) -> "SightingData":
        return cls(
            module=sighting.rules.__module__,
            name=sighting.rules.__qualname__,
            seat=sighting.seat,
            stage=sighting.stage,
            start=sighting.start,
            opened=sighting.opened,
            steps=[SeenStep(_written(step.acts), step.view, step.unseen) for step in sighting.steps],
            waiting=[*sighting.waiting],
            offers=[written(action) for action in sighting.offers],
            classes=[tag(kind) for kind in sighting.classes],
        )

    def sighting(self) -> Sighting:
        """Return what the seat has seen.  Raises ImportError, AttributeError where its game is not there."""
        rules: type[Game[Any]] = getattr(import_module(self.module), self.name)
        kinds: tuple[type[Action], ...] = (*actions(rules), *FRAMEWORK)
        by_tag = {tag(kind): kind for kind in kinds}
        return Sighting(
            rules=rules,
            seat=self.seat,
            stage=self.stage,
            start=self.start,
            opened=self.opened,
            steps=tuple(ObservedStep(_read(step.acts, kinds), step.view, step.unseen) for step in self.steps),
            waiting=tuple(self.waiting),
            offers=tuple(_action(raw, kinds) for raw in self.offers),
            classes=tuple(by_tag[name] for name in self.classes),
        )


def _action(raw: Written, kinds: tuple[type[Action], ...]) -> Action:
    return from_json(msgspec.json.decode(raw), kinds)


def _written(acts: Acts) -> list[tuple[int, Written | None]]:
    return [(seat, None if action is None else written(action)) for seat, action in acts]


def _read(acts: list[tuple[int, Written | None]], kinds: tuple[type[Action], ...]) -> Acts:
    return tuple((seat, None if raw is None else _action(raw, kinds)) for seat, raw in acts)


class BotTask(Struct, frozen=True):
    """A choice to be made for one seat."""

    sighting: SightingData
    level: str
    seed: str  # a secret of this table and seat
    seconds: float  # after which thinking is cut off


class Answer(Struct, frozen=True, kw_only=True):
    """A choice that a thinking process has made, and what it rests on; or why it has made none."""

    move: str = ""  # the action, as people may type it
    error: str = ""
    worlds: int = 0  # imagined games that look just like what was seen
    playouts: int = 0
    cut: bool = False  # whether thinking was cut off by its time
    program: str = ""  # the program that has chosen, where it was another one

    @property
    def is_grounded(self) -> bool:
        """True if it rests on imagined games that passed the check, or on a program that plays the game."""
        return self.worlds > 0 or bool(self.program)


def encode(message: BotTask | Answer) -> bytes:
    """Return a message as bytes."""
    return msgspec.msgpack.encode(message)


def decode_task(data: bytes) -> BotTask:
    """Return the task that was sent.  Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(data, type=BotTask)


def decode_answer(data: bytes) -> Answer:
    """Return the answer that was sent.  Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(data, type=Answer)
