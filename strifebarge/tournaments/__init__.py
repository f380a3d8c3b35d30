"""Tournaments: who plays in them, how their rounds are paired, and how they stand."""
