"""Access to the database and to Redis: connections, transactions, prepared statements and probes."""
