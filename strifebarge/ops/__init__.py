"""Logs, metrics and health of a running site."""
