"""A database of an earlier version goes on with the code of today."""
