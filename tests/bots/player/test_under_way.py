"""What the process of the bots notes for the one after it, so that one table does not cost both."""

from contextlib import ExitStack

from strifebarge.bots.player.under_way import MOST, RESTS, UnderWay

HERE, THERE = ("TABLE001", 1), ("TABLE002", 0)


def test_a_seat_at_which_the_process_ended_rests_longer_each_time_until_it_has_moved(tmp_path) -> None:
    file = tmp_path / "noted"
    for rests in (*RESTS, RESTS[-1]):
        dying = UnderWay(file)
        with dying.noted(THERE):
            pass
        with dying.noted(HERE):
            dying.close()
        after = UnderWay(file)
        assert after.left_alone() == {HERE: rests}
        after.close()
    # One that ends for another reason costs no seat more, and lets those rest that rested.
    again = UnderWay(file)
    assert {*again.left_alone()} == {HERE}
    again.moved(HERE)
    again.close()
    assert not UnderWay(file).left_alone()


def test_a_file_that_is_broken_or_cannot_be_made_stops_nobody(tmp_path) -> None:
    file = tmp_path / "noted"
    file.write_bytes(b"{not at all")
    for notes in (UnderWay(file), UnderWay(tmp_path / "nowhere" / "noted"), UnderWay()):
        assert not notes.left_alone()
        with notes.noted(HERE):
            pass
        notes.close()


def test_not_more_seats_are_remembered_than_a_file_should_hold(tmp_path) -> None:
    file = tmp_path / "noted"
    dying = UnderWay(file)
    with ExitStack() as stack:
        for seat in range(2 * MOST):
            stack.enter_context(dying.noted(("TABLE001", seat)))
        dying.close()
    assert len(UnderWay(file).left_alone()) == MOST
