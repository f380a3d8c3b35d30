"""Enters games that have ended into the books: who sat where, who came where, who is rated.  Pure.

A rating is always made from the books, and a game is in the books once: so all of them can be made anew, and
come out the same.
"""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from openskill.models import PlackettLuce

from strifebarge.rules import Ranking, Text

from .entry import Entry, Kind, Rating, Seated
from .ports import Change, Ladder
from .table import Afterwards, Table

Team = list[Seated]


def enter(change: Change, table: Table) -> Entry:
    """Write a game that is over into the books, and the ratings that follow from it."""
    entry = entry_of(table)
    if table.afterwards is Afterwards.RATED and unrated(table) is None:
        entry.rated = change.next_rated(table.game)
        people = sorted({each.player for each in entry.seats})
        change.rate(table.game, rate(entry, change.ratings(table.game, people)))
    change.enter(entry)
    return entry


def entry_of(table: Table) -> Entry:
    """What the books say of a table whose game is over; not yet rated."""
    return Entry(
        id=table.record,
        table=table.id,
        game=table.game,
        kind=kind_of(table),
        public=table.afterwards is not Afterwards.QUIET,
        series=table.series or table.id,
        ended=table.ended or 0,
        seats=[
            Seated(chair.seat, team_of(chair.seat, table.result)[0], player, name, *placed(chair.seat, table))
            for chair in table.chairs
            for player, name in _people(chair.sat, chair.player, chair.called)
        ],
    )


def kind_of(table: Table) -> Kind:
    if table.imported:
        return Kind.IMPORTED
    return Kind.FINISHED if table.result else Kind.UNFINISHED


def _people(sat: dict[str, str], player: str | None, called: str) -> Iterable[tuple[str, str]]:
    # A table that began before there were books knows only who sits there now.
    return sat.items() if sat or player is None else [(player, called)]


def team_of(seat: int, result: Ranking | None) -> list[int]:
    """The seats that played as one with this one, in order."""
    return next((sorted(team) for team in (result.teams if result else []) if seat in team), [seat])


def placed(seat: int, table: Table) -> tuple[int | None, bool]:
    """A seat's place, and whether it shares that with another team.  Seats the rules left out come last."""
    if table.result is None or not table.result.places:
        return None, False
    named = [each for place in table.result.places for each in place]
    last = [each for each in range(len(table.chairs)) if each not in named]
    whole = Ranking([*table.result.places, last] if last else table.result.places)
    beside = next(place for place in whole.places if seat in place)
    team = team_of(seat, table.result)
    return whole.place(seat), any(each not in team for each in beside)


# -- who is rated ----------------------------------------------------------------


def unrated(table: Table) -> Text | None:
    """Why a game that was to be rated is not; None if it is."""
    entry = entry_of(table)
    if entry.kind is not Kind.FINISHED or table.result is None or not table.result.places:
        return Text("Not rated: the game was not finished.")
    if any(not entry.in_seat(chair.seat) for chair in table.chairs):
        return Text("Not rated: there was a seat in which nobody sat.")
    teams = teams_of(entry)
    players = [player for team in teams for player in {each.player for each in team}]
    if len(players) > len(set(players)):
        return Text("Not rated: somebody sat on more than one side.")
    if len(teams) < 2:
        return Text("Not rated: there was nobody to play against.")
    return None


def teams_of(entry: Entry) -> list[Team]:
    """Who played as one: all who sat in one seat, and those of seats that the rules put together."""
    numbers = sorted({each.team for each in entry.seats})
    return [[each for each in entry.seats if each.team == number] for number in numbers]


# -- ratings ---------------------------------------------------------------------


def rate(entry: Entry, before: dict[str, Rating]) -> dict[str, Rating]:
    """Everybody's rating after a game, by their secret id; noted in the entry as well."""
    model, teams = PlackettLuce(), teams_of(entry)
    known = [{each.player: before.get(each.player, Rating()) for each in team} for team in teams]
    rated = model.rate(
        [[model.rating(mu=old.mu, sigma=old.sigma) for old in team.values()] for team in known],
        ranks=[float(min(each.place or 0 for each in team)) for team in teams],
    )
    after = {
        player: Rating(new.mu, new.sigma, old.games + 1)
        for team, news in zip(known, rated, strict=True)
        for (player, old), new in zip(team.items(), news, strict=True)
    }
    for each in entry.seats:
        each.mu, each.sigma = after[each.player].mu, after[each.player].sigma
    return after


def rebuild(ladder: Ladder) -> tuple[int, int]:
    """Make all ratings of a game anew from its rated games: how many people have one, and for how many
    anything was different before."""
    ratings: dict[str, Rating] = {}
    entries, old = ladder.rated(), ladder.ratings()
    before = [msgspec.structs.replace(each) for entry in entries for each in entry.seats]
    for entry in entries:
        ratings |= rate(entry, ratings)
    after = [each for entry in entries for each in entry.seats]
    changed = {player for player in old.keys() | ratings.keys() if old.get(player) != ratings.get(player)}
    changed |= {now.player for was, now in zip(before, after, strict=True) if was != now}
    ladder.replace(ratings, entries)
    return len(ratings), len(changed)


def hand_on(ladder: Ladder, old: str, new: str) -> None:
    """The games of one person are another's already, and so is now what follows from them."""
    if not ladder.hand_on(old, new):
        rebuild(ladder)


# -- a row of rematches ------------------------------------------------------------


class Score(NamedTuple):
    """What somebody has made of a row of rematches."""

    player: str
    name: str
    won: int
    shared: int
    games: int


def scores(series: list[Entry]) -> list[Score]:
    """Everybody who played in the finished games of a series, whoever won most first."""
    found: dict[str, Score] = {}
    for entry in series:
        if entry.kind is Kind.FINISHED:
            for each in {each.player: each for each in entry.seats}.values():
                old = found.get(each.player, Score(each.player, each.name, 0, 0, 0))
                first = each.place == 1
                won, shared = old.won + (first and not each.shared), old.shared + (first and each.shared)
                found[each.player] = Score(each.player, each.name, won, shared, old.games + 1)
    return sorted(found.values(), key=lambda score: (-score.won, -score.shared, score.name))
