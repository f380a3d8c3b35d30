"""Patches from one JSON value to another (RFC 6902): what an event says has changed.  Pure.

They use three of its six operations, `add`, `remove` and `replace`, and lead to the very bytes: names of an
object come in the same order, and 1, 1.0 and true are told apart.
"""

from typing import Any

Patch = list[dict[str, Any]]
MOST_IN_LIST = 64  # items that are compared one by one where a list has lost or got some in its middle


def patch(before: Any, after: Any, path: str = "") -> Patch:
    """Return the operations that make one value the other; none if they are the same."""
    if is_same(before, after):
        return []
    if isinstance(before, dict) and isinstance(after, dict) and _keeps_order(before, after):
        return _of_object(before, after, path)
    if isinstance(before, list) and isinstance(after, list) and before and after:
        return _of_list(before, after, path)
    return [{"op": "replace", "path": path, "value": after}]


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON, to the byte."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(is_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def _keeps_order(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether what is new stands at the end, where `add` puts it."""
    common = [name for name in before if name in after]
    return list(after)[: len(common)] == common


def _of_object(before: dict[str, Any], after: dict[str, Any], path: str) -> Patch:
    operations: Patch = []
    for name in before:
        item_path = f"{path}/{_escaped(name)}"
        if name in after:
            operations += patch(before[name], after[name], item_path)
        else:
            operations.append({"op": "remove", "path": item_path})
    added = [name for name in after if name not in before]
    return operations + [
        {"op": "add", "path": f"{path}/{_escaped(name)}", "value": after[name]} for name in added
    ]


def _of_list(before: list[Any], after: list[Any], path: str) -> Patch:
    """Return what changes a list: its beginning and end are kept as far as they are the same."""
    shorter = min(len(before), len(after))
    head = _same(before, after, shorter)
    tail = _same(before[::-1], after[::-1], shorter - head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    gone = _lost_in_front(old, new)
    operations: Patch = [{"op": "remove", "path": f"{path}/{head}"} for _ in range(gone)]
    old = old[gone:]
    both = min(len(old), len(new))
    for index in range(both):
        operations += patch(old[index], new[index], f"{path}/{head + index}")
    operations += [{"op": "remove", "path": f"{path}/{head + both}"} for _ in old[both:]]
    operations += [
        {"op": "add", "path": f"{path}/{head + index}", "value": new[index]}
        for index in range(both, len(new))
    ]
    whole: Patch = [{"op": "replace", "path": path, "value": after}]
    return whole if len(operations) > len(after) + 1 else operations


def _lost_in_front(old: list[Any], new: list[Any]) -> int:
    """Return how many items a list has lost in front, as a log does whose oldest lines go."""
    for gone in range(1, min(len(old), MOST_IN_LIST)):
        rest = old[gone:]
        if len(rest) <= len(new) and all(map(is_same, rest, new)):
            return gone
    return 0


def _same(one: list[Any], other: list[Any], most: int) -> int:
    """Return how many items two lists have in common in front."""
    return next((index for index in range(most) if not is_same(one[index], other[index])), most)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
