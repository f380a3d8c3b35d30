"""JSON Schemas of a game: its actions, options and view, generated from its classes."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from strifebarge.api.ports import Language
from strifebarge.api.words import Sentences
from strifebarge.rules import Hidden, Refusal, Secret, Standard
from strifebarge.rules.action import label_of
from strifebarge.rules.chance import Chance
from strifebarge.rules.notation import tag
from strifebarge.rules.schema import actions, options_type, refusals, seat_numbers, usual_seats
from strifebarge.tables.library.library import Title

Schema = dict[str, Any]


class ActionSchema(Struct):
    """A kind of action, with its name, its words and the schema of its JSON form."""

    do: str
    text: str
    schema: Schema


class RefusalSchema(Struct):
    """A reason that a game gives, with its sentence and, where it has one, its number: `code`."""

    token: str
    text: str
    code: int | None


class GameSchema(Struct):
    """All that a program can know of a game from its classes."""

    game: str
    title: str
    version: int
    players: list[int]
    usual: int
    actions: list[ActionSchema]
    options: Schema
    view: Schema
    refusals: list[RefusalSchema]
    questions: dict[str, str]


def schema_of(title: Title, language: Language) -> GameSchema:
    """Return the schemas of a game, with its words in a language."""
    sentences, rules = Sentences(language, title=title), title.rules
    kinds = [
        ActionSchema(tag(kind), sentences.game_words(label_of(kind)), _schema(kind))
        for kind in actions(rules)
    ]
    return GameSchema(
        game=title.slug,
        title=sentences.game_words(title.title),
        version=title.version,
        players=[each for each in seat_numbers(rules) if title.allows(each)],
        usual=usual_seats(rules),
        actions=kinds,
        options=_schema(options_type(rules)),
        view=_schema(rules) | {"description": "null stands for what the viewer may not see."},
        refusals=refusal_schemas((*Standard, *refusals(rules)), sentences),
        questions={name: sentences.game_words(question) for name, question in rules.questions.items()},
    )


def refusal_schemas(reasons: Iterable[Refusal], sentences: Sentences) -> list[RefusalSchema]:
    """Return how programs know these reasons."""
    return [RefusalSchema(each.token, sentences.game_words(each.sentence), each.number) for each in reasons]


@lru_cache(256)  # of each game
def _schema(kind: Any) -> Schema:
    return msgspec.json.schema(kind, schema_hook=_hidden)


def _hidden(kind: Any) -> Schema:
    """Return the schema of what msgspec does not know: hidden things, chance, and an author's own classes."""
    origin = getattr(kind, "__origin__", kind)
    inner = _simple(get_args(kind))
    if origin is Hidden:
        return {"type": "array", "items": inner, "description": "null where it is hidden"}
    if origin is Secret:
        return inner | {"description": "null where it is hidden"}
    return {"type": "null"} if origin is Chance else {}


def _simple(types: tuple[Any, ...]) -> Schema:
    """Return the schema of what is held, if it refers to nothing that refers to more."""
    if len(types) != 1:
        return {}
    try:
        result = msgspec.json.schema(types[0] | None)
    except TypeError:
        return {}
    definitions = {f"#/$defs/{name}": each for name, each in result.pop("$defs", {}).items()}
    whole = _filled_in(result, definitions)
    return {} if b'"$ref"' in msgspec.json.encode(whole) else whole


def _filled_in(schema: Any, definitions: Schema) -> Any:
    """Return a schema with what it refers to in its place."""
    match schema:
        case {"$ref": name}:
            return definitions.get(name, schema)
        case {"anyOf": several}:
            return {**schema, "anyOf": [_filled_in(each, definitions) for each in several]}
    return schema
