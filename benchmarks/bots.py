"""How well the bots play: `python -m benchmarks.bots [GAME ...]`; writes a table into benchmarks/BOTS.md.

Asked for some games, it leaves the lines of the others as they are.

Bots play by fixed numbers of playouts, within the seconds of a processor that they have at a table, so that a
busy machine changes nothing.  A match-up ends when it is decided whether the share of first places is above
what is asked (a sequential test), at the latest after 1,000 games.  An opponent that plays by chance never
resigns, leaves, takes back or offers a draw.

Each game that is played is kept in a file at once, with a hash of the code that played it: begun again, this
goes on where it was ended, and games played by other code are left out.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from math import inf, log, sqrt
from pathlib import Path
from sys import modules
from time import process_time
from typing import Any, NamedTuple

import msgspec

import strifebarge.bots.search
from strifebarge.bots.player.clock import ThinkingClock
from strifebarge.bots.player.mover import SECONDS
from strifebarge.bots.player.task import SightingData
from strifebarge.bots.search.sighting import Sighting, sighting
from strifebarge.bots.search.thinking import LEVELS, think
from strifebarge.rules import Action, Chance, Game
from strifebarge.rules.match import Match
from strifebarge.rules.schema import usual_seats
from strifebarge.rules.sources import sources_of
from strifebarge.tables.library.library import Library

from .dropped.heap import Heap

MOST_GAMES = 1000
LONGEST = 800  # choices of a game; then it counts as drawn
DOUBT = 0.05  # how often a test may say what is not so
MARGIN = 0.08  # between the share that is asked for and the one below which it is refused
MORE = 0.05  # above the share, where more than that is asked for
BEGIN, END = "<!-- the table of strength -->", "<!-- end of the table -->"
PAGE = Path(__file__).parent / "BOTS.md"
FILE = Path(__file__).parent / "bots.jsonl"  # the games that were played, one a line

Player = Callable[[Sighting, str], "Choice"]


class Choice(NamedTuple):
    """A choice, and whether it rests on imagined games that passed the check."""

    action: Action
    is_grounded: bool


class Pairing(NamedTuple):
    """One match-up: who plays a game against whom, and what share of first places is asked for."""

    game: str
    bot: str
    opponent: str
    asked: float
    is_more: bool = False  # more than that is asked for
    slowness: int = 1  # the bot has this fraction of its seconds: at least as strong is it with all of them
    deals: int = 1  # games that make one match, which is won by most first places

    @property
    def name(self) -> str:
        """The name of the bot, and what it has of its time."""
        return self.bot if self.slowness == 1 else f"{self.bot}, 1/{self.slowness} of its time"


class Played(msgspec.Struct, frozen=True):
    """One game of a match-up, as it is kept in the file."""

    code: str  # a hash of what has played it
    game: str
    bot: str
    opponent: str
    number: int
    first: float  # the bot's first place, a shared one in part
    choices: int  # of the bot
    grounded: int
    seconds: float  # of processor time, for all choices of the bot
    longest: float  # for one


class Score(NamedTuple):
    """The score of a match-up."""

    first: float = 0.0  # first places, shared ones in part
    games: int = 0  # or matches of several games
    grounded: int = 0
    choices: int = 0
    seconds: float = 0.0  # of processor time, for all choices of the bot
    longest: float = 0.0  # for one

    def and_of(self, *games: Played) -> "Score":
        """Return the score with one game more, or with one match of several, won by most first places."""
        most = sum(game.first for game in games) / len(games)
        return Score(
            self.first + (most if len(games) == 1 else (most > 0.5) + (most == 0.5) / 2),
            self.games + 1,
            self.grounded + sum(game.grounded for game in games),
            self.choices + sum(game.choices for game in games),
            self.seconds + sum(game.seconds for game in games),
            max(self.longest, *(game.longest for game in games)),
        )

    @property
    def share(self) -> float:
        return self.first / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """Return where the share lies with a certainty of 95 percent (Wilson)."""
        n, p, z = max(1, self.games), self.share, 1.96
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        off = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - off), min(1.0, middle + off)


PAIRINGS = [
    *(Pairing(game, "medium", "random", 0.95) for game in ("strifebarge", "startups", "mirrow", "chess")),
    Pairing("eights", "medium", "greedy", 0.5, is_more=True),
    Pairing("eights", "medium", "random", 0.5, is_more=True),
    Pairing("rps", "medium", "random", 0.5),
    Pairing("heap", "medium", "random", 0.5, is_more=True),
    Pairing("strifebarge", "hard", "easy", 0.75, slowness=2),
    *(Pairing(game, "hard", "easy", 0.75, slowness=8) for game in ("startups", "mirrow", "chess", "heap")),
    Pairing("eights", "hard", "easy", 0.5, is_more=True),
    Pairing("eights", "hard", "easy", 0.75, deals=5),
]


# -- players -------------------------------------------------------------------------


def by_chance(seen: Sighting, seed: str) -> Choice:
    """Choose one of the offers, all equally likely."""
    dice = Chance(seed, name=sha256(repr([seen.stage, seen.now, seen.offer_texts]).encode()).hexdigest())
    offers = [action for action in seen.offers if action.for_bots] or [*seen.offers]
    if offers:
        return Choice(dice.choice(offers), is_grounded=True)
    game = seen.game
    return Choice(dice.choice(seen.classes).sample(game, game.seats[seen.seat], dice), is_grounded=True)


def greedy(seen: Sighting, seed: str) -> Choice:
    """Play in Crazy Eights the dearest card that follows, an eight last; name the commonest suit."""
    hand = [*getattr(seen.game.seats[seen.seat], "hand", [])]
    worth = {"A": 1, "J": 10, "Q": 10, "K": 10, "8": 0}

    def merit(action: Any) -> int:
        if card := getattr(action, "card", None):
            return 100 + worth.get(card.rank, 0) if card.rank in worth else 100 + int(card.rank)
        suit = getattr(action, "suit", None)
        return sum(card.suit == suit for card in hand)

    return Choice(max(seen.offers, key=merit), is_grounded=True)


def player(name: str, slowness: int = 1) -> Player:
    """Return a player by its name: a level of the bots, with a part of its time, `random` or `greedy`."""

    def thinks(seen: Sighting, seed: str) -> Choice:
        clock = ThinkingClock(SECONDS[name] / slowness, late=inf)
        sighting = SightingData.of(seen).sighting()  # as it comes to a process that thinks
        thought = think(sighting, LEVELS[name], seed, clock.is_over, clock.is_half_over)
        return Choice(thought.action, thought.is_grounded)

    return {"random": by_chance, "greedy": greedy}.get(name, thinks)


# -- playing -------------------------------------------------------------------------


def play(rules: type[Game[Any]], pairing: Pairing, number: int) -> Played:
    """Play one game of a match-up; the bot's seat goes round."""
    bot, opponent = player(pairing.bot, pairing.slowness), player(pairing.opponent)
    seats = usual_seats(rules)
    mine, decided, grounded = number % seats, 0, 0
    seconds: list[float] = []
    match = Match.new(rules, seats, f"benchmark {number}")
    while not match.result and decided < LONGEST:
        for seat in match.waiting_for():
            if match.result or seat not in match.waiting_for():
                continue
            decided += 1
            seen, seed = sighting(match, seat), f"seed {number} {seat}"
            began = process_time()
            choice = (bot if seat == mine else opponent)(seen, seed)
            if seat == mine:
                seconds.append(process_time() - began)
                grounded += choice.is_grounded
            match.move(seat, choice.action)
    winners = match.result.winners if match.result else list(range(seats))
    first = (mine in winners) / len(winners) if winners else 1 / seats
    spent = sum(seconds), max(seconds, default=0.0)
    return Played(code_of(rules), *of(pairing), number, first, len(seconds), grounded, *spent)


def of(pairing: Pairing) -> tuple[str, str, str]:
    """Return the names by which a match-up's games are kept."""
    return pairing.game, pairing.name, pairing.opponent


def is_decided(pairing: Pairing, score: Score) -> bool:
    """Return whether the share asked for, and one below it, are far enough apart in likelihood (Wald).

    Where more is asked for, these are one above it and the share itself.
    """
    first, games, *_ = score
    if games < 4:
        return False
    above, below = min(pairing.asked + MARGIN / 2, 0.99), pairing.asked - MARGIN
    if pairing.is_more:
        above, below = pairing.asked + MORE, pairing.asked
    lost = games - first
    likelihood = first * log(above / below) + lost * log((1 - above) / (1 - below))
    return not log(DOUBT) < likelihood < -log(DOUBT)


# -- games that were played ----------------------------------------------------------


@cache
def code_of(rules: type[Game[Any]]) -> str:
    """Return a hash of the code that plays a game, and of that which thinks."""
    thinks = sorted(Path(strifebarge.bots.search.__path__[0]).glob("*.py"))
    thought = sha256(b"".join(file.read_bytes() for file in thinks)).hexdigest()[:16]
    return f"{sources_of(modules[rules.__module__])} {thought}"


def recorded_games() -> Iterator[Played]:
    """Yield the games in the file."""
    for each in FILE.read_bytes().splitlines() if FILE.exists() else ():
        yield msgspec.json.decode(each, type=Played)


def keep(game: Played) -> None:
    """Write a game into the file."""
    with FILE.open("ab") as file:
        file.write(msgspec.json.encode(game) + b"\n")


def played(pairing: Pairing) -> list[Played]:
    """Return the games of a match-up that the code as it is has played."""
    code, names = code_of(rules_of(pairing)), of(pairing)
    return [
        game
        for game in recorded_games()
        if game.code == code and (game.game, game.bot, game.opponent) == names
    ]


def score(pairing: Pairing, games: list[Played]) -> Score:
    """Return the score of a match-up by its games; a match that is not played to its end does not count."""
    total, deals = Score(), pairing.deals
    for begin in range(0, len(games) - deals + 1, deals):
        total = total.and_of(*games[begin : begin + deals])
    return total


def scores(pairings: list[Pairing]) -> dict[Pairing, Score]:
    """Return the score of each match-up."""
    return {pairing: score(pairing, played(pairing)) for pairing in pairings}


@cache
def library() -> dict[str, type[Game[Any]]]:
    return {name: title.rules for name, title in Library().titles.items()} | {"heap": Heap}


def rules_of(pairing: Pairing) -> type[Game[Any]]:
    return library()[pairing.game]


# -- the table -----------------------------------------------------------------------


def beginning(pairing: Pairing) -> str:
    """Return what a match-up's line of the table begins with, whatever its score."""
    goal = f"{'over ' * pairing.is_more}{pairing.asked:.0%}"
    what = pairing.game if pairing.deals == 1 else f"{pairing.game}, matches of {pairing.deals}"
    return f"| {what} | {pairing.name} | {pairing.opponent} | {goal} "


def line(pairing: Pairing, score: Score) -> str:
    """Return a match-up's line of the table."""
    who = beginning(pairing)
    if not score.games:
        return f"{who}| not played | 0 | | | |"
    low, high = score.interval
    choices = max(1, score.choices)
    return (
        f"{who}| {score.share:.0%} ({low:.0%} to {high:.0%}) | {score.games} "
        f"| {score.grounded / choices:.0%} | {score.seconds / choices:.2f} s | {score.longest:.1f} s |"
    )


HEAD = (
    "| game | bot | against | asked | first places (95 %) | games | checked | CPU a choice | longest |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def write(scores_by_pairing: dict[Pairing, Score]) -> None:
    """Write the table: new lines for these match-ups, and those of all others as they are."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    old, _, after = rest.partition(END)
    lines = []
    for pairing in PAIRINGS:
        same = [each for each in old.splitlines() if each.startswith(beginning(pairing))]
        lines += (
            same
            if same and pairing not in scores_by_pairing
            else [line(pairing, scores_by_pairing.get(pairing, Score()))]
        )
    table = "\n".join([HEAD, *lines])
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


def main(games: list[str], bot: str, most: int, minutes: float) -> None:
    """Play a game of each match-up in turn, or of those of some games or a level, until all are decided."""
    ends = process_time() + 60 * minutes
    wanted = [
        pairing for pairing in PAIRINGS if (not games or pairing.game in games) and bot in ("", pairing.bot)
    ]
    while process_time() < ends:
        totals = scores(wanted)
        left = [
            pairing
            for pairing in wanted
            if totals[pairing].games < most and not is_decided(pairing, totals[pairing])
        ]
        for pairing in left:
            for _ in range(pairing.deals):
                keep(play(rules_of(pairing), pairing, len(played(pairing))))
            print(line(pairing, scores([pairing])[pairing]), flush=True)
            if process_time() >= ends:
                break
        if not left:
            break
    write(scores(wanted))


if __name__ == "__main__":
    parser = ArgumentParser(description="Measure how well the bots play.")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--bot", default="", choices=[*LEVELS], help="this level alone")
    parser.add_argument("--most", type=int, default=MOST_GAMES, help="games of each match-up at most")
    parser.add_argument("--minutes", type=float, default=inf, help="of a processor, at most")
    given = parser.parse_args()
    if unknown := {*given.games} - {pairing.game for pairing in PAIRINGS}:
        parser.error(f"no match-up of {', '.join(sorted(unknown))}")
    main(given.games, given.bot, given.most, given.minutes)
