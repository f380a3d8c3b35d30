"""Play at a table: the referee, the matches that it judges by, queries, and what happens by time alone."""
