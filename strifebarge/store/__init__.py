"""The store: a repository for each service on SQLite or PostgreSQL, and the statements that they send."""
