"""Tournaments, who plays in them, their games, and the forms that were accepted there."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("organiser", sa.String, nullable=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_organiser", "tournaments", ["organiser"])
    op.create_index("ix_tournaments_stage", "tournaments", ["stage", "changed"])
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player", sa.String, nullable=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("draw", sa.Integer, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
        _belongs_to("entrants"),
    )
    op.create_index("ix_entrants_player", "entrants", ["player"])
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("board", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String, nullable=True),
        sa.Column("outcome", sa.String, nullable=False),
        sa.Column("entrants", sa.Text, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
        sa.Column("bye", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "round", "board", "attempt", name="pk_tournament_games"),
        _belongs_to("tournament_games"),
    )
    op.create_index("ix_tournament_games_table_id", "tournament_games", ["table_id"])
    op.create_table(
        "tournament_receipts",
        sa.Column("key", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_tournament_receipts"),
        _belongs_to("tournament_receipts"),
    )
    op.create_index("ix_tournament_receipts_tournament_id", "tournament_receipts", ["tournament_id"])


def _belongs_to(table: str) -> sa.ForeignKeyConstraint:
    """Return the key by which rows are deleted with their tournament."""
    return sa.ForeignKeyConstraint(
        ["tournament_id"], ["tournaments.id"], ondelete="CASCADE", name=f"fk_{table}_tournament_id"
    )
