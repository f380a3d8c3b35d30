"""The settings of a table, as everybody sees them."""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.rules import Game
from strifebarge.rules.chance import commitment
from strifebarge.rules.schema import Choice, Field, form_fields, options_type
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.status import AbsencePolicy, ResultUse, Seating, StartRule, Status
from strifebarge.tables.model.table import Table


class SettingsView(Struct, kw_only=True):
    """The options of the game and the terms of the table."""

    options: list[tuple[Field, Choice]]
    values: dict[str, Any]  # the same options as JSON
    set_by: dict[str, str]  # by option or term: the name of the player who chose it
    digest: str  # names these settings in the form of somebody who agrees to them
    commitment: str  # SHA-256 of the seed, in hexadecimal
    seed: str | None  # None before the game is over
    begins: StartRule
    seating: Seating
    watching: int  # moves by which spectators are behind; NOBODY: there are none
    patience: int  # seconds that a seat may keep the others waiting
    remedy: AbsencePolicy
    afterwards: ResultUse
    language: str
    shared: bool  # somebody may have several seats at one device
    listed: bool  # the table is on the list of open tables
    one_sitting: bool  # all players are present while it is played
    is_rematch: bool
    chat_closed: bool
    tournament: str  # the id of the tournament whose game it is; "" for none
    bots: bool  # a bot plays here, or has played: the game is not rated


def settings_of(table: Table, title: Title) -> SettingsView:
    """Return the settings of a table."""
    return SettingsView(
        options=chosen_options(table, title),
        values=table.settings.options,
        set_by=table.settings.set_by,
        digest=table.at_issue,
        commitment=commitment(table.seed),
        seed=table.seed if table.status is Status.OVER else None,
        begins=table.settings.begins,
        seating=table.settings.seating,
        watching=table.settings.watching,
        patience=table.settings.patience,
        remedy=table.settings.remedy,
        afterwards=table.settings.afterwards,
        language=table.settings.language,
        shared=table.settings.shared,
        listed=table.settings.listed,
        one_sitting=table.live,
        is_rematch=table.series.parent is not None,
        chat_closed=table.chat_closed,
        tournament=table.tournament,
        bots=table.with_bots,
    )


def chosen_options(table: Table, title: Title) -> list[tuple[Field, Choice]]:
    """Return the options that a table is played with, each with the words for what was chosen."""
    return options_in_words(table.settings.options, title)


def options_in_words(options: dict[str, Any], title: Title) -> list[tuple[Field, Choice]]:
    """Return options of a game, each with the words for what was chosen."""
    return [*_in_words(title.rules, msgspec.json.encode(options))]


@lru_cache(256)
def _in_words(rules: type[Game[Any]], encoded: bytes) -> list[tuple[Field, Choice]]:
    """Return the words for options of a game; they are remembered, for many tables have the same."""
    options, chosen = msgspec.json.decode(encoded), []
    for field in form_fields(options_type(rules)):
        value = options.get(field.name, field.default)
        plain = str(value).lower() if isinstance(value, bool) else str(value)
        if not plain:
            continue  # a text left empty
        label = next((choice.label for choice in field.choices if choice.value == plain), plain)
        chosen.append((field, Choice(plain, label)))
    return chosen
