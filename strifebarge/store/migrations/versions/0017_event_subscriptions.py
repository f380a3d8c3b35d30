"""Events that programs are told."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "followers",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("floor", sa.BigInteger, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_followers"),
        sa.ForeignKeyConstraint(["token"], ["tokens.id"], ondelete="CASCADE", name="fk_followers_token"),
    )
    op.create_index("ix_followers_seen", "followers", ["seen"])
    op.create_table(
        "followed",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=True),
        sa.PrimaryKeyConstraint("token", "table_id", name="pk_followed"),
        sa.ForeignKeyConstraint(["token"], ["followers.token"], ondelete="CASCADE", name="fk_followed_token"),
    )
    op.create_index("ix_followed_table_id", "followed", ["table_id"])
    op.create_table(
        "told_events",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("token", "number", name="pk_told_events"),
        sa.ForeignKeyConstraint(
            ["token"], ["followers.token"], ondelete="CASCADE", name="fk_told_events_token"
        ),
    )
    op.create_index("ix_told_events_table_id", "told_events", ["table_id"])
