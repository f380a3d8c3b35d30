"""Notes of several at one device: whose they are and for which seat stood in one column, as "ann 1"."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

notes = sa.table("notes", sa.column("table_id"), sa.column("player"), sa.column("seat", sa.Integer))
traces = sa.table("traces", sa.column("player"))


def upgrade() -> None:
    op.add_column("notes", sa.Column("seat", sa.Integer))
    op.execute("UPDATE notes SET seat = -1")
    with op.batch_alter_table("notes") as batch:
        batch.alter_column("seat", nullable=False)
        batch.drop_constraint("pk_notes", type_="primary")
        batch.create_primary_key("pk_notes", ["table_id", "player", "seat"])
    connection = op.get_bind()
    together = notes.c.player.like("% %")
    for table, whose, _ in connection.execute(sa.select(notes).where(together)).all():
        player, _, seat = whose.partition(" ")
        here = (notes.c.table_id == table, notes.c.player == whose)
        connection.execute(sa.update(notes).where(*here).values(player=player, seat=int(seat)))
    # Of nobody: everyone who sits at a table has a trace of their own there.
    connection.execute(sa.delete(traces).where(traces.c.player.like("% %")))
