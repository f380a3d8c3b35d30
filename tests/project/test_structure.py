"""The structure of the code: which modules there are, and how they hang together."""

import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHECKED = PROJECT["tool"]["importlinter"]["root_packages"]


def test_each_game_is_held_to_the_import_contracts():
    games = sorted(f"games.{path.parent.name}" for path in ROOT.glob("games/*/rules.py"))
    assert ["strifebarge", *games] == CHECKED


def test_no_imports_go_round_in_a_circle():
    graph = grimp.build_graph(*CHECKED, cache_dir=None, exclude_type_checking_imports=True)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert {"games.eights.rules", "strifebarge.rules.match"} <= imports.keys()
    assert len(imports) > 200
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle
