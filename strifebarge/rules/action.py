"""Actions: the things that a seat may do, and refusals: the reasons why it may not."""

import re
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

from msgspec import Struct, field

from strifebarge.rules.text import Text

if TYPE_CHECKING:
    from strifebarge.rules.chance import Chance


def snake(name: str) -> str:
    """Return the name of an action as it is written everywhere: `HoldFire` is `hold_fire`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Action(Struct, frozen=True, tag=snake, tag_field="do", forbid_unknown_fields=True):
    """Something a seat may do.  Its fields are the form, the call and the record."""

    label: ClassVar[str] = ""  # the words on its button, `Play {card}`; else its docstring
    for_bots: ClassVar[bool] = True  # whether bots think of it: not of offering a draw
    misread: ClassVar[dict[str, "Refusal"]] = {}  # a field's refusal of a value it cannot read

    @classmethod
    def sample(cls, game: Any, seat: Any, chance: "Chance") -> Self:
        """Return one well-formed action of this kind, for bots and random play.

        `game` is what `seat` sees.  Wanted where the class itself is an option.
        """
        raise NotImplementedError(f"{cls.__name__} is offered as a class and needs a sample")

    @property
    def words(self) -> Text:
        """This action as its button says it."""
        return Text(label_of(type(self)), {name: getattr(self, name) for name in self.__struct_fields__})


def label_of(kind: type[Action]) -> str:
    """Return the words on the buttons of a kind of action, with a hole for each field."""
    if kind.label:
        return kind.label
    title = (kind.__doc__ or kind.__name__).strip().splitlines()[0].rstrip(".")
    holes = " ".join(f"{{{name}}}" for name in kind.__struct_fields__)
    return f"{title}: {holes}" if holes else title


class Undo(Action):
    """Take back the last move."""


class Leave(Action):
    """Leave the game for good."""


class Late(Action):
    """Let the time run out: for this question, or for good."""

    out: bool = False


class CallDraw(Action):
    """Call it a draw, since somebody stays away."""


# In ledgers, beside a game's own actions.
FRAMEWORK: tuple[type[Action], ...] = (Undo, Leave, Late, CallDraw)


class Refusal(Enum):
    """Reasons to refuse: the name is the token, the value its sentence.

    A number after the sentence is its code, by which programs know it too.
    Called with arguments a reason fills the holes of its sentence:
    `return Why.WRONG_SALVO(ships=2)`.
    """

    def __init__(self, sentence: str, number: int | None = None):
        self.sentence = sentence
        self.number = number

    def __call__(self, **args: Any) -> "Refused":
        return Refused(self, **args)

    @property
    def token(self) -> str:
        """`eights.no_match`: the game's folder and the name."""
        return f"{self.__module__.split('.')[-2]}.{self.name.lower()}"


class Standard(Refusal):
    """The refusals that every game shares."""

    GAME_OVER = "The game is over."
    NOT_YOUR_TURN = "It's not your turn.", 901
    NOT_OFFERED = "You can't do that now. Choose one of the moves on offer."
    MALFORMED = "That isn't a move in this game: {problem}."
    STALE = "The game has moved on. Look at the new position and choose again."
    NOTHING_TO_UNDO = "There's nothing you can undo."
    NO_SUCH_SEAT = "This table has no such seat."
    TOO_LATE = "Too late: your time had run out."

    @property
    def token(self) -> str:
        return f"game.{self.name.lower()}"


class Refused(Exception):
    """An action was refused; nothing has changed.

    Carries `why` (the Refusal), its `token`, and its `text` to be told.
    """

    def __init__(self, why: Refusal, **args: Any):
        super().__init__(why.token)
        self.why = why
        self.args_told = args

    @property
    def token(self) -> str:
        return self.why.token

    @property
    def text(self) -> Text:
        return Text(self.why.sentence, self.args_told)


No = Refusal | Refused | None  # what `refuse` answers: a reason against it, or None where there is none
