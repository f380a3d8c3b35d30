"""In two worlds that look alike to somebody, their programs are told the same events, by the same numbers."""

from collections import Counter
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from strifebarge.api import event_views
from strifebarge.api.event_writer import EventWriter
from strifebarge.api.events import StreamEvent
from strifebarge.client import fold
from strifebarge.fuzz.acts import GameOperation
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library

from .comparing import scenes
from .pairs import Company, Pair, Scene
from .programs import Caller
from .worlds import Broken, Leak, Person, Twins

USUAL = [pytest.param(title.slug, usual_seats(title.rules), id=title.slug) for title in Library()]
CALLERS: WeakKeyDictionary[Person, Caller] = WeakKeyDictionary()
MINDS = Scene("rps", 2, {"best_of": 7}, 0, 3)  # in which somebody chooses, and may choose anew


class FollowedPair(Pair):
    """A table that the viewer's program follows from its deal on; its events are compared after each act."""

    caller: Caller | None = None
    followed: dict[str, Any]
    told = 0

    def __init__(self, twins: Twins, company: Company, scene: Scene):
        super().__init__(twins, company, scene)
        self.spectator = company.spectator

    def look(self) -> None:
        """Fold the events since the last look, which must lead to the state."""
        if self.caller is None:
            who = self.spectator if self.viewer is None else self.people[self.viewer]
            # A person has few tokens; the spectator's follows one table after the other.
            self.caller = CALLERS[who] = CALLERS.get(who) or Caller(self.twins, who)
            self.followed = self.caller.call("table.follow", table=self.id)
            self.after = self.followed["event"]
        more = True
        while more:
            page = self.caller.call("events", after=self.after)
            for event in page["events"]:
                self.followed = fold(self.followed, event)
            self.told, self.after, more = self.told + len(page["events"]), page["next"], page["more"]
        if self.followed["state"] != self.caller.call("table.state", table=self.id, stable=True):
            raise Broken(f"{self.scene}: the events do not lead to the state")

    def try_out(self, seat: int) -> None:
        self.look()
        super().try_out(seat)
        self.look()

    def compose(self, op: GameOperation) -> None:
        self.look()
        super().compose(op)
        if self.dice.below(2):
            self.look()

    def step(self, op: GameOperation, twin: GameOperation) -> None:
        super().step(op, twin)
        if self.dice.below(2):
            self.look()

    def change_minds(self, seats: set[int], late: float) -> None:
        super().change_minds(seats, late)
        self.look()


def compare(twins: Twins, company: Company, game: str, seats: int, each: int, most: int) -> None:
    for scene in [*scenes(twins.one.referee.library[game], seats, each)][:most]:
        pair = FollowedPair(twins, company, scene._replace(length=max(4, min(scene.length, 12)))).play()
        twins.tally["events"] += pair.told


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_events_tell_no_two_worlds_apart(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    compare(twins, company, game, seats, 1, 3)
    assert tally["events"] > tally["pairs"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_events_tell_no_two_worlds_apart_in_many(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    compare(twins, company, game, seats, 3, 12)


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize("planted", ["an event for each revision", "a number for each look"])
def test_a_planted_leak_is_found(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    """Guards against comparing nothing: what counts what is hidden is seen to."""
    if planted == "an event for each revision":
        word = event_views.table_etag
        monkeypatch.setattr(
            event_views, "table_etag", lambda table, here, who: f"{word(table, here, who)}.{table.revision}"
        )
    else:
        written = EventWriter.written

        def by_turn(writer: EventWriter, now: float) -> Any:
            writer.events.append((now, StreamEvent(id=0, event="table", table="any")))
            return written(writer, now)

        monkeypatch.setattr(EventWriter, "written", by_turn)
    twins = Twins(tmp_path, migrated)
    with pytest.raises(Leak, match="events"):
        follow_some(twins, Company(twins))


def follow_some(twins: Twins, company: Company) -> None:
    for nth in range(4):
        for scene in (MINDS, Scene("mirrow", 2, {}, 0, 8)):
            FollowedPair(twins, company, scene._replace(nth=nth)).play()
