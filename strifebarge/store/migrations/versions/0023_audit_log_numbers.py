"""Numbers of new entries in the audit log of a database that was copied to PostgreSQL."""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Number new entries after those that are there; where there is none, nothing is set."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT setval(pg_get_serial_sequence('audit_log', 'number'), max(number)) FROM audit_log")
