"""The steps of what is composed have one number."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("moves", sa.Column("step", sa.Integer))
    op.execute("UPDATE moves SET step = 0")
    with op.batch_alter_table("moves") as batch:
        batch.alter_column("step", nullable=False)
        batch.drop_constraint("pk_moves", type_="primary")
        batch.create_primary_key("pk_moves", ["table_id", "number", "step"])
