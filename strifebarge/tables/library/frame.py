"""The frame that the site draws round a board: its classes and ids, which no game gives to its own parts."""

import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
STYLE, TEMPLATES = PACKAGE / "static" / "stage.css", PACKAGE / "templates"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{}]+)\{")
CLASS = re.compile(r"\.([\w-]+)(?:::?[\w-]+(?:\([^)]*\))?)*")  # a class alone, in any state
PAGES = ("base", "table", "table_text", "history", "record")  # what a board or its text stands on
FOR_BOARDS_TOO = {"slim"}  # a sign in place of words, where there is little room
JINJA = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
CLASSES = re.compile(r'\bclass="([\w\s-]*)"')
IDS = re.compile(r'\bid="([\w-]+)"')


@cache
def classes_of_the_frame() -> frozenset[str]:
    """Return the classes that are styled wherever they stand."""
    rules = SELECTORS.findall(COMMENT.sub("", STYLE.read_text(encoding="utf-8")))
    selectors = [selector.strip() for rule in rules for selector in rule.split(",")]
    return frozenset(match[1] for each in selectors if (match := CLASS.fullmatch(each))) - FOR_BOARDS_TOO


@cache
def ids_of_the_frame() -> frozenset[str]:
    """Return the ids of the pages that show a board, and of the parts that pages are made of."""
    files = (*(TEMPLATES / f"{page}.html" for page in PAGES), *(TEMPLATES / "parts").glob("*.html"))
    return frozenset(each for file in files for each in IDS.findall(file.read_text(encoding="utf-8")))


def names_taken(template: str) -> list[str]:
    """Return the classes and ids of the frame that a template gives to parts of its own."""
    texts = template, JINJA.sub(" ", template)
    classes = {name for text in texts for given in CLASSES.findall(text) for name in given.split()}
    ids = {name for text in texts for name in IDS.findall(text)}
    return sorted(classes & classes_of_the_frame() | ids & ids_of_the_frame())
