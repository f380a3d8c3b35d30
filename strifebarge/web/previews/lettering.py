"""The letters of pictures: which characters the site's own font has, and how wide they are."""

from array import array
from functools import lru_cache
from pathlib import Path
from struct import unpack_from
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "fonts"
REGULAR, BOLD = FOLDER / "DejaVuSans.ttf", FOLDER / "DejaVuSans-Bold.ttf"
FAMILY = "DejaVu Sans"
UNICODE = (3, 10)  # the table of a font that has all its characters, those beyond 65,535 too
NONE = 0xFFFF  # the width of a character that a font does not have
ELLIPSIS = "…"


class Font(NamedTuple):
    """The widths of a font's characters, in units of which its size has `em`; NONE where it has none."""

    em: int
    widths: "array[int]"  # by the number of the character: a fifth of the memory of a dictionary

    def has(self, character: str) -> bool:
        """Tell whether the font can show a character."""
        return self._width(character) != NONE

    def width(self, text: str, size: float) -> float:
        """Return the width of a text in pixels, at a size in pixels."""
        widths = map(self._width, text)
        return size * sum(0.6 if width == NONE else width / self.em for width in widths)

    def _width(self, character: str) -> int:
        return self.widths[ord(character)] if ord(character) < len(self.widths) else NONE


@lru_cache(2)
def font(bold: bool = False) -> Font:
    """Return what is known of a font; its file is read once."""
    return _measured((BOLD if bold else REGULAR).read_bytes())


def _measured(data: bytes) -> Font:
    """Return the width of each character, from the tables of a TrueType file."""
    tables = {
        data[at : at + 4]: unpack_from(">I", data, at + 8)[0]
        for at in range(12, 12 + 16 * unpack_from(">H", data, 4)[0], 16)
    }
    em = unpack_from(">H", data, tables[b"head"] + 18)[0]
    measured = unpack_from(">H", data, tables[b"hhea"] + 34)[0]  # glyphs; all others are as wide as the last
    advances = unpack_from(">" + "HH" * measured, data, tables[b"hmtx"])[::2]
    characters = _characters(data, tables[b"cmap"])
    widths = array("H", [NONE]) * (max(characters)[0] + 1)
    for character, glyph in characters:
        widths[character] = advances[min(glyph, measured - 1)]
    return Font(em, widths)


def _characters(data: bytes, cmap: int) -> list[tuple[int, int]]:
    """Return the number of the glyph of each character."""
    characters: list[tuple[int, int]] = []
    for index in range(unpack_from(">H", data, cmap + 2)[0]):
        platform, encoding, offset = unpack_from(">HHI", data, cmap + 4 + 8 * index)
        if (platform, encoding) == UNICODE:
            for group in range(unpack_from(">I", data, cmap + offset + 12)[0]):
                first, last, glyph = unpack_from(">III", data, cmap + offset + 16 + 12 * group)
                characters += [(first + more, glyph + more) for more in range(last - first + 1)]
    return characters


def readable(text: str, otherwise: str) -> str:
    """Return a text without the characters that the fonts do not have.

    Where they lack a letter or a figure that is `otherwise`: a name with gaps says less than none.
    """
    if any(each.isalnum() and not _is_written(each) for each in text):
        return otherwise
    return " ".join("".join(filter(_is_written, text)).split()) or otherwise


def _is_written(character: str) -> bool:
    return character.isprintable() and font().has(character) and font(bold=True).has(character)


def wrapped(text: str, width: float, size: float, bold: bool, most: int) -> list[str]:
    """Return a text in lines of a width in pixels, `most` at most; what does not fit is an ellipsis."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        line = words.pop(0)
        while words and font(bold).width(f"{line} {words[0]}", size) <= width:
            line += f" {words.pop(0)}"
        lines.append(line)
    if words:
        lines[-1] = f"{lines[-1]} {ELLIPSIS}"
    return [_shortened(line, width, size, bold) for line in lines]


def fit_text(
    text: str, width: float, sizes: tuple[float, ...], most: int, bold: bool = False
) -> tuple[float, list[str]]:
    """Return the first size in pixels at which a text fits whole, or else the last, and its lines."""
    for size in sizes:
        lines = wrapped(text, width, size, bold, most)
        if " ".join(lines) == " ".join(text.split()):
            break
    return size, lines


def _shortened(line: str, width: float, size: float, bold: bool) -> str:
    if font(bold).width(line, size) <= width:
        return line
    bare = line.removesuffix(f" {ELLIPSIS}")
    while bare and font(bold).width(bare + ELLIPSIS, size) > width:
        bare = bare[:-1]
    return bare.rstrip() + ELLIPSIS
