"""What leaderboards are read by: the number that a rating is shown as, and when a game of a kind ended."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

RATINGS = sa.table("ratings", *map(sa.column, ("game", "player", "mu", "sigma", "shown")))


def upgrade() -> None:
    op.add_column("ratings", sa.Column("shown", sa.Integer))
    show_ratings()
    with op.batch_alter_table("ratings") as batch:
        batch.alter_column("shown", nullable=False)
    op.create_index("ix_ratings_game", "ratings", ["game", "shown"])
    op.create_index("ix_records_game", "records", ["game", "ended"])


def show_ratings() -> None:
    """Write down the number that each rating is shown as."""
    connection = op.get_bind()
    found = connection.execute(
        sa.select(RATINGS.c.game, RATINGS.c.player, RATINGS.c.mu, RATINGS.c.sigma)
    ).all()
    if found:
        one = sa.and_(RATINGS.c.game == sa.bindparam("of"), RATINGS.c.player == sa.bindparam("who"))
        connection.execute(
            RATINGS.update().where(one).values(shown=sa.bindparam("number")),
            [
                {"of": game, "who": player, "number": round(1000 + 40 * (mu - 3 * sigma))}
                for game, player, mu, sigma in found
            ],
        )
