"""Templates say what they say by Jinja's own environment, by quicker ways of calling and printing."""

from functools import lru_cache
from typing import Any

import pytest
from flask import Flask
from flask.templating import Environment
from jinja2 import DictLoader, UndefinedError, pass_context, pass_environment, pass_eval_context
from jinja2.runtime import Context
from markupsafe import Markup

from strifebarge.web.templating import SHORT, Templates


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
{{ of_environment(1) }}{{ word.upper() }}{{ text(7) }}{{ asking() }}{{ stops() is defined }}
{% if html %}{{ of(word, c=1) }}{% endif %}
{% for each in (1, "<") %}{{ of_context() }}{{ asking() }}{{ of(each) }}
{% set set = each %}{{ of_context(a=set) }}{% endfor %}
{% call of(word) %}{{ word }}{% endcall %}{% autoescape false %}{{ word }}{% endautoescape %}
{% endblock %}""",
}


def said_by(kind: type[Environment], template: str = "page.html", **more: str) -> str:
    environment = kind(Flask("nothing"), loader=DictLoader({**PIECES, **more}), autoescape=True)
    return environment.get_template(template).render(GLOBALS)


def test_templates_say_the_same_as_by_jinja_alone() -> None:
    said = said_by(Templates)
    assert said == said_by(Environment)
    assert "&lt;b&gt;" in said
    assert "<svg/>" in said


@pytest.mark.parametrize(
    "wrong", ["{{ missing() }}", "{{ nothing() }}", "{{ number(1) }}", "{{ plain.no() }}"]
)
def test_what_cannot_be_called_is_the_same_error(wrong: str) -> None:
    for kind in (Environment, Templates):
        with pytest.raises((UndefinedError, TypeError)):
            said_by(kind, "wrong.html", **{"wrong.html": wrong})
