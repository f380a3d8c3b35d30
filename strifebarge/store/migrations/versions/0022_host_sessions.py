"""Links and sessions of the site's hosts, and by which form an act in the audit log came."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "host_sessions",
        sa.Column("key_hash", sa.String, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("is_link", sa.Boolean, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_host_sessions"),
    )
    op.add_column("audit_log", sa.Column("form_key", sa.String))
    op.create_index("ix_audit_log_form_key", "audit_log", ["form_key"], unique=True)
