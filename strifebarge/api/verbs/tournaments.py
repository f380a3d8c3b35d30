"""Verbs about tournaments: find, show, open, join, organize and start them."""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from strifebarge.api import faults
from strifebarge.api.arguments import Arguments, Short, Write
from strifebarge.api.caller import CODES, Caller
from strifebarge.api.verbs.bots import LevelName
from strifebarge.api.verbs.seating import Name
from strifebarge.api.verbs.verb import verb
from strifebarge.people.models import Scope
from strifebarge.tables.library.settings import settings_from
from strifebarge.tables.model.bots import USUAL_LEVEL
from strifebarge.tables.model.status import ResultUse
from strifebarge.tables.play.turn import FormToken
from strifebarge.tournaments.models import (
    MOST_ENTRANTS,
    MOST_ROUNDS,
    Entrant,
    Format,
    Tournament,
    TournamentGame,
)
from strifebarge.tournaments.service import LONGEST_NAME, NewTournament, enough, why_not_join
from strifebarge.tournaments.standings import PARTS, UNTIED, StandingsLine, standings

TournamentCode = Annotated[
    str, Meta(min_length=1, max_length=40, description="A tournament's code, as in its address.")
]
Rounds = Annotated[
    int,
    Meta(ge=0, le=MOST_ROUNDS, description="For Swiss, or tables of several players; 0: the default."),
]
EntrantNumber = Annotated[int, Meta(ge=1, le=10_000)]


class AtTournament(Arguments, kw_only=True, forbid_unknown_fields=True):
    """A tournament, by its code."""

    tournament: TournamentCode


class WriteAtTournament(Write, kw_only=True, forbid_unknown_fields=True):
    """A tournament, by its code, in which something is to change."""

    tournament: TournamentCode


class OpenTournament(Write, kw_only=True, forbid_unknown_fields=True):
    """A new tournament, and how its games are played."""

    game: Short
    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    format: Format
    pace: Short = ""
    options: dict[str, str | int | bool | float | None] = {}
    rounds: Rounds = 0
    seats: Annotated[int, Meta(ge=0, le=63, description="For tables of several players; 0: the maximum.")] = 0
    afterwards: ResultUse | None = None
    language: Short = ""
    visible: Annotated[bool, Meta(description="Whether it is listed under tournaments.")] = False


class Join(WriteAtTournament, kw_only=True, forbid_unknown_fields=True):
    """A tournament to join, under a name."""

    name: Name = ""


class ChangeTournament(WriteAtTournament, kw_only=True, forbid_unknown_fields=True):
    """The rounds of a tournament, and whether it is listed."""

    rounds: Rounds = 0
    visible: bool = False


class EnterBots(WriteAtTournament, kw_only=True, forbid_unknown_fields=True):
    """Bots of a level, and how many."""

    level: LevelName = USUAL_LEVEL
    count: Annotated[int, Meta(ge=1, le=MOST_ENTRANTS)] = 1


class RemoveEntrant(WriteAtTournament, kw_only=True, forbid_unknown_fields=True):
    """An entrant, by their number."""

    number: EntrantNumber


class EntrantView(Struct):
    """A player in a tournament; a former player has no name."""

    number: int
    name: str
    bot: bool
    mine: bool
    withdrawn: bool
    draw: int  # the number that was drawn at the start; 0 before


class GameView(Struct):
    """A game of a round, or what stands for one."""

    round: int
    board: int
    attempt: int  # of a pair in a knock-out that has drawn
    entrants: list[int]  # by seat
    table: str | None
    outcome: str  # "" while it is played; played, void, bye or walkover
    points: list[float]  # of each entrant; none while it is played


class LineView(Struct):
    """A line of the standings."""

    place: int
    entrant: int
    points: float  # of a knock-out: how many rounds were won
    ties: dict[str, float]  # by tie-break, in the order in which they count
    played: int


class TournamentLine(Struct):
    """A tournament on a list."""

    tournament: str
    game: str
    name: str
    format: Format
    stage: str  # open, running or over
    round: int
    rounds: int
    entrants: int
    entered: bool  # the caller plays in it
    organizer: bool  # the caller organizes it
    changed: float


