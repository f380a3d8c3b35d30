"""People: what they prefer, their devices, accounts and passkeys, and where anything is kept of them."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    with op.batch_alter_table("players") as batch:
        batch.add_column(sa.Column("preferences", sa.Text))
        batch.add_column(sa.Column("gone", sa.String))
    op.execute("UPDATE players SET preferences = '{}', gone = ''")
    with op.batch_alter_table("players") as batch:
        batch.alter_column("preferences", nullable=False)
        batch.alter_column("gone", nullable=False)
    op.create_table(
        "traces",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_traces"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_traces_table_id", ondelete="CASCADE"),
    )
    op.create_index("ix_traces_player", "traces", ["player"])
    op.create_table(
        "devices",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_devices"),
    )
    op.create_index("ix_devices_player", "devices", ["player"])
    op.create_table(
        "accounts",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("login", sa.String, nullable=False),
        sa.Column("password", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_accounts"),
        sa.UniqueConstraint("login", name="uq_accounts_login"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_player", "passkeys", ["player"])
    op.create_table(
        "codes",
        sa.Column("code_hash", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("spent", sa.String),
        sa.PrimaryKeyConstraint("code_hash", name="pk_codes"),
    )
    op.create_index("ix_codes_player", "codes", ["player"])
    op.create_index("ix_codes_expires", "codes", ["expires"])
    give_everybody_a_device()
    find_traces()


def give_everybody_a_device() -> None:
    """Sessions from before do not say which device they are: all of a person's together are one."""
    players = sa.table("players", *map(sa.column, ("id", "public", "created")))
    devices = sa.table("devices", *map(sa.column, ("id", "player", "name", "since", "seen")))
    found = sa.select(players.c.public, players.c.id, sa.literal(""), players.c.created, players.c.created)
    op.execute(devices.insert().from_select(["id", "player", "name", "since", "seen"], found))


def find_traces() -> None:
    tables = sa.table("tables", *map(sa.column, ("id", "body")))
    traces = sa.table("traces", *map(sa.column, ("table_id", "player")))
    connection = op.get_bind()
    for [id] in connection.execute(sa.select(tables.c.id)).all():
        body = json.loads(connection.scalar(sa.select(tables.c.body).where(tables.c.id == id)) or "{}")
        people = {body.get("host"), *((body.get("suspension") or {}).get("held") or {}).values()}
        for chair in body.get("chairs", []):
            people |= {chair.get("player"), *(chair.get("sat") or {})}
        for kind in ("said", "notes", "receipts"):
            beside = sa.table(kind, *map(sa.column, ("table_id", "player")))
            people |= set(connection.scalars(sa.select(beside.c.player).where(beside.c.table_id == id)))
        if people := {each for each in people if each}:
            connection.execute(traces.insert(), [{"table_id": id, "player": each} for each in people])
