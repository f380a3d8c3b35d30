"""The drawings that a game brings: `drawings.svg` beside its rules, with a symbol for each."""

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

SPRITE = Path(__file__).parents[2] / "static" / "sprite.svg"  # the site's own
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {
    *("circle", "clipPath", "defs", "desc", "ellipse", "g", "line", "linearGradient", "mask", "path"),
    *("pattern", "polygon", "polyline", "radialGradient", "rect", "stop", "text", "title", "tspan", "use"),
}
MOST_BYTES = 24 * 1024  # they go to everybody who looks at the game


class WrongDrawings(Exception):
    """Raised for a file of drawings that cannot be shown, in words for its author."""


def names_of(path: Path) -> frozenset[str]:
    """Return the names of the drawings in a file.  Raises WrongDrawings."""
    data = path.read_bytes()
    if len(data) > MOST_BYTES:
        raise WrongDrawings(f"it has {len(data)} bytes, and {MOST_BYTES} is the most")
    if not _is_utf8(data):
        raise WrongDrawings("it is not in UTF-8")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise WrongDrawings("it declares entities")
    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - there are no entities in it
    except ElementTree.ParseError as wrong:
        raise WrongDrawings(f"it is no XML: {wrong}") from wrong
    if root.tag != f"{SVG}svg":
        raise WrongDrawings(f"it is no <svg xmlns={SVG[1:-1]!r}>")
    return frozenset(_name(symbol) for symbol in root)


@cache
def names_of_the_site() -> frozenset[str]:
    """Return the names of the site's own drawings."""
    return frozenset(re.findall(r'<symbol\b[^>]*\bid="([^"]+)"', SPRITE.read_text(encoding="utf-8")))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _name(symbol: ElementTree.Element) -> str:
    name = symbol.get("id", "")
    if symbol.tag != f"{SVG}symbol" or not re.fullmatch(r"[A-Za-z][\w-]*", name) or not symbol.get("viewBox"):
        raise WrongDrawings("each drawing is a <symbol id=… viewBox=…>, its name of letters, digits, - and _")
    for part in symbol.iter():
        _must_be_a_drawing(name, part)
    return name


def _must_be_a_drawing(name: str, part: ElementTree.Element) -> None:
    """Raise WrongDrawings for a script, a style or a picture from elsewhere, which pages do not allow."""
    tag = part.tag.removeprefix(SVG)
    if tag not in SHAPES | {"symbol"}:
        raise WrongDrawings(f"“{name}” has a <{tag}>, which is no shape")
    for attribute, value in part.attrib.items():
        bare = attribute.rpartition("}")[2]
        if bare == "style" or bare.startswith("on") or (bare == "href" and not value.startswith("#")):
            raise WrongDrawings(
                f"“{name}” has {bare}={value!r:.40}: no style, no script, nothing from elsewhere"
            )
