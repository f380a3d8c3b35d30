"""People who are kept out by a host of the site."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("players", sa.Column("ban", sa.Text))
