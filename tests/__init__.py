"""The tests.  A package, so that another package's stray `tests` cannot take its place."""
