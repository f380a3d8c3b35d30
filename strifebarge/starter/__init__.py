"""A new game to start from: small, whole, and already keeping every law."""

import keyword
import re
from collections.abc import Container
from importlib.resources import files
from pathlib import Path


class WrongName(Exception):
    """A name that cannot be a game's, and why."""


def new_game(name: str, folder: Path, taken: Container[str] = ()) -> Path:
    """Write a game of that name into `folder`; returns the folder made.  Raises WrongName."""
    slug = re.sub(r"[\s-]+", "_", name.strip().lower())
    if keyword.iskeyword(slug):
        raise WrongName(f"“{name}” is a word of Python itself: choose another name.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", slug):
        raise WrongName(f"“{name}” cannot be a folder of Python: letters, digits and _ only, a letter first.")
    home = folder / slug
    if home.exists():
        raise WrongName(f"{home} is there already.")
    if slug in taken:
        raise WrongName(f"There is a game “{slug}” already: choose another name.")
    title = " ".join(word.capitalize() for word in slug.split("_"))
    home.mkdir(parents=True)
    for page in ("rules.py", "about.md"):
        text = (files(__name__) / f"{page}.txt").read_text(encoding="utf-8")
        text = text.replace("@TITLE@", title).replace("@CLASS@", title.replace(" ", "") + "Game")
        (home / page).write_text(text, encoding="utf-8")
    return home
