"""The frame that the site draws round a board: its classes and ids, which no game gives to its own parts."""

import re
from functools import cache
from pathlib import Path

STYLE = Path(__file__).parents[2] / "static" / "stage.css"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{}]+)\{")
CLASS = re.compile(r"\.([\w-]+)(?:::?[\w-]+(?:\([^)]*\))?)*")  # a class alone, in any state
ID = re.compile(r"#([\w-]+)")
FOR_BOARDS_TOO = {"slim"}  # a sign in place of words, where there is little room
JINJA = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
GIVEN = re.compile(r'\b(?:class|id)="([\w\s-]*)"')


@cache
def names_of_the_frame() -> frozenset[str]:
    """Return the classes that are styled wherever they stand, and the ids."""
    rules = SELECTORS.findall(COMMENT.sub("", STYLE.read_text(encoding="utf-8")))
    selectors = [selector.strip() for rule in rules for selector in rule.split(",")]
    classes = {match[1] for selector in selectors if (match := CLASS.fullmatch(selector))}
    ids = {name for selector in selectors for name in ID.findall(selector)}
    return frozenset((classes | ids) - FOR_BOARDS_TOO)


def names_taken(template: str) -> list[str]:
    """Return the names of the frame that a template gives to parts of its own."""
    given = (*GIVEN.findall(template), *GIVEN.findall(JINJA.sub(" ", template)))
    return sorted({name for names in given for name in names.split()} & names_of_the_frame())
