"""The games: drop a folder with a rules.py in here and it is on the site."""
