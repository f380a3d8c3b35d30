"""Where tables, ledgers, people and sessions are kept: SQLite or PostgreSQL, and a Redis if there is one."""
