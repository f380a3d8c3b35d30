"""Templates say what they say by Jinja's own environment, by quicker ways of calling and printing."""

import gc
import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from flask import Flask
from flask.templating import Environment
from jinja2 import DictLoader, UndefinedError, pass_context, pass_environment, pass_eval_context
from jinja2.runtime import Context
from markupsafe import Markup

from strifebarge import web
from strifebarge.web.render.templating import (
    IN_CONTEXTS,
    SHORT,
    Templates,
    contexts_held,
    contexts_released,
    in_ascii,
)


class Drawn:
    """Something that is HTML by itself, and that can be called."""

    def __html__(self) -> str:
        return "<svg/>"

    def __call__(self, name: str) -> str:
        return f"<{name}>"


class Louder(Markup):
    """HTML of another class."""


class Asking:
    """Something whose `__call__` is given the context."""

    @pass_context
    def __call__(self, context: Context) -> str:
        return f"{context['word']} & {context.get('each')}"


def stops() -> str:
    raise StopIteration


GLOBALS: dict[str, Any] = {
    "word": "<b> & 'quotes' \"",
    "long": "<" * (SHORT + 1),
    "html": Markup("<b>"),
    "louder": Louder("<i>"),
    "number": 7,
    "nothing": None,
    "drawn": Drawn(),
    "asking": Asking(),
    "stops": stops,
    "plain": lambda *given, **named: f"<{given}{sorted(named.items())}>",
    "cached": lru_cache(lambda given: f"<{given}>"),
    "of_context": pass_context(
        lambda context, **_: f"{context['word']} {context.get('each')} {context.get('set')}"
    ),
    "of_eval": pass_eval_context(lambda about, given: f"{about.autoescape} {given}"),
    "of_environment": pass_environment(
        lambda environment, given: f"{environment.autoescape is None} {given}"
    ),
    "text": str,
    "facts": {"one": "<", "items": "an item of this name", "two": {"three": 3}, "several": [1, 2, 3]},
}
PIECES = {
    "base.html": """{% block body %}{% endblock %}
{% block end %}{% set set = 5 %}{{ of_context() }}{% endblock %}""",
    "macros.html": """{% macro of(a, b='<') %}{{ a }}{{ b }}{{ caller() if caller else '' }}{{ kwargs }}
{% endmacro %}""",
    "page.html": """{% extends "base.html" %}{% from "macros.html" import of with context %}
{% block body %}
{{ word }}{{ long }}{{ html }}{{ louder }}{{ number }}{{ nothing }}{{ drawn }}{{ drawn("a") }}
{{ word ~ html }}{{ plain(1, word, a=html) }}{{ cached(word) }}{{ of_context() }}{{ of_eval(html) }}
{{ of_environment(1) }}{{ word if number < 0 }}{{ word if number }}
{{ word.upper() }}{{ text(7) }}{{ asking() }}{{ stops() is defined }}
{% if html %}{{ of(word, c=1) }}{% endif %}
{% for each in (1, "<") %}{{ of_context() }}{{ asking() }}{{ of(each) }}
{% set set = each %}{{ of_context(a=set) }}{% endfor %}
{{ nothing is none }}{{ word is not none and facts.none is defined or word is number }}
{{ facts.one }}{{ facts.items }}{{ facts.two.three }}{{ facts.none is defined }}{{ facts.none }}
{% for each in facts.several if each.real > 1 %}{{ each.real }}{{ facts.two.three.real }}{% endfor %}
{% macro own(a) %}{{ a.two.three }}{{ of(a.one) }}{% endmacro %}{{ own(facts) }}
{% call of(word) %}{{ word }}{% endcall %}{% autoescape false %}{{ word }}{% endautoescape %}
{% endblock %}""",
}


def rendered_by(kind: type[Environment], template: str = "page.html", **more: str) -> str:
    environment = kind(Flask("nothing"), loader=DictLoader({**PIECES, **more}), autoescape=True)
    return environment.get_template(template).render(GLOBALS)


def test_templates_say_the_same_as_by_jinja_alone() -> None:
    expected = rendered_by(Templates)
    assert expected == rendered_by(Environment)
    assert "&lt;b&gt;" in expected
    assert "<svg/>" in expected


INCLUDING = {
    "with.html": """{% extends "base.html" %}
{% block body %}{% set set = 1 %}
{% for each in (1, 2) %}{% include "parts/part.html" %}{% endfor %}
{% with of = word %}{% include "parts/part.html" %}{% endwith %}
{% if number %}{% include "parts/with_blocks.html" %}{% endif %}
{{ set }}{{ seen is defined }}{{ of is defined }}
{% include "none.html" ignore missing %}
{% include ["none.html", "parts/part.html"] %}{% include name_of_part %}
{% include "games/part.html" %}
{% endblock %}""",
    "parts/part.html": """{% from "macros.html" import of as made with context %}
{% set seen = word %}{% set set = 2 %}{{ each }}{{ of }}{{ set }}{{ made(seen) }}
{% include "parts/deeper.html" %}
{% macro own() %}{{ seen }}{% endmacro %}{{ own() }}""",
    "parts/deeper.html": "{% if each %}<i>{{ each }}{% include 'parts/last.html' %}</i>{% endif %}",
    "parts/last.html": "{{ seen }}{{ number }}",
    "parts/with_blocks.html": "{% block own %}{{ number }}{% endblock %}",
    "games/part.html": "<p>{{ word }}</p>",
    "setting.html": "{% for view in (1, 2) %}{% include 'parts/asking.html' %}{% endfor %}",
    "set_inside.html": "{% include 'parts/setting_itself.html' %}",
    "parts/setting_itself.html": "{% set view = 3 %}{{ of_view() }}",
    "parts/asking.html": "{{ of_view() }}",
}
INCLUDED = {**GLOBALS, "each": "", "of": "", "name_of_part": "parts/part.html"}


