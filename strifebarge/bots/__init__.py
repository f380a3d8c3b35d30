"""Bots: how they think, and the process that plays their seats."""
