"""Everything the site can say, gathered from its templates, its Python and the games' classes.

What is written down as a sentence is found in the source; what is a word of a game (a label, a docstring, a
refusal) is asked of its classes, as the pages ask them.
"""

import ast
import inspect
import re
import string
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import polib
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from games.chess import notation
from games.mirrow.delta import Kind
from games.mirrow.fleet import DECK
from games.startups.cards import DATA, Category, Color, Resource, Symbol
from strifebarge.api.openapi import document
from strifebarge.api.page import PAGE
from strifebarge.cli import main
from strifebarge.people.models import IdentityRefusal
from strifebarge.results.record import RecordRefusal
from strifebarge.rules import Chance, Refusal, Standard
from strifebarge.rules.action import label_of
from strifebarge.rules.codec import seat_type
from strifebarge.rules.game import Game
from strifebarge.rules.match import Match
from strifebarge.rules.pieces import Card
from strifebarge.rules.schema import actions, every_options, form_fields, options_type, refusals, usual_seats
from strifebarge.rules.sources import TESTS
from strifebarge.rules.testing import random_play
from strifebarge.rules.text import pack, pieces
from strifebarge.settings import SETTINGS
from strifebarge.tables.clock.timekeeper import BROKEN
from strifebarge.tables.clock.vacation import VacationRefusal
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.chat import ChatRefusal
from strifebarge.tables.model.reasons import NotificationRefusal, PlanRefusal, SharedDeviceRefusal
from strifebarge.tables.model.subscriptions import FollowRefusal
from strifebarge.tables.model.table import FAULTY, TableRefusal
from strifebarge.tables.play.game import EDITED, WENT_BACK, WENT_BACK_A_MOVE, WENT_ON
from strifebarge.tables.play.matches import DIVERGED, LEFT_OUT
from strifebarge.tournaments.reasons import TournamentRefusal
from strifebarge.web.http.guard import RequestRefusal

ROOT = Path(__file__).resolve().parents[2]
# Which arguments of a function, or of a method, are sentences told to people.
FUNCTIONS = {"say": [0], "Text": [0], "count": [0, 1], "_malformed": [0]}
METHODS = {"log": [0], "heading": [0], "ask": [1], "ask_all": [0], "ask_any": [0]}
# Names and sentences that a game takes from a table of data.
NAMES: dict[str, list[str]] = {
    "chess": [*notation.PROBLEMS.values()],
    "mirrow": [*Kind, *(text for order in DECK.values() for text in (order.name, order.says))],
    "startups": [
        *(each.name for each in (*DATA.card, *DATA.company)),
        *(each for kind in (Resource, Color, Category) for each in kind),
        *(symbol.text.sentence for symbol in Symbol),
    ],
}


class Sentence(NamedTuple):
    """A sentence as a catalogue has it; some have another form for several things."""

    text: str
    plural: str = ""


@cache
def of_the_site() -> set[Sentence]:
    """What the site says by itself, on whatever page."""
    sentences = set(in_templates(ROOT / "strifebarge"))
    for folder in ("rules", "tables", "people", "results", "notifications", "tournaments", "web"):
        sentences |= set(in_python(ROOT / "strifebarge" / folder))
    words = [DIVERGED, FAULTY, LEFT_OUT, EDITED, WENT_BACK, WENT_BACK_A_MOVE, WENT_ON, BROKEN]
    words += [Game.leave.__doc__, "yes", "no"]
    kinds = (
        Standard,
        TableRefusal,
        ChatRefusal,
        PlanRefusal,
        NotificationRefusal,
        FollowRefusal,
        IdentityRefusal,
        VacationRefusal,
        SharedDeviceRefusal,
        RecordRefusal,
        RequestRefusal,
        TournamentRefusal,
    )
    words += [reason.sentence for kind in kinds for reason in kind]
    words += [text for card in Card for text in texts_in(pack(card))]
    return worth_saying(sentences | {Sentence(tidy(each)) for each in words})


@cache
def of_a_game(title: Title) -> set[Sentence]:
    """What a game adds to that."""
    sentences = {*in_templates(title.folder), *in_python(title.folder)}
    words = {*map(tidy, in_classes(title)), *lying_about(title.folder), *in_play(title)}
    site = {each.text for each in of_the_site()}
    translated = {text for each in sentences for text in each} | site
    sentences = {each for each in sentences if each.text not in site}
    return worth_saying(sentences | {Sentence(each) for each in words - translated})


def in_classes(title: Title) -> Iterator[str]:
    """The words of a game's classes, as buttons, forms and the manual show them."""
    rules = title.rules
    yield from (
        title.title,
        title.length,
        title.blurb,
        title.leaving,
        *NAMES.get(title.slug, ()),
        *rules.questions.values(),
    )
    yield from rules.players if isinstance(rules.players, tuple) else ()
    for reason in refusals(rules):
        yield reason.sentence
    for kind in actions(rules):
        yield from (label_of(kind), kind.__doc__ or "")
        yield (kind.__doc__ or kind.__name__).strip().splitlines()[0]
        yield from in_form(kind)
    yield from in_form(options_type(rules))
    for thing in vars(sys.modules[rules.__module__]).values():
        if inspect.isclass(thing) and issubclass(thing, Enum) and not issubclass(thing, Refusal | Card):
            yield from (text for each in thing for text in texts_in(pack(each)))
    if not title.board:
        for name in (*rules.__struct_fields__, *seat_type(rules).__struct_fields__):
            yield name.replace("_", " ").capitalize()


