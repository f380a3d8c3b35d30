"""Learning a game: how to play it in short, with positions on its own board, and what its terms mean."""

import logging
import re
import shutil
from pathlib import Path

import pytest
from markupsafe import Markup

from strifebarge.rules import Refused
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.view.learning import Diagram, glossary, how_to_play, view_of
from strifebarge.web.page.pages import prose
from strifebarge.web.site.diagrams import bare
from strifebarge.web.words.terms import Explaining, Finder, Linking, Term, linked
from tests.web.house import House

LIBRARY = Library()
LANGUAGES = ("en", "de")
EXPLAINED = [
    title for title in LIBRARY if all((title.folder / each).is_file() for each in ("how.md", "how.de.md"))
]
MOST_WORDS = 120  # of how to play a game, captions too
LONGEST = 20  # words of a sentence there
EACH = pytest.mark.parametrize("title", EXPLAINED, ids=lambda title: title.slug)


def words_in(text: str) -> list[str]:
    return re.findall(r"[\w'’-]+", text)


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_how_to_play_is_short_and_has_two_or_three_diagrams(title: Title, language: str) -> None:
    how = how_to_play(title, language)
    assert how.language == language
    texts = [prose(how.text).striptags(), *(each.caption for each in how.diagrams)]
    assert 40 <= sum(len(words_in(each)) for each in texts) <= MOST_WORDS
    sentences = [each for text in texts for each in re.split(r"(?<=[.!?:])\s", text)]
    assert [each for each in sentences if len(words_in(each)) > LONGEST] == []
    assert len(how.diagrams) in (2, 3)
    assert all(each.caption for each in how.diagrams)
    assert len({str(each.diagram) for each in how.diagrams}) == len(how.diagrams)


@EACH
def test_each_diagram_is_a_position_that_was_played(title: Title) -> None:
    positions = [view_of(title, each.diagram) for each in how_to_play(title, "en").diagrams]
    assert max(view.number for view in positions) > 1
    assert all(view.position.game is not None for view in positions)


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_all_diagrams_and_explains_its_terms(
    house: House, title: Title, language: str
) -> None:
    page = house.visitor().get(f"/rules/{title.slug}/how", Accept_Language=language)
    assert page.status == 200
    assert page.text.count('<figure class="diagram">') == len(how_to_play(title, language).diagrams)
    terms = set(re.findall(r'<div id="(term-[^"]+)"', page.text))
    assert len(terms) == len(glossary(title, language)[1])
    used = re.findall(r'<a class="term" href="#(term-[^"]+)" title="[^"]+">', page.text)
    assert set(used) <= terms
    assert used
    ids = re.findall(r'\bid="([^"]+)"', page.text)
    assert len(ids) == len(set(ids))
    boards = "".join(re.findall(r'<div class="drawn" inert>.*?</figure>', page.text, re.DOTALL))
    assert not re.search(r"<form|data-piece| name=|/g/example", boards)


@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_are_explained_where_options_are_chosen(house: House, language: str) -> None:
    page = house.visitor().get("/new/startups", Accept_Language=language).text
    assert '<details class="explained">' in page
    assert glossary(LIBRARY["startups"], language)[1]["sides" if language == "en" else "Seiten"] in page


def test_without_a_file_the_first_paragraph_and_the_example_are_shown(tmp_path: Path) -> None:
    strifebarge = LIBRARY["strifebarge"]
    folder = tmp_path / "strifebarge"
    shutil.copytree(strifebarge.folder, folder)
    for file in folder.glob("how*.md"):
        file.unlink()
    title = Title(strifebarge.rules, folder)
    how = how_to_play(title, "en")
    assert how.text.startswith("Battleships for two to eight captains")
    [only] = how.diagrams
    assert view_of(title, only.diagram).number == 16
    (folder / "example.toml").unlink()
    assert how_to_play(title, "en").diagrams == []


@pytest.mark.parametrize(
    ("how", "diagrams"),
    [
        ("Fire.\n\n![Nothing](nowhere)\n", ""),
        ("Fire.\n\n![Not a shot](there)\n", '[there]\nmoves = ["0 fire Z99"]\n'),
        ("Fire.\n\n![Not a word](there)\n", "[there]\nfurther = 1\n"),
    ],
    ids=["no such diagram", "no such move", "no such word"],
)
def test_what_cannot_be_drawn_is_left_out(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, diagrams: str
) -> None:
    title = house.referee.library["strifebarge"]
    folder = tmp_path / "strifebarge"
    shutil.copytree(title.folder, folder)
    (folder / "how.md").write_text(how)
    (folder / "diagrams.toml").write_text(diagrams)
    wrong = Title(title.rules, folder)
    with pytest.raises((Refused, ValueError)):
        view_of(wrong, how_to_play(wrong, "en").diagrams[0].diagram)
    monkeypatch.setitem(house.referee.library.titles, "strifebarge", wrong)
    house.app.extensions["diagrams"].clear()
    page = house.visitor().get("/rules/strifebarge/how")
    house.app.extensions["diagrams"].clear()
    assert page.status == 200
    assert "<figure" not in page.text


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("glossary.toml", b"sea = = 3", "The terms of strifebarge cannot be explained: "),
        ("glossary.toml", b"sea = 5", "The terms of strifebarge cannot be explained: "),
        ("about.md", "Für drei".encode("latin-1"), "about.md cannot be read, and is left out: "),
        ("how.md", "Für drei".encode("latin-1"), "how.md cannot be read, and is left out: "),
    ],
    ids=["no toml", "no text", "rules in latin 1", "how to play in latin 1"],
)
def test_pages_go_on_without_a_file_that_cannot_be_read_and_the_log_says_so(
    house: House,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    file: str,
    content: bytes,
    sentence: str,
) -> None:
    title = house.referee.library["strifebarge"]
    shutil.copytree(title.folder, tmp_path / "strifebarge")
    (tmp_path / "strifebarge" / file).write_bytes(content)
    monkeypatch.setitem(
        house.referee.library.titles, "strifebarge", Title(title.rules, tmp_path / "strifebarge")
    )
    monkeypatch.setitem(house.app.extensions, "terms", {})
    house.app.extensions["diagrams"].clear()
    with caplog.at_level(logging.ERROR):
        table = house.visitor().start("strifebarge").table
        for page in ("/rules/strifebarge", "/rules/strifebarge/how", "/new/strifebarge", table):
            assert house.visitor().get(page).status == 200
    house.app.extensions["diagrams"].clear()
    assert [each for each in caplog.messages if sentence in each and "\n" not in each]


