"""Read the arguments of a call: exact types, and a fault of its own for each way to get them wrong."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from strifebarge.api import faults

T = TypeVar("T", bound=Struct)

DEEPEST = 24  # lists and objects within each other
LARGEST = 2**53 - 1  # of a whole number: what every language's JSON can carry

ActKey = Annotated[
    str,
    Meta(
        pattern=r"^[0-9A-Za-z._-]{16,64}$",
        description="An idempotency key that you make up for each act: a call sent again with the same key "
        "and the same content is done once, and gets the same answer.",
    ),
]
Code = Annotated[str, Meta(min_length=1, max_length=40, description="A table's code, as in its address.")]
Short = Annotated[str, Meta(max_length=200)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Number = Annotated[int, Meta(ge=0, le=LARGEST)]


class Arguments(Struct, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a verb that changes nothing."""


class AtTable(Arguments, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a verb at a table."""

    table: Code


class Write(Arguments, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a verb that changes something."""

    key: ActKey


class WriteAtTable(Write, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a verb that changes something at a table."""

    table: Code


class FromSeat(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a verb that somebody with several seats says for one of them."""

    seat: SeatNumber | None = None


# Without the hook one float that is too large would make the whole body unreadable.
DECODER = msgspec.json.Decoder(float_hook=float)


def decoded(body: bytes) -> Any:
    """Return what a body says in JSON, tidy or not.  Raises Fault."""
    try:
        value = DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise faults.not_json(str(wrong)[:200]) from wrong
    except RecursionError as wrong:
        raise faults.not_json("it is too deep") from wrong
    if len([*islice(_levels(value), DEEPEST + 1)]) > DEEPEST:
        raise faults.not_json("it is too deep")
    return value


def must_be_tidy(value: Any) -> None:
    """Raise Fault for what nobody can keep: a zero character, a number beyond 53 bits."""
    for each in chain.from_iterable(_levels(value)):
        match each:
            case str() if "\0" in each:
                raise faults.illegal("A text contains a null character.")
            case bool() | None:
                pass
            case int() | float() if not -LARGEST <= each <= LARGEST:
                raise faults.illegal("A number is too large.")


def _levels(value: Any) -> Iterator[list[Any]]:
    """Yield what a value holds, one level after the other; the first one is the value itself."""
    level = [value]
    while level:
        yield level
        level = [each for item in level for each in _held_by(item)]


def _held_by(value: Any) -> list[Any]:
    """Return what a list or an object holds, with the names in the object."""
    match value:
        case dict():
            return [*value.keys(), *value.values()]
        case list():
            return value
    return []


def parsed(kind: type[T], arguments: Mapping[str, Any] | list[Any] | None, strict: bool = True) -> T:
    """Return the arguments of a call, by name or in their order; where not `strict`, from strings too.

    Raises Fault.
    """
    if isinstance(arguments, list):
        names = positional(kind)
        if len(arguments) > len(names):
            message = f"There are more than {len(names)} arguments: {', '.join(names)}."
            raise faults.missing(message if names else "This verb takes no arguments.")
        arguments = dict(zip(names, arguments, strict=False))
    try:
        return msgspec.convert(arguments or {}, kind, strict=strict)
    except msgspec.ValidationError as wrong:
        raise _fault_of(str(wrong)) from wrong


def positional(kind: type[Struct]) -> list[str]:
    """Return the names of arguments in their order: the table first, the key last."""
    names = [name for name in kind.__struct_fields__ if name not in ("table", "key", "seat")]
    first = [name for name in ("table",) if name in kind.__struct_fields__]
    last = [name for name in ("seat", "key") if name in kind.__struct_fields__]
    return [*first, *names, *last]


def _fault_of(problem: str) -> faults.CallFault:
    """Return the fault for what msgspec says is wrong."""
    message = re.sub(r" - at `\$\.?([^`]*)`$", r", in `\1`", problem)[:300] + "."
    if "missing required field" in problem or "unknown field" in problem:
        return faults.missing(message)
    if ", got `" in problem:
        return faults.mistyped(message)
    return faults.illegal(message)