class TournamentLines(Struct):
    """The caller's tournaments, then the listed ones, the latest first."""

    tournaments: list[TournamentLine]


class TournamentView(TournamentLine):
    """A tournament with its entrants, its games and how it stands."""

    visible: bool
    pace: str
    options: dict[str, Any]
    seats: int  # at a table
    afterwards: str
    language: str
    my_table: str | None  # the table where the caller plays now
    closed: str  # the token of why nobody can join any more; "" while people can
    can_start: bool  # there are enough entrants
    players: list[EntrantView]
    games: list[GameView]
    standings: list[LineView]  # none before the start


@verb("tournament.list", Scope.READ, "GET", "/tournaments")
def list_tournaments(caller: Caller, call: Arguments) -> TournamentLines:
    """List the caller's tournaments, then the listed ones, the latest first."""
    service, titles = caller.site.services.tournaments, caller.referee.library.titles
    own = [each for each in service.of_player(caller.player.id) if each.game in titles]
    my_ids = {each.id for each in own}
    others = [each for each in service.listed() if each.id not in my_ids]
    return TournamentLines([_line(each, caller) for each in (*own, *others)])


@verb("tournament.show", Scope.READ, "GET", "/tournaments/{tournament}")
def show_tournament(caller: Caller, call: AtTournament) -> TournamentView:
    """Show a tournament: who plays, the games of each round, how it stands."""
    return _view(_find_tournament(caller, call.tournament), caller)


@verb("tournament.new", Scope.TABLE, "POST", "/tournaments")
def new_tournament(caller: Caller, call: OpenTournament) -> TournamentView:
    """Open a tournament, as its organizer. To play in it, join it."""
    terms = {"afterwards": call.afterwards, "language": call.language or caller.language.code}
    payload = {name: word for name, word in terms.items() if word}
    settings = settings_from(
        dict(call.options), payload, caller.site.languages, pace=call.pace, seats=call.seats or None
    )
    new = NewTournament(
        name=call.name, format=call.format, settings=settings, rounds=call.rounds, listed=call.visible
    )
    service = caller.site.services.tournaments
    caller.must_not_hurry(call, "create")
    id = service.open(caller.player, caller.referee.library[call.game].slug, caller.form(call), new)
    return _view(service.tournament(id), caller)


@verb("tournament.join", Scope.PLAY, "POST", "/tournaments/{tournament}/join")
def join_tournament(caller: Caller, call: Join) -> TournamentView:
    """Join a tournament. Its games begin by themselves: each is a table of the caller's."""
    service = caller.site.services.tournaments

    def enter(id: str, form: FormToken) -> None:
        caller.must_not_hurry(call, "join")
        caller.must_not_hurry(call, "enter", id)
        service.join(caller.player, id, call.name, form)

    return _carry_out_once(caller, call, enter)


@verb("tournament.withdraw", Scope.PLAY, "POST", "/tournaments/{tournament}/withdraw")
def withdraw_entrant(caller: Caller, call: WriteAtTournament) -> TournamentView:
    """Withdraw from a tournament: before its start as if one had never joined."""
    service = caller.site.services.tournaments
    return _carry_out_once(caller, call, lambda id, form: service.withdraw(caller.player.id, id, form))


@verb("tournament.remove", Scope.TABLE, "POST", "/tournaments/{tournament}/remove")
def remove_entrant(caller: Caller, call: RemoveEntrant) -> TournamentView:
    """Withdraw an entrant, as organizer."""
    service = caller.site.services.tournaments
    return _carry_out_once(
        caller, call, lambda id, form: service.remove(caller.player.id, id, call.number, form)
    )


@verb("tournament.set", Scope.TABLE, "POST", "/tournaments/{tournament}/settings")
def set_rounds(caller: Caller, call: ChangeTournament) -> TournamentView:
    """Set the rounds of a tournament and who finds it, as organizer before the start."""
    service, rounds, listed = caller.site.services.tournaments, call.rounds, call.visible
    return _carry_out_once(
        caller, call, lambda id, form: service.configure(caller.player.id, id, rounds, listed, form)
    )


