"""A dictionary bounded in bytes: what was put first makes room, and nothing is counted twice."""

from strifebarge.lib.sized import SizedDict


def test_what_was_put_first_makes_room() -> None:
    sized = SizedDict[str, int](most=10)
    for number, key in enumerate("abc"):
        sized.put(key, number, 4)
    assert [sized.get(key) for key in "abc"] == [None, 1, 2]
    assert sized.bytes == 8


def test_a_value_that_is_put_again_or_removed_is_counted_once() -> None:
    sized = SizedDict[str, int](most=10)
    sized.put("a", 0, 4)
    sized.put("b", 1, 4)
    sized.put("a", 2, 2)
    assert sized.bytes == 6
    sized.put("c", 3, 5)
    assert (sized.get("b"), sized.pop("a"), sized.pop("a")) == (None, 2, None)
    assert sized.bytes == 5
    sized.clear()
    assert (sized.get("c"), sized.bytes) == (None, 0)


def test_a_value_that_takes_more_than_half_of_all_removes_no_other() -> None:
    sized = SizedDict[str, int](most=10)
    sized.put("a", 0, 4)
    sized.put("b", 1, 6)
    assert (sized.get("a"), sized.get("b")) == (0, None)
