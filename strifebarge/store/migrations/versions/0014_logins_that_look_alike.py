"""Names to sign in with that look alike belong to one person."""

import sqlalchemy as sa
from alembic import op

from strifebarge.table.lookalikes import skeleton

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("skeleton", sa.String))
    accounts = sa.table(
        "accounts", sa.column("player"), sa.column("login"), sa.column("skeleton"), sa.column("since")
    )
    connection, taken = op.get_bind(), set()
    wanted = sa.select(accounts.c.player, accounts.c.login).order_by(accounts.c.since, accounts.c.player)
    for player, login in connection.execute(wanted).all():
        looks = skeleton(login)
        if looks not in taken:  # people who have such names already keep them
            connection.execute(sa.update(accounts).where(accounts.c.player == player).values(skeleton=looks))
            taken.add(looks)
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"], unique=True)