def in_play(title: Title) -> Iterator[str]:
    """What is told, asked and shown beside the names in two games played at random."""
    rules = title.rules
    for seed, options in enumerate((None, list(every_options(rules))[-1])):
        match = Match.new(rules, usual_seats(rules), str(seed), options)
        for moment in random_play(match, Chance(f"words {seed}")):
            packed = [*moment.take_log(), *(pack(prompt.text) for prompt in moment.prompts.values())]
            packed += [pack(moment.game.standing(seat)) for seat in moment.game.seats]
            packed.append(moment.result.why if moment.result else None)
            yield from texts_in(packed)


def in_form(kind: Any) -> Iterator[str]:
    for field in form_fields(kind):
        yield from (field.label, field.hint, *(choice.label for choice in field.choices))


def texts_in(packed: Any) -> Iterator[str]:
    """The sentences inside a packed text, its own and its arguments'."""
    match packed:
        case {"text": text}:
            yield text
            yield from texts_in(list(packed.get("args", {}).values()))
        case {"secret": content}:
            yield from texts_in(content)
        case [*several]:
            yield from (each for one in several for each in texts_in(one))


def in_templates(folder: Path, name: str = "*.html") -> Iterator[Sentence]:
    environment = Environment(extensions=["jinja2.ext.i18n"])
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    for path in sorted(folder.rglob(name)):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for _, function, message in extract_from_ast(tree):
            if isinstance(message, str):
                yield Sentence(message)
            elif function == "ngettext":
                yield Sentence(message[0] or "", message[1] or "")
            else:
                yield Sentence(message[0] or "")


def python_in(folder: Path) -> list[Path]:
    """The Python files of a folder, but for tests."""
    return [path for path in sorted(folder.rglob("*.py")) if not is_test(path.relative_to(folder))]


def is_test(path: Path) -> bool:
    return bool(TESTS.fullmatch(path.name)) or "tests" in path.parts


def catalogue_in(path: Path) -> polib.POFile:
    """The catalogue in a file: polib takes the name of a missing one for its content."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing")
    return polib.pofile(str(path), encoding="utf-8")


def in_python(folder: Path) -> Iterator[Sentence]:
    for path in python_in(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield from in_call(node)


def in_call(call: ast.Call) -> Iterator[Sentence]:
    match call.func:
        case ast.Name(id=name):
            at = FUNCTIONS.get(name, [])
        case ast.Attribute(attr=name):
            at = METHODS.get(name, [])
        case _:
            return
    wanted = [list(written(call.args[each])) for each in at if each < len(call.args)]
    if len(wanted) == 2:
        yield from (Sentence(one, many) for one, many in zip(*wanted, strict=True))
    elif wanted:
        yield from map(Sentence, wanted[0])


def lying_about(folder: Path) -> Iterator[str]:
    """What looks like a sentence in a game's Python: it may reach the log by way of a table or a variable."""
    for path in python_in(folder):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            docstring = isinstance(node, ast.Expr)
            for child in () if docstring else ast.iter_child_nodes(node):
                if isinstance(child, ast.Constant) and re.match(r"[A-Z{].*[a-z.][.?!] ?$", str(child.value)):
                    yield child.value


def written(node: ast.expr) -> Iterator[str]:
    """The strings an expression may be; a variable's are found where they are put into it."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from written(one)
            yield from written(other)


@cache
def of_the_commands() -> set[str]:
    """What `--help` says, of `strifebarge` and of every command below it, and what each setting is for."""
    sentences = {setting.meta.description or "" for setting in SETTINGS}
    waiting: list[click.Command] = [main]
    while waiting:
        command = waiting.pop()
        sentences.add(tidy(command.help))
        sentences |= {tidy(each.help) for each in command.params if isinstance(each, click.Option)}
        waiting += command.commands.values() if isinstance(command, click.Group) else []
    return sentences - {""}


@cache
def of_the_interface() -> set[str]:
    """What programmers are told: the summaries and descriptions of the interface, its page and its faults."""
    sentences = set(described(document())) | {tidy(re.sub("<[^>]*>", " ", PAGE))}
    for path in sorted((ROOT / "strifebarge" / "api").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("faults.", "Fault")):
                words = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
                sentences |= {each for each in words if isinstance(each, str)}
    return sentences


def described(schema: Any) -> Iterator[str]:
    """Yield all that a document of OpenAPI says in words."""
    match schema:
        case dict():
            yield from (schema[key] for key in ("summary", "description") if isinstance(schema.get(key), str))
            yield from (text for each in schema.values() for text in described(each))
        case list():
            yield from (text for each in schema for text in described(each))


def worth_saying(sentences: set[Sentence]) -> set[Sentence]:
    """Those with words in them: `7`, `10D` and `{ships}` are the same in every language."""
    letters, code = re.compile(r"[^\W\d_]"), re.compile("[A-Z0-9]{1,3}")
    return {
        each for each in sentences if letters.search(holes_out(each.text)) and not code.fullmatch(each.text)
    }


def holes_out(text: str) -> str:
    """A sentence without its arguments, but with the words for readers who may not know one."""
    bare = re.sub(r"%\(\w+\)s", " ", text)
    try:
        return " ".join(literal + otherwise for literal, _, otherwise in pieces(bare))
    except ValueError:  # a brace by itself
        return bare


def holes(text: str) -> set[str]:
    """The arguments a sentence asks for."""
    try:
        braces = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        braces = set()
    return braces | set(re.findall(r"%\((\w+)\)s", text))


def tidy(text: str | None) -> str:
    return " ".join((text or "").split())
