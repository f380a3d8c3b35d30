"""The chairs round a table: who sits there, alone or with others, and who would stand in."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from strifebarge.tables.model.bots import BotPeriod, is_bot
from strifebarge.tables.model.player import public_id

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
GUEST = "Guest"  # the first word of a name that the site gives, with a flag after it
MOST_COPLAYERS = 7  # of a seat
REMEMBERED = 31 * 86400  # seconds for which it is kept that somebody has missed a deadline


def is_guest_name(name: str) -> bool:
    """Return whether a name is one that the site gives: by the flag of a guest's first seat."""
    first, _, rest = name.partition(" ")
    return first == GUEST and rest.partition(" ")[0] in FLAGS.values()


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
    lifted: str = ""  # the word by which somebody who has typed it is known, until they look no longer

    def holds(self, now: float) -> bool:
        return self.ends is None or now < self.ends


class SeatRecovery(Struct):
    """A lost seat that somebody may have back, by a code, once."""

    hash: str
    until: float


class Chair(Struct):
    """A seat: free, or held by a player and the coplayers beside them."""

    seat: int
    player: str | None = None
    name: str = ""
    ready: bool = False
    left: bool = False  # its player left the game for good
    gone: bool = False  # its player has had themselves erased
    generation: int = 0  # raised whenever the seat changes hands, so that older links to it are dead
    sat: dict[str, str] = {}  # who has sat here while it was played, and what they were called
    coplayers: list[Person] = []
    substitute: Person | None = None  # who may take the seat when its player stays away
    pin: Pin | None = None
    returning: SeatRecovery | None = None
    returned: float | None = None  # when its player was last given it back, in another browser
    since: float | None = None  # since when the table waits for this seat
    question: int | None = None  # the question it waits for
    skipped: int = 0  # how often in a row the game has played for it
    moved: bool = False  # its people have played in this game
    suspends: float | None = None  # when it proposed, or agreed, to suspend the game
    against: list[int] = []  # seats that would have it taken out of the game
    nudged: float | None = None  # when its player was last reminded here that the others wait
    missed: dict[str, list[float]] = {}  # the deadlines that each who has had it has let pass lately
    spells: list[BotPeriod] = []  # the times in which a bot played it

    @property
    def letter(self) -> str:
        return LETTERS[self.seat % len(LETTERS)]

    @property
    def guest(self) -> bool:
        """True for a guest who has chosen no name, and for a free seat."""
        return is_guest_name(self.called)

    @property
    def called(self) -> str:
        """The name shown: its player's; of a free seat the name that a guest would have in it."""
        return self.name or f"{GUEST} {FLAGS[self.letter]}"

    def locked(self, now: float) -> bool:
        """Return whether its PIN must be known to see what it sees."""
        return self.pin is not None and self.pin.holds(now)

    @property
    def people(self) -> Iterator[tuple[str, str]]:
        """All who play this seat, with what they are called."""
        if self.player:
            yield self.player, self.called
        for each in self.coplayers:
            yield each.player, each.name

    @property
    def public_ids(self) -> list[tuple[str, str]]:
        """The public ids, for hosts, of all who play this seat, with what they are called.

        Bots have none, and people who had themselves erased have none any more.
        """
        erased = {each.player for each in self.coplayers if each.gone} | (
            {self.player} if self.gone else set()
        )
        return [
            (public_id(player), name)
            for player, name in self.people
            if player not in erased and not is_bot(player)
        ]

    @property
    def players(self) -> list[str]:
        """The ids of all who play this seat."""
        own = [self.player] if self.player else []
        return [*own, *[each.player for each in self.coplayers]] if self.coplayers else own

    @property
    def holder(self) -> str:
        """A word for forms that stands for the people of the seat: another word once they change."""
        return _held(self.seat, self.generation, " ".join(self.players))

    @property
    def bot(self) -> str | None:
        """The bot that plays this seat: as its player, or standing in for its player; None for none."""
        if is_bot(self.player):
            return self.player
        return next(filter(is_bot, self.players), None) if self.coplayers else None

    @property
    def has_only_bots(self) -> bool:
        """True if bots have this seat, and no person with them."""
        return self.player is not None and all(map(is_bot, self.players))

    @property
    def agreed(self) -> bool:
        """True if all who play this seat are ready; a bot agrees to everything at once."""
        return self.bot is not None or self.agreed_in_person

    @property
    def agreed_in_person(self) -> bool:
        """True if all who play this seat are ready, but for bots; a bot alone agrees to everything."""
        if not self.coplayers:
            return self.ready or is_bot(self.player)
        people = [(self.player, self.ready), *((each.player, each.ready) for each in self.coplayers)]
        return all(ready for player, ready in people if not is_bot(player))

    def has(self, player: str | None) -> bool:
        if player is None:
            return False
        return player == self.player or any(each.player == player for each in self.coplayers)

    def name_of(self, player: str) -> str:
        """Return what one of its people is called."""
        return next((name for each, name in self.people if each == player), self.called)

    def is_ready(self, player: str) -> bool:
        """Return whether one of its people is ready."""
        for each in self.coplayers:
            if each.player == player:
                return each.ready
        return self.ready and self.player == player

    def agree(self, player: str, ready: bool) -> None:
        """Note that one of its people is ready, or no longer."""
        for each in self.coplayers:
            if each.player == player:
                each.ready = ready
        if self.player == player:
            self.ready = ready

    def unready(self) -> None:
        self.ready = False
        for each in self.coplayers:
            each.ready = False

    def give(self, player: str | None, name: str = "", ready: bool = False) -> None:
        """Give the seat to another player, or to nobody; co-players stay."""
        self.player, self.name, self.ready, self.gone = player, name, ready, False
        self.generation += 1
        self.substitute, self.since, self.skipped, self.against = None, None, 0, []
        self.nudged, self.pin = None, None
        self.suspends, self.returning = None, None

    def empty(self) -> None:
        """Clear the seat, of co-players too."""
        self.coplayers = []
        self.give(None)

    def go(self, player: str) -> None:
        """Let one of its people go; if it was its own player a co-player takes the seat, or else a bot."""
        if self.player != player:
            self.coplayers = [each for each in self.coplayers if each.player != player]
        elif self.coplayers:
            first, *rest = sorted(self.coplayers, key=lambda each: is_bot(each.player))
            self.give(first.player, first.name, first.ready)
            self.coplayers = rest
        else:
            self.give(None)

    def note(self) -> None:
        """Note for the results that the people in this seat have played."""
        self.sat.update(self.people)

    def take_bot(self, bot: str, name: str, number: int) -> None:
        """Let a bot play this seat after move `number`: as its player, or standing in for its player."""
        if self.player is None:
            self.give(bot, name, ready=True)
        else:
            self.coplayers.append(Person(bot, name, ready=True))
        self.spells.append(BotPeriod(bot, number))

    def let_bot_go(self, number: int) -> None:
        """Let a bot that stands in for its player stand in no longer, after move `number`."""
        for spell in self.spells:
            spell.until = number if spell.until is None else spell.until
        self.coplayers = [each for each in self.coplayers if not is_bot(each.player)]

    def note_move(self) -> None:
        """Note that the people in this seat have moved, and so keep nobody waiting."""
        self.skipped, self.moved, self.against = 0, True, []

    def miss(self, at: float) -> None:
        """Note that the people now in this seat have let a deadline pass, at `at`."""
        for player in self.players:
            lately = [each for each in self.missed.get(player, []) if at - each < REMEMBERED]
            self.missed[player] = [*lately, at]


@lru_cache(4096)  # a page asks for that of every seat
def _held(seat: int, generation: int, players: str) -> str:
    return sha256(f"chair {seat} {generation} {players}".encode()).hexdigest()[:16]
