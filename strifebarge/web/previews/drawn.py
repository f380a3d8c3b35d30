"""Drawings that need no style sheet and no other file, as a picture in a file has to be.

Pages colour their drawings by variables of `site.css`, and take them from the sprite.  Here a drawing gets
the colours of the day, and a copy of each drawing that it uses.
"""

import re
from collections.abc import Mapping
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from strifebarge.tables.library.drawings import SHAPES
from strifebarge.web.render.assets import STATIC

SVG = "{http://www.w3.org/2000/svg}"
TAGS = (SHAPES | {"svg"}) - {"clipPath", "desc", "mask", "pattern", "title"}  # what takes long is left out
MOST_BYTES = 128 * 1024  # of one drawing, as its template writes it
MOST_PARTS = 3000  # elements of one drawing, those that it uses included
DEEPEST = 24  # elements in each other
VARIABLE = re.compile(r"var\(--([\w-]+)\)")
SETTING = re.compile(r"--([\w-]+):\s*([^;}]+)")
PAINTED = re.compile(r"\.picture (?:\.(light|dark)) \{([^}]*)\}|\.picture\.(emblem) \{([^}]*)\}")
DASHES = re.compile(r"[1-9]\d*(?:[ ,]+[1-9]\d*)*")  # shorter ones may be millions
LONGEST_DASHED = 300  # characters of a path that has dashes, with no number of five digits or more
DROPPED = {"class", "style", "focusable", "opacity", "clip-path", "mask", "filter"}

Colours = Mapping[str, str]


class CannotBeDrawn(ValueError):
    """Raised for a drawing that a picture cannot hold."""


@cache
def colours() -> Colours:
    """Return the colours of the day, by their names in `site.css`."""
    css = (STATIC / "site.css").read_text(encoding="utf-8")
    first = css[css.index(":root {") : css.index("}", css.index(":root {"))]
    return {name: value.strip() for name, value in SETTING.findall(first) if value.strip().startswith("#")}


@cache
def paints() -> Mapping[str, Colours]:
    """Return the colours that a class gives to pieces, and to an emblem."""
    css = (STATIC / "site.css").read_text(encoding="utf-8")
    return {
        one or other: dict(SETTING.findall(inner or outer))
        for one, inner, other, outer in PAINTED.findall(css)
    }


class Symbols:
    """The drawings of the sprite, by their names."""

    def __init__(self, sprite: bytes):
        root = ElementTree.fromstring(sprite)  # noqa: S314 - the site's own file, and games' checked drawings
        self.by_name = {each.get("id", ""): each for each in root}

    def self_contained(self, drawing: str) -> Element:
        """Return a drawing as an element that needs nothing else.  Raises CannotBeDrawn."""
        if len(drawing) > MOST_BYTES or "<!" in drawing:
            raise CannotBeDrawn(f"it has {len(drawing)} characters, or is more than elements")
        try:
            root = ElementTree.fromstring(drawing)  # noqa: S314 - there are no entities in it
        except ElementTree.ParseError as wrong:
            raise CannotBeDrawn(f"it is no XML: {wrong}") from wrong
        copied = _Copier(self.by_name).copy(root, colours(), 0)
        if copied is None or copied.tag != "svg":
            raise CannotBeDrawn("it is no <svg>")
        return copied

    def emblem(self, name: str) -> Element:
        """Return the emblem of a game, in its colours."""
        return self.self_contained(f'<svg class="emblem" viewBox="0 0 32 32"><use href="#{name}"/></svg>')

    def flag(self, letter: str) -> Element:
        """Return the flag of a seat."""
        return self.self_contained(f'<svg viewBox="0 0 1 1"><use href="#f-{letter}"/></svg>')


class _Copier:
    """Copies one drawing."""

    def __init__(self, symbols: Mapping[str, Element]):
        self.symbols = symbols
        self.parts = 0

    def copy(self, part: Element, colours: Colours, depth: int) -> Element | None:
        """Return a copy of an element with the colours that are known there; None for one to be left out."""
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            raise CannotBeDrawn("it has too many parts, or too many in each other")
        tag = part.tag.removeprefix(SVG)
        if tag not in TAGS:
            return None
        for name in part.get("class", "").split():
            colours = {**colours, **paints().get(name, {})}
        if tag == "use":
            return self._used(part, colours, depth)
        element = Element(tag, _attributes(part, colours))
        element.text, element.tail = part.text, part.tail
        self._copy_into(element, part, colours, depth)
        return element

    def _copy_into(self, parent: Element, part: Element, colours: Colours, depth: int) -> None:
        for each in part:
            copied = self.copy(each, colours, depth + 1)
            if copied is not None:
                parent.append(copied)

    def _used(self, part: Element, colours: Colours, depth: int) -> Element:
        name = part.get("href", "").rpartition("#")[2]
        symbol = self.symbols.get(name)
        if symbol is None:
            raise CannotBeDrawn(f"it uses “{name}”, which nobody has drawn")
        element = Element("svg", {**_attributes(part, colours), "viewBox": symbol.get("viewBox", "0 0 1 1")})
        self._copy_into(element, symbol, colours, depth)
        return element


def _attributes(part: Element, palette: Colours) -> dict[str, str]:
    """Return the attributes that count in a picture, with colours for variables."""
    dashed = _may_be_dashed(part)
    return {
        name: _coloured(value, palette)
        for name, value in part.attrib.items()
        if name not in DROPPED
        and (dashed or not name.startswith("stroke-dash"))
        and not name.startswith(("on", "aria-", "data-", "{"))
        and not name.endswith("href")
        and "url(" not in value.replace("url(#", "")
    }


def _may_be_dashed(part: Element) -> bool:
    """Tell whether an element is short enough to be drawn with dashes."""
    sizes = " ".join(value for name, value in part.attrib.items() if not name.startswith("stroke-"))
    return (
        DASHES.fullmatch(part.get("stroke-dasharray", "")) is not None
        and len(sizes) <= LONGEST_DASHED
        and not re.search(r"\d{5}|\d[eE]", part.get("d", ""))
    )


def _coloured(value: str, palette: Colours) -> str:
    for _ in range(2):  # a colour may be that of another name
        value = VARIABLE.sub(lambda match: palette.get(match[1], "none"), value)
    return value
