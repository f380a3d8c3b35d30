"""What was answered "played" survives kill -9 at any moment, and stands in the ledger once; so does what was
planned."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from strifebarge.rules.notation import from_json, write
from strifebarge.rules.schema import actions
from tests.conftest import need
from tests.servers.books import Books, library
from tests.servers.conftest import GENEROUS
from tests.servers.ledger import AgainstBots, Entry, Ledger, Match, Player
from tests.support.servers import Postgres, Site
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers

# What is played, by how many: games in turn, with chance and hands, and of secret choices; all at once.
TABLES = 2 * [
    ("strifebarge", {"seats": "2"}, 2),
    ("strifebarge", {"seats": "4"}, 4),
    ("eights", {"seats": "2", "draw": "by_hand"}, 2),
    ("eights", {"seats": "3"}, 3),
    ("rps", {"best_of": "7"}, 2),
    ("rps", {"best_of": "5", "ties": "count"}, 2),
]


LOG_SHOWN = 20_000  # characters, where something went wrong
PATIENCE = 20.0  # seconds until a browser asks another machine, where one is silent


# -- played while things die -----------------------------------------------------------------


def play_and_kill(site: Site, folder: Path, moves: int, kills: int, kill: Callable[[Random], None]) -> Ledger:
    """Play at a site until enough moves were accepted and enough kills done; all outcomes are known then."""
    ledger = Ledger(folder / "ledger.jsonl")
    play_while_killed([site], ledger, moves, kills, kill)
    return ledger


def play_while_killed(
    sites: Sequence[Site],
    ledger: Ledger,
    moves: int,
    kills: int,
    kill: Callable[[Random], None],
    with_bots: bool = False,
) -> None:
    """Play as `play_and_kill`, at any of the machines of one site, and perhaps against bots too."""
    chance = Random(5)

    def player() -> Player:
        return Player(ledger, Balanced(sites, chance), chance)

    matches = [Match(game, options, [player() for _ in range(seats)]) for game, options, seats in TABLES]
    if with_bots:
        matches += [AgainstBots(game, {}, [player()]) for game in ("eights", "strifebarge")]
    for match in matches:
        match.start()
    try:
        done = 0
        while (done < kills or len(ledger.of("ok")) < moves) and not any(match.error for match in matches):
            time.sleep(chance.uniform(0.5, 2.0))
            if len(ledger.of("ok")) >= done * moves / (2 * kills):  # a busy machine gets a little longer
                kill(chance)
                done += 1
    finally:
        ledger.enough.set()
        for match in matches:
            match.join()
        ledger.close()
    for match in matches:
        if match.error:
            for site in sites:
                print(site.log()[-LOG_SHOWN:])
            raise match.error
    plans = sum(entry.planned for entry in ledger.of("ok"))
    print(f"{len(ledger.of('ok')) - plans} moves, {plans} plans, {done} kills, {retried(ledger)} asked again")


class Balanced(Remote):
    """A visitor whose requests go to any of several machines, as behind a load balancer."""

    def __init__(self, sites: Sequence[Site], chance: Random):
        self.sites = sites
        self.chance = chance
        super().__init__(sites[0].port, PATIENCE)

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        site = self.chance.choice(self.sites)
        self.host, self.port = site.address, site.port
        return super().send(method, path, body, headers)


def retried(ledger: Ledger) -> int:
    return sum(len(entry.answers) > 1 for entry in ledger.entries.values())


def kill_the_site(site: Site) -> Callable[[Random], None]:
    """All its processes at once, in the midst of whatever they do; or one worker or the hub alone."""

    def kill(chance: Random) -> None:
        kill_some(site, chance, alone=0.4)

    return kill


def kill_some(site: Site, chance: Random, alone: float) -> None:
    """Kill a worker or the hub, or, as likely as `alone` is not, the whole site, and start it again."""
    processes = [*site.workers(), *([site.hub] if site.hub else [])]
    if chance.random() < alone and processes:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(processes), signal.SIGKILL)
    else:
        site.kill()
        site.start()


# -- and compared afterwards ----------------------------------------------------------------------


def must_agree(ledger: Ledger, books: Books) -> None:
    """No accepted move lost, none twice, none that nobody sent; no gaps; every fingerprint replays."""
    receipts = books.receipts()
    assert not ledger.of("unknown")
    assert not [entry for entry in ledger.of("ok") if receipts.get(entry.key) != code_of(entry.table)]
    assert not [entry for entry in ledger.of("refused") if entry.key in receipts]
    accepted: dict[str, list[Entry]] = {}
    planned: dict[str, Counter[tuple[int | None, str]]] = {}
    for entry in ledger.of("ok"):
        code = code_of(entry.table)
        if entry.planned:
            planned.setdefault(code, Counter()).update([(entry.seat, entry.words)])
        else:
            accepted.setdefault(code, []).append(entry)
    for code in ledger.tables():
        sent = {(entry.asked, entry.seat): entry.words for entry in accepted.get(code, [])}
        assert len(sent) == len(accepted.get(code, [])), f"{code}: a question was answered twice"
        answers = written(books, code)
        assert sent.items() <= answers.items()
        bots = books.bots(code)
        unsent = [key for key in answers.keys() - sent.keys() if key[1] not in bots]
        by_plan = Counter((key[1], answers[key]) for key in unsent)
        assert by_plan <= planned.get(code, Counter()), f"{code}: nobody has sent or planned this"
        books.must_replay(code, library())
    for table, version in ledger.seen.items():
        assert version <= books.table(code_of(table))["version"], f"{table}: what somebody saw is not kept"


def moves_of_bots(ledger: Ledger, books: Books) -> int:
    """How many moves bots have made at all tables."""
    return sum(line.seat in books.bots(code) for code in ledger.tables() for line in books.moves(code))


def code_of(table: str) -> str:
    return table.removeprefix("/g/")


def written(books: Books, code: str) -> dict[tuple[int, int | None], str]:
    """Every answer in a table's ledger, and every choice not yet revealed, by question and seat."""
    table = books.table(code)
    kinds = actions(library()[table["game"]].rules)
    answers: dict[tuple[int, int | None], str] = {}
    requests = 0
    for line in books.moves(code):
        assert (requests, line.seat) not in answers
        answers[requests, line.seat] = write(from_json(line.action, kinds))
        if line.fingerprint:  # the last answer to this question
            requests = line.number
    for seat, action in table["pending"].items():
        answers[requests, int(seat)] = write(from_json(action, kinds))
    return answers


