"""The books: a record of each game that has ended, who sat there, ratings; and the page of each person."""

import json
from hashlib import sha256
from secrets import token_hex
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

FLAGS = ("Foxtrot", "Golf", "Juliett", "Lima", "Mike", "Oscar", "Sierra", "India")


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column("id", sa.String, nullable=False),
        sa.Column(
            "table_id",
            sa.String,
            sa.ForeignKey("tables.id", name="fk_records_table_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Integer),
        sa.Column("series", sa.String, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.UniqueConstraint("game", "rated", name="uq_records_game"),
        sa.UniqueConstraint("table_id", name="uq_records_table_id"),
    )
    op.create_index("ix_records_series", "records", ["series"])
    op.create_table(
        "sitters",
        sa.Column(
            "record_id",
            sa.String,
            sa.ForeignKey("records.id", name="fk_sitters_record_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("team", sa.Integer, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Double),
        sa.Column("sigma", sa.Double),
        sa.PrimaryKeyConstraint("record_id", "seat", "player", name="pk_sitters"),
    )
    op.create_index("ix_sitters_player", "sitters", ["player"])
    op.create_table(
        "ladders",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_ladders"),
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "player", name="pk_ratings"),
    )
    op.create_index("ix_ratings_player", "ratings", ["player"])
    give_everybody_a_page()
    enter_what_is_over()


def give_everybody_a_page() -> None:
    op.add_column("players", sa.Column("public", sa.String))
    players = sa.table("players", sa.column("id"), sa.column("public"))
    connection = op.get_bind()
    for id in connection.scalars(sa.select(players.c.id)).all():
        public = sha256(f"person {id}".encode()).hexdigest()[:16]
        connection.execute(players.update().where(players.c.id == id).values(public=public))
    with op.batch_alter_table("players") as batch:
        batch.alter_column("public", nullable=False)
        batch.create_unique_constraint("uq_players_public", ["public"])


def enter_what_is_over() -> None:
    """Games that ended before there were books: those who sat there at the end, and nothing made public."""
    tables = sa.table("tables", *map(sa.column, ("id", "status", "body")))
    of_records = ("id", "table_id", "game", "kind", "public", "series", "ended")
    records = sa.table("records", *map(sa.column, of_records))
    of_sitters = ("record_id", "seat", "team", "player", "name", "place", "shared")
    sitters = sa.table("sitters", *map(sa.column, of_sitters))
    connection = op.get_bind()
    over = connection.execute(sa.select(tables.c.id, tables.c.body).where(tables.c.status == "over")).all()
    series: dict[str, str] = {}
    for id, written in sorted(over, key=lambda row: json.loads(row.body).get("ended") or 0):
        body = json.loads(written)
        body["record"], places = token_hex(8), (body.get("result") or {}).get("places") or []
        # A rematch ends after the game that it is one of.
        series[id] = body["series"] = series.get(body.get("parent") or "", id)
        connection.execute(tables.update().where(tables.c.id == id).values(body=json.dumps(body)))
        kind = "finished" if body.get("result") else "unfinished"
        row = (body["record"], id, body["game"], kind, False, series[id], body.get("ended") or 0)
        connection.execute(records.insert().values(row))
        for chair in body["chairs"]:
            if chair.get("player"):
                seat, (place, shared) = chair["seat"], placed(chair["seat"], places)
                name = chair.get("name") or f"Guest {FLAGS[seat % len(FLAGS)]}"
                values = (body["record"], seat, seat, chair["player"], name, place, shared)
                connection.execute(sitters.insert().values(values))


def placed(seat: int, places: list[list[Any]]) -> tuple[int | None, bool]:
    better = 0
    for place in places:
        if seat in place:
            return better + 1, len(place) > 1
        better += len(place)
    return None, False
