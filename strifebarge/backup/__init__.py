"""Backups: copies of a site's database and keys, made while the site runs, and restored."""