# -- the rule --------------------------------------------------------------------------------------


def test_no_move_is_lost_doubled_or_made_up_when_the_site_is_killed(
    site: Site, books: Books, tmp_path: Path
) -> None:
    ledger = play_and_kill(site, tmp_path, moves=300, kills=5, kill=kill_the_site(site))
    assert retried(ledger), "no kill ever hit a move on its way: the test has no teeth"
    assert any(entry.planned for entry in ledger.of("ok"))
    must_agree(ledger, books)
    assert not ledger.faults, ledger.faults[0].text


@pytest.mark.timeout(900)  # on a machine that has much else to do
def test_no_move_is_lost_doubled_or_made_up_when_the_site_is_killed_again_and_again(
    site: Site, books: Books, tmp_path: Path
) -> None:
    ledger = play_and_kill(site, tmp_path, moves=1000, kills=8, kill=kill_the_site(site))
    assert retried(ledger), "no kill ever hit a move on its way: the test has no teeth"
    must_agree(ledger, books)
    assert not ledger.faults, ledger.faults[0].text


@contextmanager
def site_on_a_database_of_its_own() -> Iterator[tuple[Site, Postgres]]:
    """PostgreSQL that syncs what it commits, and a site on it."""
    with need(lambda: Postgres(durable=True)) as postgres:
        name = postgres.create()
        with Site(**GENEROUS, DATABASE_URL=postgres.url(name)) as site:
            yield site, postgres


def restart_the_database(postgres: Postgres) -> Callable[[Random], None]:
    """Its processes killed all at once, as a power cut would; now and then stopped in good order."""

    def kill(chance: Random) -> None:
        if chance.random() < 0.7:
            postgres.kill()
        else:
            postgres.stop()
        postgres.start()

    return kill


@pytest.mark.postgres
def test_no_move_is_lost_doubled_or_made_up_when_the_database_is_killed(tmp_path: Path) -> None:
    with site_on_a_database_of_its_own() as (site, postgres):
        kill = restart_the_database(postgres)
        ledger = play_and_kill(site, tmp_path, moves=200, kills=4, kill=kill)
        with Books(site.settings["DATABASE_URL"]) as books:
            must_agree(ledger, books)
    assert not ledger.faults, ledger.faults[0].text


# -- the same for long --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_twenty_thousand_moves_survive_three_hundred_kills(site: Site, books: Books, tmp_path: Path) -> None:
    ledger = play_and_kill(site, tmp_path, moves=20_000, kills=300, kill=kill_the_site(site))
    must_agree(ledger, books)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.timeout(7200)
def test_twenty_thousand_moves_survive_kills_of_site_and_database(tmp_path: Path) -> None:
    with site_on_a_database_of_its_own() as (site, postgres):
        database, processes = restart_the_database(postgres), kill_the_site(site)

        def kill(chance: Random) -> None:
            chance.choice([database, processes])(chance)

        ledger = play_and_kill(site, tmp_path, moves=20_000, kills=300, kill=kill)
        with Books(site.settings["DATABASE_URL"]) as books:
            must_agree(ledger, books)


# -- the test of the test -------------------------------------------------------------------------


def test_the_comparison_finds_what_is_lost_doubled_or_made_up(
    site: Site, books: Books, tmp_path: Path
) -> None:
    ledger = play_and_kill(site, tmp_path, moves=30, kills=1, kill=lambda _: None)
    must_agree(ledger, books)
    true = ledger.entries
    plans = {(entry.table, entry.seat, entry.words) for entry in ledger.of("ok") if entry.planned}
    own = ((entry, (entry.table, entry.seat, entry.words)) for entry in ledger.of("ok"))
    some = next(entry for entry, what in own if what not in plans)
    for listed in (
        {key: entry for key, entry in true.items() if entry is not some},  # somebody moved whom nobody asked
        {**true, "0" * 32: replace(some, asked=999, key="0" * 32)},  # a move that was lost
        {**true, "0" * 32: replace(some, key="0" * 32)},  # the same question answered twice
        {**true, some.key: replace(some, outcome="refused")},
        {**true, some.key: replace(some, outcome="unknown")},
        {**true, some.key: replace(some, words="fire Z99")},
    ):
        ledger.entries = listed
        with pytest.raises(AssertionError):
            must_agree(ledger, books)
