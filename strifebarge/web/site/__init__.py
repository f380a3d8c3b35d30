"""Pages that belong to no table: lobby, manual, leaderboards, tournaments, host's page, errors, probes."""
