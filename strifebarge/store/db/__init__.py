"""The database: connections and transactions."""
