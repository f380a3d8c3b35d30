"""Serve the site with gunicorn: its workers, their lane of forms and memory, and what watches games' code."""
