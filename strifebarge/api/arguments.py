"""Read the arguments of a call: exact types, and a fault of its own for each way to get them wrong."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
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


def one_of(values: Iterable[str | int], description: str | None = None) -> Meta:
    """Return what the hint of an argument says that takes one of a few values."""
    return Meta(description=description, extra_json_schema={"enum": [*values]})


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


def _number(written: str) -> int | float:
    """Return a number; one without a fraction is whole however it is written, as JSON Schema has it."""
    number = float(written)
    return int(number) if number.is_integer() else number


# Without the hook one float that is too large would make the whole body unreadable.
DECODER = msgspec.json.Decoder(float_hook=_number)


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
    arguments = arguments or {}
    for name, values in _enumerated(kind).items():
        if isinstance(value := arguments.get(name), str | int) and value not in values:
            right = ", ".join(repr(each) for each in values)
            raise faults.illegal(f"`{name}` must be one of {right}.")
    try:
        return msgspec.convert(arguments, kind, strict=strict)
    except msgspec.ValidationError as wrong:
        raise _fault_of(str(wrong)) from wrong


@cache
def _enumerated(kind: type[Struct]) -> dict[str, list[str | int]]:
    """Return the values of the arguments that take one of a few, as the schema lists them."""
    [schema], parts = msgspec.json.schema_components([kind], ref_template="{name}")
    result = {}
    for name, field in parts[schema["$ref"]].get("properties", {}).items():
        for either in field.get("anyOf", [field]):
            values = parts.get(either.get("$ref"), either).get("enum")
            if values:
                result[name] = values
    return result


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
