"""Pieces of boards that are kept: drawn once, and shown only where the same would be drawn again."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from sys import getsizeof
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from jinja2 import UndefinedError
from markupsafe import Markup

from strifebarge.app import create_app
from strifebarge.rules.board import Squares
from strifebarge.rules.chance import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.schema import seat_numbers
from strifebarge.rules.testing import random_choice
from strifebarge.settings import Settings
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.ports import Row
from strifebarge.tables.model.status import Status
from strifebarge.tables.view import View, show_table
from strifebarge.web.page import kept, textview
from strifebarge.web.page.kept import CellMacros, grid, identity
from strifebarge.web.page.pages import draw_board
from strifebarge.web.render.keeping import ENTRY, PieceCache, weight
from strifebarge.web.words.catalogue import translations
from tests.support.tables import make_table

NAMES = ["Ann", "<b>Ben</b>", "", "{Dora} %(x)s & Co", "O'Neil", "Hal", ""]


class Colour(StrEnum):
    RED = "red"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    data: Path = tmp_path_factory.mktemp("kept")
    return create_app(Settings(data=data, database_url=f"sqlite:///{data / 'db'}", secret_keys=("k" * 32,)))


@pytest.fixture
def page(app: Flask) -> Iterator[None]:
    with app.test_request_context("/g/TABLE001", headers={"Accept-Language": "en"}):
        yield


def cells(app: Flask, template: str, **given: Any) -> CellMacros:
    title: Any = SimpleNamespace(for_cells=given, slug="", drawings=())
    return CellMacros(app.jinja_env.from_string(template), title, translations())


# -- one piece -------------------------------------------------------------------------


def test_a_piece_is_drawn_once_for_the_same_arguments(app, page):
    drawn: list[Any] = []
    rendered = cells(
        app, "{% macro card(of, n) %}<b>{{ of }}{{ note(n) or '' }}</b>{% endmacro %}", note=drawn.append
    )
    assert rendered.card("<", 1) == rendered.card("<", 1) == "<b>&lt;</b>"
    assert isinstance(rendered.card("<", 1), Markup)
    assert rendered.card.each([]) == ""
    rendered.card("<", 2)
    assert drawn == [1, 2]


def test_what_is_not_drawn_alike_is_not_kept_as_one(app, page):
    drawn = cells(app, "{% macro it(of) %}{{ of }}{% endmacro %}")
    several = [
        1,
        True,
        1.0,
        "1",
        None,
        "<i>",
        Markup("<i>"),
        Colour.RED,
        "red",
        (1,),
        [1],
        ((True,),),
        ((1,),),
    ]
    assert len({identity(each) for each in several}) == len(several)
    assert [str(drawn.it(each)) for each in (1, True, "<i>", Markup("<i>"))] == [
        "1",
        "True",
        "&lt;i&gt;",
        "<i>",
    ]


@pytest.mark.parametrize("thing", [object(), {"a": 1}, {1}, (lambda: 1), ("a", object())])
def test_what_may_change_is_no_argument(app, page, thing):
    with pytest.raises(TypeError, match="cannot be kept"):
        cells(app, "{% macro it(of) %}{{ of }}{% endmacro %}").it(thing)


@pytest.mark.parametrize(
    "source",
    [
        "view.id",
        "game.seats",
        "you",
        "board",
        "offer",
        "request.args",
        "session",
        "g.x",
        "key()",
        "me",
        "ago(1)",
    ],
)
def test_a_piece_knows_nothing_of_a_table_a_person_or_a_request(app, page, source):
    with pytest.raises(UndefinedError):
        cells(app, "{% macro it() %}{{ " + source + " }}{% endmacro %}").it()


def test_an_address_is_put_into_a_piece_and_not_kept(app, page):
    drawn = cells(app, '{% macro it(of, link) %}<a href="{{ link }}">{{ of }}</a>{% endmacro %}')
    assert drawn.it.linked('/a?b&"', 1) == '<a href="/a?b&amp;&#34;">1</a>'
    assert drawn.it.linked("/c", 1) == '<a href="/c">1</a>'


def test_no_more_is_kept_than_there_is_room_for():
    pieces: PieceCache[str] = PieceCache(most=10_000)
    for nth in range(100):
        for _ in range(2):  # two threads may have drawn it
            pieces.put((nth, "“"), "x" * 50)
    assert 4000 <= pieces.size <= 10_000
    assert pieces.size == (weight((99, "“")) + weight("x" * 50) + ENTRY) * len(pieces)
    assert pieces.get((99, "“")) == "x" * 50
    assert pieces.get((0, "“")) is None


def test_what_is_kept_is_weighed_as_it_lies_in_memory():
    assert weight("x" * 1000) == getsizeof("x" * 1000)
    assert weight("“" * 1000) > 2000  # bytes: two for each letter
    assert weight(("a", ["b"])) == sum(map(getsizeof, ("a", "b", ["b"], ("a", ["b"]))))
    assert weight(str) == 0


# -- a table of squares ----------------------------------------------------------------

SQUARES = Squares([("<1>", ["a&", "b"]), (2, ["c", "d"])])
ON_SQUARES = """
{%- macro open(at, word) -%}<td>{{ at }}{{ word }}{%- endmacro -%}
{%- macro man(at, name, link="") -%}<td><a href="{{ link }}" title="{{ at }}">{{ name }}</a>{%- endmacro -%}
{%- macro sign(at) -%}<i id="{{ at }}"></i>{%- endmacro -%}
"""


def test_squares_are_drawn_by_the_last_layer_that_has_them(app, page):
    rendered = cells(app, ON_SQUARES)
    drawn = grid(
        SQUARES,
        rendered.open.everywhere("!"),
        rendered.man.on({"b": "<Ben>", "c": "Ann"}),
        rendered.open.on(["c"], "?"),
        None,
        rendered.man.on({"d": "Dora"}, link=lambda at: f"/g?pick={at}&"),
        rendered.sign.into(["a&", "d"]),
    )
    assert drawn == (
        '\n<tr><th scope=row>&lt;1&gt;<td>a&amp;!<i id="a&amp;"></i>'
        '<td><a href="" title="b">&lt;Ben&gt;</a>'
        "\n<tr><th scope=row>2<td>c?"
        '<td><a href="/g?pick=d&amp;" title="d">Dora</a><i id="d"></i>'
    )
    assert Squares([("<1>", ["a&", "b"]), ("2", ["c", "d"])]) == SQUARES
    assert grid(Squares([(1, ["a"])]), None) == "\n<tr><th scope=row>1<td>"


def test_squares_with_one_content_share_what_is_drawn_and_equal_contents_that_differ_do_not(app, page):
    drawn: list[Any] = []
    rendered = cells(
        app,
        "{% macro it(at, of, n=0) %}<td>{{ at }}{{ of }}{{ n }}{{ note(of) or '' }}{% endmacro %}",
        note=drawn.append,
    )
    one, other, listed = (True, "x"), (1, "x"), [1]
    squares = Squares([(1, ["a", "b", "c"])])
    for _ in range(3):
        grid(squares, None, rendered.it.on({"a": one, "b": other, "c": one}))
    assert drawn == [one, other]
    assert "<td>b(1, &#39;x&#39;)5" in grid(squares, None, rendered.it.on({"b": other}, 5))
    assert "<td>c[1]0" in grid(squares, None, rendered.it.on({"c": listed}))
    listed[0] = 2
    assert "<td>c[2]0" in grid(squares, None, rendered.it.on({"c": listed}))


def test_no_more_contents_are_known_by_themselves_than_there_is_room_for(app, page):
    drawn = cells(app, "{% macro it(at, of) %}<td>{{ at }}{{ of }}{% endmacro %}")
    squares = Squares([(1, ["a"])])
    contents = [(number,) for number in range(kept.MOST_SQUARES + 10)]
    for content in contents:
        assert f"<td>a({content[0]},)" in grid(squares, None, drawn.it.on({"a": content}))
    assert len(drawn.it._squares) == 10


@pytest.mark.parametrize(
    "used", ['at == "A1"', "at[0]", "at|upper", "1 if at else 0", "at|length", '{"A1": 1}[at]', "at < 1"]
)
def test_the_name_of_a_square_can_only_be_printed(app, page, used):
    drawn = cells(app, "{% macro it(at) %}{{ " + used + " }}{% endmacro %}")
    with pytest.raises((TypeError, UndefinedError)):
        grid(SQUARES, drawn.it.everywhere())


# -- the boards of the games -----------------------------------------------------------


def views(app: Flask, slug: str) -> Iterator[View]:
    """What everybody sees of a game now and then."""
    title = app.extensions["referee"].library[slug]
    numbers = seat_numbers(title.rules)
    seats = min(max(3, numbers[0]), numbers[-1])
    match, dice = Match.new(title.rules, seats, "kept"), Chance("kept")
    rows = [Row(0, None, None, match.take_log())]
    chairs = [Chair(seat=n, player=f"p{n}", name=NAMES[n]) for n in range(seats)]
    for turn in range(25):
        if turn % 8 == 0 or match.result:
            table = make_table(
                game=slug,
                chairs=chairs,
                status=Status.OVER if match.result else Status.PLAYING,
                number=match.number,
                waiting=[*match.waiting_for()],
                result=match.result,
            )
            for player in (*(each.player for each in chairs), None):
                yield show_table(table, title, player, match, rows, at=1)
        if match.result:
            return
        seat = dice.choice(match.waiting_for())
        moves = match.move(seat, random_choice(match, seat, dice))
        rows += [Row(move.number, move.seat, {}, match.take_log()) for move in moves]


def drawn(app: Flask, view: View, language: str) -> tuple[str, ...]:
    with app.test_request_context("/g/TABLE001", headers={"Accept-Language": language}):
        text = textview.draw(view)
        return str(draw_board(view)[0]), str(text.board), str(text.hand)


def differing(app: Flask, slug: str) -> int:
    """How many boards are other ones where everybody else's pieces are kept than where none is."""
    shown = [(view, language) for view in views(app, slug) for language in ("en", "de")]
    alone = []
    for view, language in shown:
        kept.PIECES.clear()
        alone.append(drawn(app, view, language))
    for view, language in reversed(shown):
        drawn(app, view, language)
    return sum(drawn(app, *each) != before for each, before in zip(shown, alone, strict=True))


@pytest.mark.parametrize("slug", Library().titles)
def test_a_board_is_the_same_whoever_has_looked_before(app, slug):
    assert differing(app, slug) == 0


def forgetful(value: Any) -> Any:
    """Key a piece by less than it shows."""
    return type(value), len(value) if isinstance(value, (tuple, list)) else 0


def test_a_key_that_forgets_what_a_piece_shows_is_found_out(app):
    with patch.object(kept, "identity", forgetful):
        assert differing(app, "startups") > 0
    kept.PIECES.clear()
