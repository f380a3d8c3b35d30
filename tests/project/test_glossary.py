"""The words of the pages: those that the glossary replaces do not come back, and sentences are short."""

import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

import games
from strifebarge.tables.library.library import Library
from tests.support.sentences import (
    ROOT,
    catalogue_in,
    in_templates,
    of_a_game,
    of_the_commands,
    of_the_interface,
    of_the_site,
)

LONGEST = 15  # words of a sentence on a page of a game
OURS = [title for title in Library() if title.folder.parent == Path(games.__path__[0])]

# Pages that are read before or after playing, where a sentence may explain more.
EXPLAINING = {
    "about.html",  # promises, privacy, the text version
    "check.html",  # how draws follow from a seed
    "account_erase.html",  # all that is deleted
    "manual.html",  # how clocks and absence work
    "company.html",  # what a co-player and a substitute may do
}
# Other sentences that may be longer, each with its reason.
LONG: dict[str, str] = {}
# Sentences that hold a replaced word with another meaning.
ALLOWED: dict[str, set[str]] = {}  # the words that each may hold


class Row(NamedTuple):
    """A line of the glossary."""

    word: str
    german: str
    meaning: str
    replaced: list[str]
    replaced_in_german: list[str]


@cache
def glossary() -> list[Row]:
    """Read the table of docs/glossary.md."""
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [
        Row(*row[:3], *([word for word in each.split(", ") if word] for each in row[3:])) for row in rows[2:]
    ]


def pattern(words: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words), re.IGNORECASE)


@cache
def english() -> frozenset[str]:
    """Return all sentences that pages say, without their arguments' names."""
    every = chain(of_the_site(), *(of_a_game(title) for title in OURS))
    return frozenset(text for each in every for text in (each.text, each.plural) if text)


def german() -> set[str]:
    of_games = [title.folder / "de.po" for title in OURS]
    files = [ROOT / "strifebarge" / "locale" / "de.po", *(path for path in of_games if path.is_file())]
    entries = chain(*(catalogue_in(path) for path in files))
    return {form for entry in entries for form in (entry.msgstr, *entry.msgstr_plural.values()) if form}


def without_arguments(sentence: str) -> str:
    return re.sub(r"%\((\w+)\)s|\{(\w+)(?::[^}]*)?\}", "X", sentence)


def test_the_glossary_has_a_line_for_each_word_and_replaces_none_of_its_own() -> None:
    rows = glossary()
    assert len(rows) >= 40
    own = [row.word for row in rows]
    assert len(set(own)) == len(own)
    replaced = pattern([word for row in rows for word in row.replaced])
    assert [word for word in own if replaced.fullmatch(word)] == []


@pytest.mark.parametrize("language", ["English", "German"])
def test_a_word_that_was_replaced_does_not_come_back(language: str) -> None:
    texts, column = (english(), 3) if language == "English" else (german(), 4)
    replaced = pattern([word for row in glossary() for word in row[column]])
    matches = {
        text: match[0].lower() for text in texts if (match := replaced.search(without_arguments(text)))
    }
    assert {text: word for text, word in matches.items() if word not in ALLOWED.get(text, ())} == {}


def test_commands_settings_and_the_interface_use_the_words_of_the_glossary() -> None:
    replaced = pattern([word for row in glossary() for word in row.replaced])
    texts = of_the_commands() | of_the_interface()
    assert {text: match[0] for text in texts if (match := replaced.search(text))} == {}


@pytest.mark.parametrize(("file", "column"), [("about.md", 3), ("about.de.md", 4)])
def test_the_rules_of_games_use_the_words_of_the_glossary(file: str, column: int) -> None:
    replaced = pattern([word for row in glossary() for word in row[column]])
    files = {title.slug: title.folder / file for title in OURS if (title.folder / file).is_file()}
    texts = {slug: path.read_text(encoding="utf-8") for slug, path in files.items()}
    assert {slug: replaced.findall(text) for slug, text in texts.items() if replaced.search(text)} == {}


@cache
def explaining() -> frozenset[str]:
    """Return the sentences that only pages say which explain."""
    texts_by_kind: dict[bool, set[str]] = {True: set(), False: set()}
    for path in (ROOT / "strifebarge" / "templates").rglob("*.html"):
        texts = {text for each in in_templates(path.parent, path.name) for text in each if text}
        texts_by_kind[path.name in EXPLAINING] |= texts
    return frozenset(texts_by_kind[True] - texts_by_kind[False])


def test_sentences_on_pages_of_games_are_short() -> None:
    long = {}
    for text in english() - explaining():
        for sentence in re.split(r"(?<=[.!?])\s+", without_arguments(text)):
            if len(sentence.split()) > LONGEST and text not in LONG:
                long[text] = len(sentence.split())
    assert long == {}