@pytest.mark.parametrize("template", ["with.html", "setting.html", "set_inside.html"])
def test_what_is_included_says_the_same_as_by_jinja_alone(template: str) -> None:
    given = {**INCLUDED, "of_view": pass_context(lambda context: context.get("view"))}
    expected = [
        kind(Flask("nothing"), loader=DictLoader({**PIECES, **INCLUDING}), autoescape=True)
        .get_template(template)
        .render(given)
        for kind in (Templates, Environment)
    ]
    assert expected[0] == expected[1]
    assert expected[0]


def test_what_fails_in_an_included_template_is_told_of_its_tag() -> None:
    wrong = {
        "whole.html": "1\n{% include 'parts/wrong.html' %}",
        "parts/wrong.html": "\n\n\n{{ nothing.no.more }}",
    }
    with pytest.raises(UndefinedError) as raised:
        rendered_by(Templates, "whole.html", **wrong)
    assert raised.traceback[-1].lineno == 1  # counted from 0


def test_what_functions_look_for_in_a_context_is_known() -> None:
    files = Path(web.__file__).parent.rglob("*.py")
    lookups = re.compile(r"""\bcontext(?:\.get\(|\.resolve\(|\[)["'](\w+)""")
    assert {name for file in files for name in lookups.findall(file.read_text())} == IN_CONTEXTS


def test_values_are_joined_as_html_where_one_of_them_is() -> None:
    page = "{{ word ~ html ~ number ~ nothing }}|{{ word ~ long }}|{{ 1 ~ 1 if ('a' ~ 1) == 'a1' }}"
    expected = rendered_by(Templates, "joined.html", **{"joined.html": page})
    assert expected == rendered_by(Environment, "joined.html", **{"joined.html": page})


def test_typographic_signs_are_printed_as_references_and_letters_as_they_are() -> None:
    page = """“A – B…” {{ "‹ü›" }} {{ "’" ~ word }} {{ 'é–é'.upper() }}{% set own %}·{% endset %}{{ own }}"""
    expected = rendered_by(Templates, "signs.html", **{"signs.html": page})
    assert unescape(expected) == unescape(rendered_by(Environment, "signs.html", **{"signs.html": page}))
    assert re.findall(r"[^\0-\x7f]", expected) == ["ü", "É", "É"]
    assert in_ascii(Markup("<b>–</b>")) == Markup("<b>&#8211;</b>")
    assert type(in_ascii(Markup("–"))) is Markup


def test_what_is_no_html_keeps_its_signs() -> None:
    page = "{% autoescape false %}“{{ '–' }}”{% endautoescape %}"
    assert rendered_by(Templates, "text.html", **{"text.html": page}) == "“–”"


@pytest.mark.parametrize(
    "wrong", ["{{ missing() }}", "{{ nothing() }}", "{{ number(1) }}", "{{ plain.no() }}"]
)
def test_what_cannot_be_called_is_the_same_error(wrong: str) -> None:
    for kind in (Environment, Templates):
        with pytest.raises((UndefinedError, TypeError)):
            rendered_by(kind, "wrong.html", **{"wrong.html": wrong})


def test_an_attribute_that_is_not_there_is_the_same_error_when_it_is_used() -> None:
    for kind in (Environment, Templates):
        with pytest.raises(UndefinedError, match="has no attribute 'no'"):
            rendered_by(kind, "wrong.html", **{"wrong.html": "{{ word.no.more }}"})


class Shown:
    """Something that a page shows."""


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Let Python look for no garbage by itself."""
    gc.disable()
    yield
    gc.enable()


def drawn_with(shown: Shown, with_macro: str) -> Any:
    """Return the macro of a template that was given something to show."""
    environment = Templates(Flask("nothing"), loader=DictLoader({"board.html": with_macro}), autoescape=True)
    return environment.get_template("board.html").make_module({"shown": shown}).drawn  # type: ignore[attr-defined]


BOARD = "{% macro drawn() %}{{ shown is defined }}{% endmacro %}"


def test_what_a_page_was_made_of_goes_with_it(no_collector: None) -> None:
    shown = Shown()
    left = ref(shown)
    with contexts_released():
        assert drawn_with(shown, BOARD)() == "True"
    del shown
    assert left() is None


def test_macros_that_are_kept_last_longer_than_the_page(no_collector: None) -> None:
    with contexts_released(), contexts_held():
        drawn = drawn_with(
            Shown(), "{% macro part() %}<b>{% endmacro %}{% macro drawn() %}{{ part() }}{% endmacro %}"
        )
    assert drawn() == "<b>"
