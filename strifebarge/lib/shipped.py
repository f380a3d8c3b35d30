"""The package `games`: the one that comes with the site, whatever else on this machine has that name.

It lies beside this package in a checkout, and inside it where it is installed, so that no other package
called `games` can overwrite it.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

NAME = "games"
HERE = Path(__file__).resolve().parents[1]


class OtherGames(ImportError):
    """A package called `games` that is not ours was read before ours."""


def _home() -> Path:
    installed = HERE / NAME
    return installed if installed.is_dir() else HERE.parent / NAME


def _ours() -> ModuleType:
    """Return the package, and let it be what `games` means in this process.  Raises OtherGames."""
    main = _home() / "__init__.py"
    there = sys.modules.get(NAME)
    if there is None:
        return _read(main)
    location = there.__file__ or next(iter(there.__path__), "?")  # one without __init__.py has no file
    if Path(location).resolve() != main:
        raise OtherGames(
            f"The package games of {location} was imported in place of StrifeBarge's, which is {main}: "
            "only one of them can be used in one process."
        )
    return there


def _read(main: Path) -> ModuleType:
    spec = spec_from_file_location(NAME, main, submodule_search_locations=[str(main.parent)])
    if spec is None or spec.loader is None or not main.is_file():
        raise ImportError(f"StrifeBarge is not whole: {main} is missing.")
    package = sys.modules[NAME] = module_from_spec(spec)
    spec.loader.exec_module(package)
    return package


games = _ours()
