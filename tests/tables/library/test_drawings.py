"""The drawings that a game brings itself: found by name, and only such as pages allow."""

from pathlib import Path

import pytest

from strifebarge.tables.library.drawings import MOST_BYTES, WrongDrawings, names_of
from strifebarge.tables.library.library import Library, NotAGame, Title

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
STONE = '<symbol id="stone" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="currentColor"/></symbol>'
WRONG = {
    "no xml": ("<svg", "it is no XML"),
    "no svg": ("<html/>", "it is no <svg xmlns="),
    "entities": ('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format(""), "it declares entities"),
    "no symbol": (SVG.format('<circle r="4"/>'), "each drawing is a <symbol id=… viewBox=…>"),
    "no name": (SVG.format(STONE.replace(' id="stone"', "")), "each drawing is a <symbol id=… viewBox=…>"),
    "no box": (SVG.format(STONE.replace("viewBox", "box")), "each drawing is a <symbol id=… viewBox=…>"),
    "script": (SVG.format(STONE.replace("<circle", "<script/><circle")), "“stone” has a <script>"),
    "picture": (SVG.format(STONE.replace("<circle", "<image/><circle")), "“stone” has a <image>"),
    "style": (SVG.format(STONE.replace("fill=", "style=")), "“stone” has style='currentColor'"),
    "handler": (SVG.format(STONE.replace("fill=", "onclick=")), "“stone” has onclick='currentColor'"),
    "elsewhere": (
        SVG.format(STONE.replace("<circle", '<use href="//a/b"/><circle')),
        "“stone” has href='//a/b'",
    ),
    "large": (SVG.format(STONE + " " * MOST_BYTES), "bytes, and 24576 is the most"),
}


def test_the_drawings_of_a_file_are_found_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "drawings.svg").write_text(SVG.format(STONE + STONE.replace("stone", "stone-2")))
    assert names_of(tmp_path / "drawings.svg") == {"stone", "stone-2"}


@pytest.mark.parametrize(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_what_pages_do_not_allow_is_refused_with_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "drawings.svg").write_text(text)
    with pytest.raises(WrongDrawings) as wrong:
        names_of(tmp_path / "drawings.svg")
    assert sentence in str(wrong.value)


def test_drawings_in_another_encoding_are_refused_with_a_sentence(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="latin-1"?>' + SVG.format(f"{STONE}<!-- für alle -->")
    (tmp_path / "drawings.svg").write_bytes(text.encode("latin-1"))
    with pytest.raises(WrongDrawings, match="it is not in UTF-8"):
        names_of(tmp_path / "drawings.svg")


def test_a_game_with_wrong_drawings_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "drawings.svg").write_text("<svg")
    with pytest.raises(NotAGame, match=r"drawings\.svg cannot be shown: it is no XML"):
        _ = Title(Library()["rps"].rules, tmp_path).drawings


def test_a_game_without_a_file_has_no_drawings_of_its_own() -> None:
    library = Library()
    assert library["rps"].drawings == frozenset()
    assert "r-F" in library["startups"].drawings
