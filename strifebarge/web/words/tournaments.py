"""Words about tournaments: formats, stages, tie-breaks, results."""

from markupsafe import Markup, escape

from strifebarge.rules import Text
from strifebarge.tournaments.cross_table import Cell
from strifebarge.tournaments.models import Entrant, Format, GameOutcome, TournamentStage
from strifebarge.tournaments.standings import PARTS
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.names import known_as
from strifebarge.web.words.numbers import number

FORMATS = {
    Format.ROUND_ROBIN: Text("Round robin: everyone meets everyone"),
    Format.SWISS: Text("Swiss: opponents with about as many points"),
    Format.KNOCK_OUT: Text("Knock-out: the winner goes on"),
    Format.TABLES: Text("Tables of several: points by place"),
}
STAGES = {
    TournamentStage.OPEN: Text("Open to join"),
    TournamentStage.RUNNING: Text("Running"),
    TournamentStage.OVER: Text("Over"),
}
TIE_BREAKS = {
    "buchholz": Text("Buchholz"),
    "sonneborn": Text("Sonneborn-Berger"),
    "direct": Text("Direct encounter"),
    "wins": Text("Wins"),
}
EXPLAINED = {
    "buchholz": Text("Buchholz: the points of all opponents."),
    "sonneborn": Text("Sonneborn-Berger: the points of beaten opponents, and half of drawn ones."),
    "direct": Text("Direct encounter: points from the games among the tied."),
    "wins": Text("Wins: games won alone."),
}


def entrant_name(entrant: Entrant) -> Markup:
    """Return what an entrant is called."""
    return known_as(entrant.name) if entrant.name else say("Former player")


def halves(points: int) -> Markup:
    """Return half points as a number."""
    return _shown(points, 2)


def tie_break(name: str, value: int) -> Markup:
    """Return the value of a tie-break as a number."""
    return _shown(value, PARTS[name])


def _shown(value: int, parts: int) -> Markup:
    whole = value % parts == 0
    return escape(number(value // parts if whole else value / parts))


def cell_words(cell: Cell) -> Markup:
    """Return what a cell of the cross-table says."""
    if cell.oneself:
        return Markup("–")
    parts = [halves(points) for points in cell.points]
    if cell.outcome is GameOutcome.RUNNING:
        parts.append(say("plays"))
    elif cell.outcome is GameOutcome.BYE:
        parts.append(say("bye"))
    return Markup(" ").join(parts)
