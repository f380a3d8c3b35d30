"""Backups: one file that holds a site's database and keys, made while the site runs, and read back."""
