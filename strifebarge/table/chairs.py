"""The chairs round a table: who sits there, alone or with others, and who would stand in."""

from collections.abc import Iterator

from msgspec import Struct

FLAGS = {
    "F": "Foxtrot",
    "G": "Golf",
    "J": "Juliett",
    "L": "Lima",
    "M": "Mike",
    "O": "Oscar",
    "S": "Sierra",
    "I": "India",
}  # signal flags that geometry alone tells apart; they name the seats
LETTERS = "".join(FLAGS)
BESIDE = 7  # so many may sit beside a seat's player


class Person(Struct):
    """Somebody at a chair, and what they are called there."""

    player: str
    name: str
    ready: bool = False
    gone: bool = False  # has had themselves erased


class Pin(Struct):
    """Four digits that are asked for before a seat's page is shown, where a device is passed round."""

    hash: str  # slow to reckon, as a password's: but there are only ten thousand
    wrong: int = 0  # tries in a row
    last: str = ""  # the form that was the last of them: the same once more is no other try
    rest: float = 0  # nobody may try before then
    ends: float | None = None  # somebody has said that it is forgotten: from then on there is none

    def holds(self, now: float) -> bool:
        return self.ends is None or now < self.ends


class Returning(Struct):
    """That whoever has lost their seat may have it back, by a code, once."""

    hash: str
    until: float


class Chair(Struct):
    """A seat: free, or its player's, and of those who play it with them."""

    seat: int
    player: str | None = None
    name: str = ""
    ready: bool = False
    left: bool = False  # its player left the game for good
    gone: bool = False  # its player has had themselves erased
    generation: int = 0  # raised whenever the seat changes hands, so that older links to it are dead
    sat: dict[str, str] = {}  # who has sat here while it was played, and what they were called
    beside: list[Person] = []  # those who play this seat together with its player
    substitute: Person | None = None  # who may take the seat when its player stays away
    pin: Pin | None = None
    returning: Returning | None = None
    returned: float | None = None  # when its player was last given it back, in another browser
    since: float | None = None  # since when the table waits for this seat
    asked: int | None = None  # the question it waits for
    skipped: int = 0  # how often in a row the game has played for it
    moved: bool = False  # its people have played in this game
    against: list[int] = []  # seats that would have it taken out of the game
    nudged: float | None = None  # when its player was last reminded here that the others wait

    @property
    def letter(self) -> str:
        return LETTERS[self.seat % len(LETTERS)]

    @property
    def guest(self) -> bool:
        """Who gave no name, or nobody."""
        return not self.name

    @property
    def called(self) -> str:
        """The name shown: its player's, or the guest name of its flag."""
        return self.name or f"Guest {FLAGS[self.letter]}"

    def locked(self, now: float) -> bool:
        """Whether its PIN must be known to see what it sees."""
        return self.pin is not None and self.pin.holds(now)

    @property
    def people(self) -> Iterator[tuple[str, str]]:
        """All who play this seat, with what they are called."""
        if self.player:
            yield self.player, self.called
        yield from ((each.player, each.name) for each in self.beside)

    @property
    def agreed(self) -> bool:
        """Whether all who play this seat are ready."""
        return self.ready and all(each.ready for each in self.beside)

    def has(self, player: str | None) -> bool:
        return player is not None and any(player == each for each, _ in self.people)

    def name_of(self, player: str) -> str:
        """What one of them is called."""
        return next((name for each, name in self.people if each == player), self.called)

    def is_ready(self, player: str) -> bool:
        """Whether one of them is."""
        for each in self.beside:
            if each.player == player:
                return each.ready
        return self.ready and self.player == player

    def agree(self, player: str, ready: bool) -> None:
        """One of them is ready, or no longer."""
        for each in self.beside:
            if each.player == player:
                each.ready = ready
        if self.player == player:
            self.ready = ready

    def unready(self) -> None:
        self.ready = False
        for each in self.beside:
            each.ready = False

    def give(self, player: str | None, name: str = "", ready: bool = False) -> None:
        """The seat is another's, or nobody's; those beside them stay."""
        self.player, self.name, self.ready, self.gone = player, name, ready, False
        self.generation += 1
        self.substitute, self.since, self.skipped, self.against = None, None, 0, []
        self.nudged, self.pin = None, None
        self.returning = None

    def empty(self) -> None:
        """Nobody's at all."""
        self.beside = []
        self.give(None)

    def go(self, player: str) -> None:
        """One of them goes; if it was the seat's own player, the next one is."""
        if self.player != player:
            self.beside = [each for each in self.beside if each.player != player]
        elif self.beside:
            first, *rest = self.beside
            self.give(first.player, first.name, first.ready)
            self.beside = rest
        else:
            self.give(None)

    def note(self) -> None:
        """Whoever sits here plays: the books will know."""
        self.sat.update(self.people)


# Letters of other scripts that nobody can tell from the Latin ones below them.
LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u0442\u0432\u043d"
    "\u03b1\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c7\u03c4\u0578\u057d\u0585\u0570\u0581\u0566",
    "aeopcyxijshdqwkmtbh" + "aopuvikxtnuohgq",
)


def same_name(name: str) -> str:
    """Names that look alike give the same."""
    return "".join(name.casefold().translate(LOOKALIKES).split())
