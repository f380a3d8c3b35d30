"""Cards: a picture of a game beside its name, its players and how it stands, as PNG.

A card is shown where somebody has sent a link.  All on it is drawn from what it is given, by the fonts that
the site brings, so the same card is the same bytes on every machine.
"""

from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from resvg_py import svg_to_bytes

from strifebarge.web.previews.drawn import colours
from strifebarge.web.previews.lettering import BOLD, FAMILY, REGULAR, fit_text

SITE = "StrifeBarge"
WIDE = (1200, 630)  # pixels, as link previews show it
SQUARE = (630, 630)
BESIDE, ROOM = 640, 520  # pixels from the left to the words beside a picture, and how wide they may be
LINE = 1.25  # heights of the letters from one line to the next
NAMES = 8  # lines of players that there is room for


class CardPlayer(NamedTuple):
    """A seat on a card: its flag, and what it is called."""

    flag: Element | None
    name: str


class PreviewCard(NamedTuple):
    """All that a card shows, as plain text; `pictures`: one, or four of several games."""

    pictures: list[Element]
    heading: str
    players: list[CardPlayer]
    standing: str = ""  # how it stands
    small: str = ""  # below that
    text: str = ""  # what the game is, where there are no players


class _Page:
    """A card while it is drawn."""

    def __init__(self, size: tuple[int, int]):
        width, height = size
        self.root = Element(
            "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", color=_colour("ink")
        )
        SubElement(self.root, "path", d=f"M0 0h{width}v{height}H0z", fill=_colour("paper"))

    def place(self, drawing: Element, x: float, y: float, size: float) -> None:
        """Put a drawing into a square."""
        drawing.attrib.update(x=f"{x:g}", y=f"{y:g}", width=f"{size:g}", height=f"{size:g}")
        self.root.append(drawing)

    def framed(self, pictures: list[Element], x: float, y: float, size: float) -> None:
        """Put one picture, or four, into a square with a frame."""
        across = 1 if len(pictures) < 4 else 2
        side = size / across
        for index, drawing in enumerate(pictures[: across * across]):
            left, top = x + index % across * side, y + index // across * side
            self.place(drawing, left, top, side)
            SubElement(
                self.root,
                "path",
                {"d": f"M{left:g} {top:g}h{side:g}v{side:g}h-{side:g}z", "stroke-width": "2"},
                fill="none",
                stroke=_colour("ctl"),
            )

    def write(
        self,
        lines: list[str],
        x: float,
        y: float,
        size: float,
        bold: bool = False,
        ink: str = "ink",
    ) -> float:
        """Write lines, the first of them on the height `y`; return the height of what comes after them."""
        for line in lines:
            element = SubElement(
                self.root,
                "text",
                {"font-family": FAMILY, "font-size": f"{size:g}", "font-weight": "700" if bold else "400"},
                x=f"{x:g}",
                y=f"{y:g}",
                fill=_colour(ink),
            )
            element.text = line
            y += size * LINE
        return y

    def png(self, size: tuple[int, int]) -> bytes:
        """Return the card as PNG."""
        return bytes(
            svg_to_bytes(
                svg_string=tostring(self.root, encoding="unicode"),
                width=size[0],
                height=size[1],
                skip_system_fonts=True,
                font_files=[str(REGULAR), str(BOLD)],
                font_family=FAMILY,
                serif_family=FAMILY,
                sans_serif_family=FAMILY,
            )
        )


def _wide(card: PreviewCard) -> _Page:
    """Return a card for link previews: the picture at the left, the words beside it."""
    page = _Page(WIDE)
    page.framed(card.pictures, 40, 40, 550)
    page.write([SITE], BESIDE, 76, 30, ink="navy")
    size, lines = fit_text(card.heading, ROOM, (56, 46, 38), 3, bold=True)
    below = page.write(lines, BESIDE, 96 + size, size, bold=True)
    size, lines = fit_text(card.text, ROOM, (30, 26, 22), 7)
    page.write(lines, BESIDE, below, size)
    size, lines = fit_text(card.standing, ROOM, (32, 26), 3, bold=True)
    top = 556 - size * LINE * (len(lines) - 1)
    _players(page, card.players[:NAMES], below - 32, top - 1.5 * size)
    page.write(lines, BESIDE, top, size, bold=True, ink="magenta")
    page.write([card.small], BESIDE, 590, 24, ink="ink2")
    return page


def _square(card: PreviewCard) -> _Page:
    """Return a card for services that show a square: the picture, and below it what it is."""
    page = _Page(SQUARE)
    page.framed(card.pictures, 75, 20, 480)
    size, lines = fit_text(card.heading, 590, (40, 32, 26), 1, bold=True)
    page.write(lines, 20, 549, size, bold=True)
    size, lines = fit_text(card.standing, 590, (26, 20), 1, bold=True)
    page.write(lines, 20, 594, size, bold=True, ink="magenta")
    return page


def _players(page: _Page, players: list[CardPlayer], top: float, bottom: float) -> None:
    """Write the names of the players, one below the other, in as large letters as there is room for."""
    step = min(52.0, (bottom - top) / max(len(players), 1))
    for index, player in enumerate(players):
        line, size = top + step * (index + 0.7), step * 0.62
        if player.flag is not None:
            page.place(player.flag, BESIDE, line - step * 0.58, step * 0.72)
        _, names = fit_text(player.name, ROOM - step, (size,), 1)
        page.write(names, BESIDE + step, line, size)


def drawn(card: PreviewCard, square: bool = False) -> bytes:
    """Return a card as PNG; the same bytes for the same card."""
    return _square(card).png(SQUARE) if square else _wide(card).png(WIDE)


def _colour(name: str) -> str:
    return colours()[name]
