"""Bots: the search that chooses a move, and the process that plays the bots' seats."""
