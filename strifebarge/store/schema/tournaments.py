"""Tournaments, who plays in them, and their games."""

from typing import Any

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, String, Table, Text

from strifebarge.store.schema.base import metadata

# `body` says how its games are played.
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("stage", String, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("organiser", String, index=True),
    Column("revision", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_tournaments_stage", "stage", "changed"),
)


def tournament_id(**options: Any) -> Column[str]:
    """Return the column of the tournament that a row belongs to, and is deleted with."""
    return Column("tournament_id", String, ForeignKey(tournaments.c.id, ondelete="CASCADE"), **options)


entrants = Table(
    "entrants",
    metadata,
    tournament_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player", String, index=True),
    Column("name", String, nullable=False),
    Column("draw", Integer, nullable=False),
    Column("first_round", Integer, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
)

# The games of the rounds; a table may be deleted, and its game still counts.
tournament_games = Table(
    "tournament_games",
    metadata,
    tournament_id(primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String, index=True),
    Column("outcome", String, nullable=False),
    Column("entrants", Text, nullable=False),
    Column("places", Text, nullable=False),
    Column("bye", Integer, nullable=False),
)

# The forms that were accepted at tournaments, as `receipts` has those of tables.
tournament_receipts = Table(
    "tournament_receipts",
    metadata,
    Column("key", String, primary_key=True),
    Column("player", String, nullable=False),
    tournament_id(nullable=False, index=True),
    Column("digest", String, nullable=False),
    Column("at", Double, nullable=False),
)