@verb("tournament.add_bots", Scope.TABLE, "POST", "/tournaments/{tournament}/bots")
def enter_bots(caller: Caller, call: EnterBots) -> TournamentView:
    """Enter bots of the site, as organizer before the start."""
    service = caller.site.services.tournaments

    def add(id: str, form: FormToken) -> None:
        caller.must_not_hurry(call, "bots")
        service.add_bots(caller.player.id, id, call.level, call.count, form)

    return _carry_out_once(caller, call, add)


@verb("tournament.start", Scope.TABLE, "POST", "/tournaments/{tournament}/start")
def start_tournament(caller: Caller, call: WriteAtTournament) -> TournamentView:
    """Start a tournament, as organizer: the first round is paired."""
    service = caller.site.services.tournaments
    return _carry_out_once(caller, call, lambda id, form: service.start(caller.player.id, id, form))


# -- found, changed, shown -----------------------------------------------------------------


def _find_tournament(caller: Caller, code: str) -> Tournament:
    """Return a tournament; after too many wrong codes (see `Caller.wait`) only one of its person's own.

    Raises Refused(NO_TOURNAMENT), Fault.
    """
    tournament = caller.site.services.tournaments.tournament(code)
    own = tournament.organiser == caller.player.id or tournament.entrant_of(caller.player.id)
    if not own and (seconds := caller.wait(CODES)):
        raise faults.too_fast(seconds)
    return tournament


def _carry_out_once(
    caller: Caller, call: WriteAtTournament, act: Callable[[str, FormToken], object]
) -> TournamentView:
    """Carry out a call at a tournament, once; return the tournament as it is then."""
    id = _find_tournament(caller, call.tournament).id
    act(id, caller.form(call))
    return _view(caller.site.services.tournaments.tournament(id), caller)


def _line_fields(tournament: Tournament, caller: Caller) -> dict[str, Any]:
    me = caller.player.id
    return {
        "tournament": tournament.id,
        "game": tournament.game,
        "name": tournament.name,
        "format": tournament.format,
        "stage": tournament.stage,
        "round": tournament.round,
        "rounds": tournament.all_rounds,
        "entrants": len(tournament.entrants),
        "entered": tournament.entrant_of(me) is not None,
        "organizer": tournament.organiser == me,
        "changed": tournament.changed,
    }


def _line(tournament: Tournament, caller: Caller) -> TournamentLine:
    return TournamentLine(**_line_fields(tournament, caller))


def _view(tournament: Tournament, caller: Caller) -> TournamentView:
    settings, own_entrant = tournament.settings, tournament.entrant_of(caller.player.id)
    game = tournament.running_game_of(own_entrant.number) if own_entrant else None
    why_not = why_not_join(tournament)
    return TournamentView(
        **_line_fields(tournament, caller),
        visible=tournament.listed,
        pace=settings.pace,
        options=settings.options,
        seats=settings.seats,
        afterwards=settings.afterwards,
        language=settings.language,
        my_table=game.table if game else None,
        closed=why_not.token if why_not else "",
        can_start=enough(tournament),
        players=[_entrant(each, own_entrant) for each in tournament.entrants],
        games=[_game(each) for each in tournament.games],
        standings=[_standing(line, tournament.format) for line in standings(tournament)]
        if tournament.round
        else [],
    )


def _entrant(each: Entrant, own_entrant: Entrant | None) -> EntrantView:
    return EntrantView(each.number, each.name, each.bot, each is own_entrant, each.withdrawn, each.draw)


def _game(game: TournamentGame) -> GameView:
    scores = {} if game.running else game.scores()
    return GameView(
        round=game.round,
        board=game.board,
        attempt=game.attempt,
        entrants=game.entrants,
        table=game.table,
        outcome=game.outcome,
        points=[scores[number] / 2 for number in game.entrants if scores],
    )


def _standing(line: StandingsLine, format: Format) -> LineView:
    ties = {name: value / PARTS[name] for name, value in zip(UNTIED[format], line.ties, strict=True)}
    return LineView(line.place, line.entrant.number, line.points / 2, ties, line.played)
