"""Find the matching of the greatest weight: a program that is run for each Swiss round.

networkx takes 23 MB, which no worker has to hold for what is asked once in a round.
Reads JSON from standard input, `[[one, other, weight], ...]`, and writes the pairs.
"""

import json
import sys

import networkx


def matching(edges: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return the pairs that leave as few as possible alone, and of these those of the greatest weight."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from(edges)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matched)


if __name__ == "__main__":
    print(json.dumps(matching(json.load(sys.stdin.buffer))))
