"""The pages and forms of one table, its streams, and the pages of its record."""
