"""Tests of what is pure about a table: the bookkeeper."""
