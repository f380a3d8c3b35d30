"""Results: entries, ratings, leaderboards and records of games that are over, and the check of records."""
