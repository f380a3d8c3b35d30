"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_tables()
    create_talk()
    create_results()
    create_clocks()
    create_accounts()
    create_notifications()
    create_site()
    create_subscriptions()
    create_tournaments()


def create_tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("host", sa.String),
        sa.Column("parent", sa.String),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("ended", sa.Double),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("due", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("parent", name="uq_tables_parent"),
    )
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_table(
        "chairs",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("player", sa.String),
        sa.Column("to_move", sa.Boolean, nullable=False),
        sa.Column("coplayer", sa.Integer, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_chairs_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "seat", "coplayer", name="pk_chairs"),
    )
    op.create_index("ix_chairs_player", "chairs", ["player", "to_move"])
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_invitations_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_invitations"),
    )
    op.create_index("ix_invitations_player", "invitations", ["player"])
    op.create_table(
        "listings",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("pace", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("free_seats", sa.Integer, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_listings_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name="pk_listings"),
    )
    op.create_index("ix_listings_changed", "listings", ["changed"])
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("action", sa.Text),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.String, nullable=False),
        sa.Column("final", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("step", sa.Integer, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_moves_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", "step", name="pk_moves"),
    )
    op.create_table(
        "receipts",
        sa.Column("key", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_receipts_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key", name="pk_receipts"),
    )
    op.create_index("ix_receipts_table_id", "receipts", ["table_id"])
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_snapshots_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_snapshots"),
    )


def create_talk() -> None:
    op.create_table(
        "mutes",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("other", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("player", "other", name="pk_mutes"),
    )
    op.create_table(
        "chat_messages",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("phrase", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("reported", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_chat_messages_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_chat_messages"),
    )
    op.create_table(
        "notes",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_notes_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "player", "seat", name="pk_notes"),
    )


def create_results() -> None:
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
        sa.Column("displayed", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "player", name="pk_ratings"),
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "displayed"])
    op.create_index("ix_ratings_player", "ratings", ["player"])
    op.create_table(
        "records",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Integer),
        sa.Column("series", sa.String, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_records_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.UniqueConstraint("game", "rated", name="uq_records_game"),
        sa.UniqueConstraint("table_id", name="uq_records_table_id"),
    )
    op.create_index("ix_records_game", "records", ["game", "ended"])
    op.create_index("ix_records_series", "records", ["series"])
    op.create_table(
        "record_players",
        sa.Column("record_id", sa.String, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("team", sa.Integer, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Double),
        sa.Column("sigma", sa.Double),
        sa.ForeignKeyConstraint(
            ["record_id"], ["records.id"], name="fk_record_players_record_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("record_id", "seat", "player", name="pk_record_players"),
    )
    op.create_index("ix_record_players_player", "record_players", ["player"])


def create_clocks() -> None:
    op.create_table(
        "forms_being_judged",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("arrived", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_forms_being_judged"),
    )
    op.create_index("ix_forms_being_judged_table_id", "forms_being_judged", ["table_id"])
    op.create_table(
        "site_time",
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("machine", sa.String, nullable=False),
        sa.Column("uptime", sa.Double, nullable=False),
        sa.Column("reference", sa.Double, nullable=False),
        sa.Column("clock_offset", sa.Double, nullable=False),
        sa.Column("offset_since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("machine", name="pk_site_time"),
    )
    op.create_table(
        "uptime_periods",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("allowed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_uptime_periods"),
    )
    op.create_table(
        "vacations",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("began", sa.Double, autoincrement=False, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", "began", name="pk_vacations"),
    )
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_presence_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_presence"),
    )
    op.create_table(
        "spectators",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("mark", sa.String, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_spectators_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "mark", name="pk_spectators"),
    )
    op.create_index("ix_spectators_until", "spectators", ["until"])


def create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("login", sa.String, nullable=False),
        sa.Column("password", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("skeleton", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_accounts"),
        sa.UniqueConstraint("login", name="uq_accounts_login"),
    )
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"], unique=True)
    op.create_table(
        "device_codes",
        sa.Column("code_hash", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("used_by", sa.String),
        sa.PrimaryKeyConstraint("code_hash", name="pk_device_codes"),
    )
    op.create_index("ix_device_codes_expires", "device_codes", ["expires"])
    op.create_index("ix_device_codes_player", "device_codes", ["player"])
    op.create_table(
        "devices",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("last_seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_devices"),
    )
    op.create_index("ix_devices_player", "devices", ["player"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("last_used", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_player", "passkeys", ["player"])
    op.create_table(
        "personal_links",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("last_used", sa.Double),
        sa.PrimaryKeyConstraint("player", name="pk_personal_links"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("public", sa.String, nullable=False),
        sa.Column("preferences", sa.Text, nullable=False),
        sa.Column("gone", sa.String, nullable=False),
        sa.Column("ban", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("public", name="uq_players_public"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("scopes", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("last_used", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
    )
    op.create_index("ix_tokens_hash", "tokens", ["hash"], unique=True)
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.create_table(
        "traces",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_traces_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_traces"),
    )
    op.create_index("ix_traces_player", "traces", ["player"])


def create_notifications() -> None:
    op.create_table(
        "channels",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("retry", sa.Double, nullable=False),
        sa.Column("lease", sa.Double, nullable=False),
        sa.Column("device", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_channels"),
        sa.UniqueConstraint("player", "kind", "address", name="uq_channels_player"),
    )
    op.create_index("ix_channels_address", "channels", ["address"])
    op.create_table(
        "nudges",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_nudges"),
    )
    op.create_table(
        "subscribers",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_subscribers"),
    )
    op.create_table(
        "notifications",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("table_id", sa.String),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.Column("sent", sa.Double),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_notifications_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_notifications"),
        sa.UniqueConstraint("table_id", "player", "kind", name="uq_notifications_table_id"),
    )
    op.create_index("ix_notifications_player", "notifications", ["player"])
    op.create_index("ix_notifications_sent", "notifications", ["sent", "due"])
    op.create_table(
        "page_visits",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_page_visits_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_page_visits"),
    )
    op.create_table(
        "deliveries",
        sa.Column("notification_id", sa.String, nullable=False),
        sa.Column("channel_id", sa.String, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channels.id"], name="fk_deliveries_channel_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["notification_id"],
            ["notifications.id"],
            name="fk_deliveries_notification_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("notification_id", "channel_id", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_channel_id", "deliveries", ["channel_id", "due"])


def create_site() -> None:
    op.create_table(
        "audit_log",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("act", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("form_key", sa.String),
        sa.PrimaryKeyConstraint("number", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_form_key", "audit_log", ["form_key"], unique=True)
    op.create_table(
        "host_sessions",
        sa.Column("key_hash", sa.String, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("is_link", sa.Boolean, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_host_sessions"),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
    op.create_table(
        "web_sessions",
        sa.Column("sid_hash", sa.String, nullable=False),
        sa.Column("device", sa.String),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("sid_hash", name="pk_web_sessions"),
    )
    op.create_index("ix_web_sessions_expires", "web_sessions", ["expires"])


def create_subscriptions() -> None:
    op.create_table(
        "followers",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("floor", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("last_seen", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["token"], ["tokens.id"], name="fk_followers_token", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token", name="pk_followers"),
    )
    op.create_index("ix_followers_last_seen", "followers", ["last_seen"])
    op.create_table(
        "events",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["token"], ["followers.token"], name="fk_events_token", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token", "number", name="pk_events"),
    )
    op.create_index("ix_events_table_id", "events", ["table_id"])
    op.create_table(
        "followed_tables",
        sa.Column("token", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("state", sa.LargeBinary),
        sa.ForeignKeyConstraint(
            ["token"], ["followers.token"], name="fk_followed_tables_token", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token", "table_id", name="pk_followed_tables"),
    )
    op.create_index("ix_followed_tables_table_id", "followed_tables", ["table_id"])


def create_tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("organiser", sa.String),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_organiser", "tournaments", ["organiser"])
    op.create_index("ix_tournaments_stage", "tournaments", ["stage", "changed"])
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("player", sa.String),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("draw", sa.Integer, nullable=False),
        sa.Column("first_round", sa.Integer, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_entrants_tournament_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
    )
    op.create_index("ix_entrants_player", "entrants", ["player"])
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("round", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("board", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("attempt", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("table_id", sa.String),
        sa.Column("outcome", sa.String, nullable=False),
        sa.Column("entrants", sa.Text, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
        sa.Column("bye", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_games_tournament_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "round", "board", "attempt", name="pk_tournament_games"),
    )
    op.create_index("ix_tournament_games_table_id", "tournament_games", ["table_id"])
    op.create_table(
        "tournament_receipts",
        sa.Column("key", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_receipts_tournament_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name="pk_tournament_receipts"),
    )
    op.create_index("ix_tournament_receipts_tournament_id", "tournament_receipts", ["tournament_id"])
