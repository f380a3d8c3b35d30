"""The cues of games: sentences of their logs, each with a kind that a page has a tone for."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from strifebarge.tables.library.library import CUES, Library, NotAGame, Title
from strifebarge.web.render.assets import STATIC

TITLES = {title.slug: title for title in Library()}


@pytest.mark.parametrize("name", TITLES)
def test_each_cue_is_given_to_a_sentence_that_the_game_tells(name: str) -> None:
    title = TITLES[name]
    rules = [path for path in title.folder.glob("*.py") if path.name != "board.py"]
    source = "\n".join(path.read_text(encoding="utf-8") for path in rules)
    for sentence in title.cues:
        assert json.dumps(sentence, ensure_ascii=False) in source, sentence


def test_games_have_cues() -> None:
    assert any(title.cues for title in TITLES.values())


def test_the_page_has_a_tone_for_each_cue_and_no_others_but_for_the_end() -> None:
    script = Path(STATIC / "tone.js").read_text(encoding="utf-8")
    [table] = re.findall(r"TONES = \{(.*?)\};", script, re.DOTALL)
    notes = re.findall(r"(\w+): (\[[^]]*\])", table)
    assert {name for name, _ in notes} == CUES | {"won", "over"}
    assert len({tones for _, tones in notes}) == len(notes)


def test_a_cue_that_no_page_knows_is_told_to_the_author_by_name() -> None:
    title = Title(TITLES["rps"].rules, TITLES["rps"].folder)
    title._preparing = SimpleNamespace(CUES={"{seat:You} won the throw.": "bang"})
    with pytest.raises(NotAGame, match=r"board\.py has a cue 'bang': there are only capture, chapter, hit"):
        _ = title.cues
