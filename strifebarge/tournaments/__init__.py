"""Tournaments: their entrants, how rounds are paired, how results count, and how the entrants stand."""
