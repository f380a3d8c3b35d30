"""A table and its parts: no clock, no disk."""
