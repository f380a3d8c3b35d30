"""Notices: what people want to be told, where, the letters on their way, and who was nudged."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "readers",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_readers"),
    )
    op.create_table(
        "addresses",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("way", sa.String, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("trouble", sa.Text, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("retry", sa.Double, nullable=False),
        sa.Column("lease", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_addresses"),
        sa.UniqueConstraint("player", "way", "place", name="uq_addresses_player"),
    )
    op.create_index("ix_addresses_place", "addresses", ["place"])
    op.create_table(
        "letters",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("table_id", sa.String),
        sa.Column("made", sa.Double, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.Column("told", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_letters"),
        sa.UniqueConstraint("table_id", "player", "kind", name="uq_letters_table_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_letters_table_id", ondelete="CASCADE"),
    )
    op.create_index("ix_letters_player", "letters", ["player"])
    op.create_index("ix_letters_told", "letters", ["told", "due"])
    op.create_table(
        "sendings",
        sa.Column("letter_id", sa.String, nullable=False),
        sa.Column("address_id", sa.String, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("letter_id", "address_id", name="pk_sendings"),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letters.id"], name="fk_sendings_letter_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["address_id"], ["addresses.id"], name="fk_sendings_address_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_sendings_address_id", "sendings", ["address_id", "due"])
    op.create_table(
        "looks",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_looks"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_looks_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "nudges",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_nudges"),
    )
