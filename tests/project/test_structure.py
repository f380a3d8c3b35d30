"""The structure of the code: which modules there are, and how they hang together."""

from graphlib import TopologicalSorter

import grimp


def test_no_imports_go_round_in_a_circle():
    graph = grimp.build_graph("strifebarge", "games", cache_dir=None, exclude_type_checking_imports=True)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 200
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle
