"""Rules that are mended while games run: what a fingerprint does not mind, and what it does."""

from typing import Any

import pytest

from strifebarge.rules import Action, Game, Note, Options, Seat
from strifebarge.rules.match import Match


class Count(Action):
    """Count one on."""


class Settings(Options, frozen=True):
    up_to: int = 3


class Counter(Seat):
    counted: int = 0


class Counting(Game[Counter]):
    """Count in turn."""

    title = "Counting"
    options: Settings = Settings()
    total: int = 0

    async def play(self) -> Any:
        for seat in self.round():
            await self.ask(seat, self.words, [Count()])
            seat.counted += 1
            self.total += self.step
        return self.ranking() if self.total >= self.options.up_to else self.play

    words = "Count."
    step = 1


class MoreSettings(Settings, frozen=True):
    aloud: bool = False


class MoreCounter(Counter):
    applause: list[int] = []


class WithMore(Counting, kw_only=True):
    """The same with a field, a seat's field and an option more, and in other words."""

    options: MoreSettings = MoreSettings()
    seats: list[MoreCounter]
    pauses: int = 0
    words = "Count one on, please."


class Noting(Counting, kw_only=True):
    """The same, and it is noted who counted."""

    counted_by: Note[list[int]] = []

    async def play(self) -> Any:
        self.counted_by.append(self.total)
        return await super().play()


class ByTwos(Counting):
    """The same moves, but they lead elsewhere."""

    step = 2


def taken_up_by(rules: type[Game[Any]], match: Match) -> Match:
    return Match(rules, match.snapshot, match.moves)


@pytest.mark.parametrize("moves", range(3))
def test_fields_and_options_at_their_defaults_and_other_words_change_no_fingerprint(moves: int) -> None:
    match = Match.new(Counting, seed="editions", options=Settings(up_to=9))
    for number in range(moves):
        match.move(number % 2, Count())
    assert taken_up_by(WithMore, match).fingerprint() == match.fingerprint()


def test_a_field_that_is_no_longer_at_its_default_changes_it() -> None:
    match = Match.new(WithMore, seed="editions")
    before = match.fingerprint()
    match.game.pauses = 1
    assert match.fingerprint() != before


@pytest.mark.parametrize("moves", range(3))
def test_a_note_changes_no_fingerprint_and_is_kept(moves: int) -> None:
    match = Match.new(Counting, seed="editions", options=Settings(up_to=9))
    noting = Match.new(Noting, seed="editions", options=Settings(up_to=9))
    for number in range(moves):
        for each in (match, noting):
            each.move(number % 2, Count())
    assert noting.fingerprint() == match.fingerprint()
    assert noting.view(None).counted_by == [0, 2][: 1 + (moves == 2)]


def test_another_position_changes_it() -> None:
    match = Match.new(Counting, seed="editions")
    match.move(0, Count())
    assert taken_up_by(ByTwos, match).fingerprint() != match.fingerprint()
