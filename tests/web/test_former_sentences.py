"""Sentences that were changed: logs that were kept before are told in the words of today."""

from gettext import GNUTranslations
from pathlib import Path

import polib
import pytest

import games
from strifebarge.settings.check import FORMER, LOCALE
from strifebarge.table.library import Library
from strifebarge.web.languages import Languages, _read
from tests.support.sentences import ROOT, holes

LIBRARY = Library()
GONE = "{seat:Du bist| ist} ausgestiegen."
FILES = [LOCALE / FORMER, *sorted(Path(games.__path__[0]).glob(f"*/{FORMER}"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).parts[-2])
def test_each_former_sentence_leads_to_one_that_is_said_and_gives_it_all_it_asks_for(path: Path) -> None:
    today = {entry.msgid: entry for entry in polib.pofile(str(path.with_name("de.po")))}
    former = polib.pofile(str(path))
    assert len(former) > 0
    for entry in former:
        assert entry.msgid not in today, "it is said today"
        assert entry.msgstr in today, entry.msgid
        assert holes(today[entry.msgstr].msgstr) <= holes(entry.msgid), entry.msgid


def test_what_was_kept_in_former_words_is_told_in_german_as_it_is_said_today() -> None:
    german = Languages(LIBRARY).by_code["de"]
    told = german.of(LIBRARY["chess"])
    assert told.gettext("{seat} leaves the game.") == GONE
    assert told.gettext("{seat:You} left the game.") == GONE
    assert german.of(None).gettext("{seat} leaves the game.") == GONE


def test_a_former_sentence_that_leads_nowhere_is_told_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
    (tmp_path / FORMER).write_text('msgid "He goes."\nmsgstr "They go."\n')
    words = _read(tmp_path / "de.po")
    assert isinstance(words, GNUTranslations)
    assert words.gettext("He goes.") == "He goes."
