"""Tests of the store, each on SQLite and on PostgreSQL."""
