"""Tournaments: their pairings, how they stand, and how they are played."""
