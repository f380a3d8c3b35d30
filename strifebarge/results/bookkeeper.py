"""Make the entry of a game that has ended: who sat where, who came where, who is rated.  Pure.

A rating is always made from entries, and a game has one entry: so all ratings can be made anew, and come out
the same.
"""

from typing import NamedTuple

import msgspec
from openskill.models import PlackettLuce

from strifebarge.results.models import Entry, EntryKind, PlayerResult, Rating
from strifebarge.results.ports import Ladder, ResultsChange
from strifebarge.rules import Ranking, Text
from strifebarge.tables.model.table import ResultUse, Table

Team = list[PlayerResult]


def enter(change: ResultsChange, table: Table) -> Entry:
    """Keep the entry of a game that is over, and the ratings that follow from it."""
    entry = entry_of(table)
    if table.settings.afterwards is ResultUse.RATED and unrated(table) is None:
        entry.rated = change.next_rated(table.game)
        people = sorted({each.player for each in entry.seats})
        change.rate(table.game, rate(entry, change.ratings(table.game, people)))
    change.enter(entry)
    return entry


def entry_of(table: Table) -> Entry:
    """Return the entry of a table whose game is over; not yet rated."""
    return Entry(
        id=table.ending.record,
        table=table.id,
        game=table.game,
        kind=kind_of(table),
        public=table.settings.afterwards is not ResultUse.QUIET,
        series=table.series.first or table.id,
        ended=table.times.ended or 0,
        seats=[
            PlayerResult(
                chair.seat,
                team_of(chair.seat, table.ending.result)[0],
                player,
                name,
                *placed(chair.seat, table),
            )
            for chair in table.chairs
            for player, name in chair.sat.items()
        ],
    )


def kind_of(table: Table) -> EntryKind:
    if table.imported:
        return EntryKind.IMPORTED
    return EntryKind.FINISHED if table.ending.result else EntryKind.UNFINISHED


def team_of(seat: int, result: Ranking | None) -> list[int]:
    """Return the seats that played as one team with this one, in order."""
    return next((sorted(team) for team in (result.teams if result else []) if seat in team), [seat])


def placed(seat: int, table: Table) -> tuple[int | None, bool]:
    """Return a seat's place, and whether another team shares it."""
    result = table.ending.result
    if result is None or not result.places:
        return None, False
    tied = next(place for place in result.places if seat in place)
    team = team_of(seat, result)
    return result.place(seat), any(each not in team for each in tied)


# -- who is rated ----------------------------------------------------------------


def unrated(table: Table) -> Text | None:
    """Return why a game that was to be rated is not; None if it is."""
    if table.with_bots:
        return Text("Not rated: a bot played.")
    if table.origin:
        return Text("Not rated: the game went on from another one.")
    entry = entry_of(table)
    if entry.kind is not EntryKind.FINISHED or table.ending.result is None or not table.ending.result.places:
        return Text("Not rated: the game wasn't finished.")
    if any(not entry.in_seat(chair.seat) for chair in table.chairs):
        return Text("Not rated: a seat was empty.")
    teams = teams_of(entry)
    players = [player for team in teams for player in {each.player for each in team}]
    if len(players) > len(set(players)):
        return Text("Not rated: someone played more than one side.")
    if len(teams) < 2:
        return Text("Not rated: there was no opponent.")
    return None


def teams_of(entry: Entry) -> list[Team]:
    """Return the teams: all who sat in one seat, and in seats that the rules put together."""
    numbers = sorted({each.team for each in entry.seats})
    return [[each for each in entry.seats if each.team == number] for number in numbers]


# -- ratings ---------------------------------------------------------------------


def rate(entry: Entry, before: dict[str, Rating]) -> dict[str, Rating]:
    """Return everybody's rating after a game by their secret id, and note it in the entry."""
    model, teams = PlackettLuce(), teams_of(entry)
    ratings = [{each.player: before.get(each.player, Rating()) for each in team} for team in teams]
    rated = model.rate(
        [[model.rating(mu=old.mu, sigma=old.sigma) for old in team.values()] for team in ratings],
        ranks=[float(min(each.place or 0 for each in team)) for team in teams],
    )
    after = {
        player: Rating(new.mu, new.sigma, old.games + 1)
        for team, news in zip(ratings, rated, strict=True)
        for (player, old), new in zip(team.items(), news, strict=True)
    }
    for each in entry.seats:
        each.mu, each.sigma = after[each.player].mu, after[each.player].sigma
    return after


def rebuild(ladder: Ladder) -> tuple[int, int]:
    """Make all ratings of a game anew from its rated games.

    Returns how many people have one, and for how many anything was different before.
    """
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


def transfer_rating(ladder: Ladder, old: str, new: str) -> None:
    """Give one person's rating to another, to whom their games have gone already."""
    if not ladder.hand_on(old, new):
        rebuild(ladder)


# -- a row of rematches ------------------------------------------------------------


class Score(NamedTuple):
    """A player's score in a row of rematches."""

    player: str
    name: str
    won: int
    shared: int
    games: int


def scores(series: list[Entry]) -> list[Score]:
    """Return the scores of everybody in the finished games of a series, the best first."""
    result: dict[str, Score] = {}
    for entry in series:
        if entry.kind is EntryKind.FINISHED:
            for each in {each.player: each for each in entry.seats}.values():
                old = result.get(each.player, Score(each.player, each.name, 0, 0, 0))
                first = each.place == 1
                won, shared = old.won + (first and not each.shared), old.shared + (first and each.shared)
                result[each.player] = Score(each.player, each.name, won, shared, old.games + 1)
    return sorted(result.values(), key=lambda score: (-score.won, -score.shared, score.name))