def test_a_diagram_tells_nothing_of_its_reader(house: House) -> None:
    house.app.extensions["diagrams"].clear()
    first = house.visitor().get("/rules/chess/how?pick=e2", Cookie="turned=yes").text
    house.app.extensions["diagrams"].clear()
    assert re.findall("<table class=.chess.*?</table>", first, re.DOTALL) == re.findall(
        "<table class=.chess.*?</table>", house.visitor().get("/rules/chess/how").text, re.DOTALL
    )


def test_a_board_becomes_a_picture() -> None:
    board = Markup(
        '<table id="sea" data-grid><a href="/g/example?pick=e2#board" name="x">the name is id="a" now</a>'
        '<p aria-labelledby="a b"><a href="#sea">sea</a><use href="/static/sprite.svg#hit"/></p></table>'
    )
    assert bare(board, "d1-") == (
        '<table id="d1-sea"><a>the name is id="a" now</a>'
        '<p aria-labelledby="d1-a d1-b"><a href="#d1-sea">sea</a><use href="/static/sprite.svg#hit"/></p>'
        "</table>"
    )


def test_the_first_of_each_term_is_a_link_and_nothing_within_a_tag() -> None:
    terms = (Term("stage", "A part."), Term("free build", 'One "free" card.'))
    html = prose("The stages, a stage, and free builds; backstage `code`")
    assert linked(html, terms) == (
        '<p>The <a class="term" href="#term-stage" title="A part.">stages</a>, a stage, and '
        '<a class="term" href="#term-free-build" title="One &#34;free&#34; card.">free builds</a>; '
        "backstage <code>code</code></p>\n"
    )


def test_pieces_that_follow_one_another_have_one_link_for_each_term() -> None:
    how = Linking(Finder((Term("stage", "A part."), Term("card", "A thing."))), "/how")
    explaining = Explaining(lambda: how)
    pieces = [Markup("<b>Two cards</b>"), Markup("a stage, a card"), Markup("stages")]
    one_by_one = list(map(explaining.in_turn(), pieces))
    assert [piece.count('<a class="term" href="/how#term-') for piece in one_by_one] == [1, 1, 0]
    assert one_by_one[1] == 'a <a class="term" href="/how#term-stage" title="A part.">stage</a>, a card'
    assert list(map(explaining.in_turn(), pieces)) == one_by_one
    assert "".join(one_by_one) == explaining(Markup("").join(pieces))
    assert list(map(Explaining(lambda: None).in_turn(), pieces)) == pieces


def test_the_way_back_leads_to_the_table_and_nowhere_else(house: House) -> None:
    who = house.visitor()
    table = who.start("strifebarge", seats="2").table
    page = who.get(table)
    [link] = re.findall(r'<a class="btn sec how" href="([^"]+)" data-sheet', page.text)
    how = who.get(link).text
    assert f'href="{table}" data-close' in how
    assert "Practice" not in how
    for other in ("", "?table=", "?table=//evil.example", "?table=a/b"):
        page = who.get(f"/rules/strifebarge/how{other}")
        assert "data-close" not in page.text
        assert "evil" not in page.text


def test_practice_begins_with_one_press(house: House) -> None:
    who = house.visitor()
    page = who.get("/rules/chess/how")
    table = who.submit(page, "/bots/chess").location
    assert "Bot (easy)" in who.get(table or "").text


def test_whoever_is_invited_finds_how_to_play(house: House) -> None:
    table = house.visitor().start("mirrow", name="Ann").table
    join = house.visitor().get(table).text.partition('<section class="join"')[2].partition("</section>")[0]
    assert f"/rules/mirrow/how?table={table.rpartition('/')[2]}" in join


def test_tokens_are_for_programs(house: House) -> None:
    who = house.visitor()
    rules, programs = who.get("/rules/strifebarge").text, who.get("/api/v1/").text
    assert "already_shot" not in rules
    assert "What isn't allowed, and why" in rules
    assert "already_shot</code>" in programs


def test_a_diagram_goes_on_from_the_example() -> None:
    title = LIBRARY["chess"]
    assert view_of(title, Diagram(first=2)).number == 2
    assert view_of(title, Diagram(first=2, moves=["0 move Nf3"])).number == 3
    assert view_of(title, Diagram(moves=["0 move d4"])).number == 1
    assert view_of(title, Diagram()).number == 28
