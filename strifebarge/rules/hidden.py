"""Things that only some seats may see."""

from collections.abc import Iterable, Iterator, MutableSequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from msgspec import field

from strifebarge.rules.text import PACKERS, pack

if TYPE_CHECKING:
    from strifebarge.rules.game import Seat

T = TypeVar("T")
EVERYONE = None


class NothingFits(LookupError):
    """Nothing was found that may lie in the hidden places of a view."""


class Hidden(MutableSequence[T], Generic[T]):
    """A list that everyone may count but not everyone may read.

    In a seat's keeping that seat reads it (a hand); in the game's keeping,
    nobody (a deck).  What a viewer may not read is None: draw its back.
    """

    # Not a subclass of list: msgspec encodes those by itself, secrets and all.

    def __init__(self, items: Iterable[T] = (), readers: Iterable[Iterable[int | None]] = ()):
        self.items: list[T] = list(items)
        self.readers: list[set[int | None]] = [set(seats) for seats in readers] or [set() for _ in self.items]

    def draw(self, count: int = 1) -> list[T]:
        """Take up to `count` things off the top (the end)."""
        return [self.pop() for _ in range(min(count, len(self)))]

    def show(self, item: T, *seats: "Seat") -> None:
        """Show one thing to some seats, or to everyone, while it lies here.

        Raises ValueError if it is not there.
        """
        self.readers[self.items.index(item)] |= {seat.number for seat in seats} or {EVERYONE}

    @property
    def visible(self) -> list[T]:
        """The things that a view shows: those in whose place is not None."""
        return [item for item in self.items if item is not None]

    def fill(self, things: list[T]) -> None:
        """Put things, off the end of a list and as far as they go, where None stands in a view."""
        self.items = [things.pop() if item is None and things else item for item in self.items]

    @property
    def content(self) -> list[T]:
        return self.items

    def visible_to(self, viewer: int | None, keeper: int | None) -> list[T | None]:
        """Return what `viewer` (a seat, or None for a spectator) reads of it in `keeper`'s keeping."""
        is_keeper = viewer is not None and viewer == keeper
        return [
            item if is_keeper or readers & {viewer, EVERYONE} else None
            for item, readers in zip(self.items, self.readers, strict=True)
        ]

    def unseen(self, viewer: int | None, keeper: int | None) -> Iterator[T]:
        """Yield the things in it that `viewer` may not read."""
        if viewer is None or viewer != keeper:
            for item, readers in zip(self.items, self.readers, strict=True):
                if not readers & {viewer, EVERYONE}:
                    yield item

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    @overload
    def __getitem__(self, i: int) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> list[T]: ...
    def __getitem__(self, i: Any) -> Any:
        return self.items[i]

    def __setitem__(self, i: Any, item: Any) -> None:
        if isinstance(i, slice):
            raise TypeError("hidden things are put back one at a time")
        self.items[i], self.readers[i] = item, set()

    def __delitem__(self, i: int | slice) -> None:
        del self.items[i], self.readers[i]

    def insert(self, i: int, item: T) -> None:
        self.items.insert(i, item)
        self.readers.insert(i, set())

    def __repr__(self) -> str:
        return f"Hidden({self.items!r})"


class Secret(Generic[T]):
    """A single thing that not everyone may read; what you may not read is None."""

    def __init__(self, value: T, *seats: "Seat", readers: Iterable[int | None] = ()):
        self.value = value
        self.readers: set[int | None] = {*readers, *(seat.number for seat in seats)}

    @property
    def visible(self) -> list[T]:
        """The thing, if a view shows it: a list of one or none."""
        return [] if self.value is None else [self.value]

    def fill(self, things: list[T]) -> None:
        """Put the last thing of a list here, if there is one, where None stands in a view."""
        if self.value is None and things:
            self.value = things.pop()

    @property
    def content(self) -> T:
        return self.value

    def show(self, *seats: "Seat") -> None:
        """Show it to some seats, or to everyone."""
        self.readers |= {seat.number for seat in seats} or {EVERYONE}

    def hide(self) -> None:
        """Hide it again, from all but the seat that keeps it."""
        self.readers = set()

    def visible_to(self, viewer: int | None, keeper: int | None) -> T | None:
        is_keeper = viewer is not None and viewer == keeper
        return self.value if is_keeper or self.readers & {viewer, EVERYONE} else None

    def unseen(self, viewer: int | None, keeper: int | None) -> Iterator[T]:
        """Yield the thing, if `viewer` may not read it."""
        if not (self.readers & {viewer, EVERYONE} or (viewer is not None and viewer == keeper)):
            yield self.value

    def __repr__(self) -> str:
        return f"Secret({self.value!r})"


def _packed(secret: Secret[Any]) -> dict[str, Any]:
    readers = sorted(secret.readers, key=lambda seat: -1 if seat is None else seat)
    return {"secret": pack(secret.value), "known": readers}


PACKERS[Secret] = _packed


def hidden() -> Any:
    """Return the default of a hidden field: an empty Hidden."""
    return field(default_factory=Hidden)
