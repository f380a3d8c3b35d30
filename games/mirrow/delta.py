"""The delta of Mirrow: thirteen areas, twenty-six links, four sluices."""

from enum import StrEnum
from typing import NamedTuple, Self

from strifebarge.rules import Text

HERON, OTTER = 0, 1


class Area(StrEnum):
    """A place on the chart; also read from its number or in any letter case."""

    HERONHITHE = "Heronhithe"
    ALDER = "Alder Reach"
    BITTERN = "Bittern"
    COLD = "Cold Basin"
    DUNMOUTH = "Dunmouth"
    EEL = "Eel Fen"
    MIRROW = "Mirrow"
    FALLOW = "Fallow Fen"
    GANNET = "Gannet"
    HOLLOW = "Hollow Basin"
    IVEL = "Ivel"
    JUNIPER = "Juniper Reach"
    OTTERHOLM = "Otterholm"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        word = str(value).casefold()
        return next((each for each in cls if word in (each.value.casefold(), str(each.id))), None)

    @property
    def id(self) -> int:
        """Its number, 0 to 12; half a turn of the chart sends area n to area 12 - n."""
        return IDS[self]

    @property
    def text(self) -> Text:
        return Text(str(self))

    @property
    def worth(self) -> int:
        """The victory points it counts for in control; 0: open water."""
        return WORTH.get(self, 0)


IDS = {area: number for number, area in enumerate(Area)}
AREAS = tuple(Area)
WORTH = {
    Area.HERONHITHE: 2,
    Area.BITTERN: 1,
    Area.DUNMOUTH: 1,
    Area.MIRROW: 3,
    Area.GANNET: 1,
    Area.IVEL: 1,
    Area.OTTERHOLM: 2,
}
HOMES = Area.HERONHITHE, Area.OTTERHOLM  # by side


class Kind(StrEnum):
    """The kind of a link, which limits how many blocks it carries in a turn."""

    CHANNEL, CUT, SLUICE = "channel", "cut", "sluice"

    @property
    def text(self) -> Text:
        return Text(str(self))


LIMITS = {Kind.CHANNEL: 3, Kind.CUT: 1, Kind.SLUICE: 2}


class Link(NamedTuple):
    """A waterway between two areas."""

    a: Area
    b: Area
    kind: Kind

    @property
    def limit(self) -> int:
        """How many blocks it carries in a turn, both ways together; a sluice only while it is open."""
        return LIMITS[self.kind]

    @property
    def name(self) -> str:
        """Its ends by number, and between them a sign for its kind: `3#6`."""
        return f"{self.a.id}{SIGNS[self.kind]}{self.b.id}"

    def beyond(self, area: Area) -> Area:
        """Return its other end."""
        return self.b if area == self.a else self.a


SIGNS = {Kind.CHANNEL: "=", Kind.CUT: "-", Kind.SLUICE: "#"}
NAMED = (
    "0=1 0=2 0=3 1=6 1-2 1-3 2=5 2#8 3=4 3-7 3#6 4-7 4#10 "
    "5-6 5-8 5-9 6=11 6-7 6#9 7=10 8=9 9=12 9-11 10=12 10-11 11=12"
)


def _link(name: str) -> Link:
    sign = next(sign for sign in SIGNS.values() if sign in name)
    kind = next(kind for kind, each in SIGNS.items() if each == sign)
    a, b = (AREAS[int(number)] for number in name.split(sign))
    return Link(a, b, kind)


LINKS = {name: _link(name) for name in NAMED.split()}
FROM = {area: [link for link in LINKS.values() if area in (link.a, link.b)] for area in Area}


def link_between(a: Area, b: Area) -> Link | None:
    """Return the link between two areas, or None."""
    return next((link for link in FROM[a] if link.beyond(a) == b), None)


class Gate(StrEnum):
    """A sluice, by the numbers of its ends."""

    BITTERN_GANNET = "2#8"
    COLD_MIRROW = "3#6"
    DUNMOUTH_IVEL = "4#10"
    MIRROW_HOLLOW = "6#9"

    @property
    def link(self) -> Link:
        return LINKS[str(self)]

    @property
    def text(self) -> Text:
        return Text("{a} – {b}", {"a": self.link.a, "b": self.link.b})
