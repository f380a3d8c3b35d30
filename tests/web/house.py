"""A site in this process, its visitors, tables in every state, and a look at all that it keeps."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import sqlalchemy
from flask import Flask

from strifebarge.app import create_app
from strifebarge.results.service import Results
from strifebarge.rules.pace import DAY
from strifebarge.rules.schema import seat_numbers
from strifebarge.services import Services
from strifebarge.settings import Settings
from strifebarge.store.store import Store
from strifebarge.tables.play.deadlines import deadlines
from strifebarge.tables.play.referee import Referee
from tests.support import forms
from tests.support.databases import never_wait_for_the_disk
from tests.support.visitor import Local, Page

KEYS = ("a key for tests alone, " * 2,)
Rows = dict[str, list[tuple[Any, ...]]]
OpenHouse = Callable[..., "House"]  # with these settings


class House:
    """The site, and everybody who comes in."""

    def __init__(self, app: Flask, url: str):
        self.app = app
        self.engine = sqlalchemy.create_engine(url)
        self.numbers = count(1)
        with self.engine.connect() as connection:
            self.kinds = sorted(sqlalchemy.inspect(connection).get_table_names())

    @property
    def referee(self) -> Referee:
        referee: Referee = self.app.extensions["referee"]
        return referee

    @property
    def store(self) -> Store:
        """All repositories on the database of the site."""
        return forms.store_of(self.referee)

    @property
    def services(self) -> Services:
        services: Services = self.app.extensions["services"]
        return services

    @property
    def results(self) -> Results:
        return self.services.results

    def visitor(self, address: str | None = None) -> Local:
        """Somebody new, at an address of their own, so that no limit is met by chance."""
        number = next(self.numbers)
        return Local(self.app, address or f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")

    def kept(self) -> Rows:
        """Every row of every table of the database, but for who looks on just now, and what time it is."""
        passing = {"presence", "spectators", "site_time"}
        return {kind: self.kept_of(kind) for kind in self.kinds if kind not in passing}

    def kept_of(self, kind: str) -> list[tuple[Any, ...]]:
        with self.engine.connect() as connection:
            rows = connection.execute(sqlalchemy.text(f'SELECT * FROM "{kind}"'))
            return sorted(map(tuple, rows), key=repr)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Nothing that is kept may change in here."""
        before = self.kept()
        yield
        after = self.kept()
        assert after == before, {kind for kind in after if after[kind] != before[kind]}

    # -- tables -------------------------------------------------------------------------

    def gathered(self, game: str, people: int = 2, **options: str) -> "Party":
        """A game that has begun, everybody called by the flag of their seat."""
        players = [self.visitor() for _ in range(people)]
        if len(seat_numbers(self.referee.library[game].rules)) > 1:
            options["seats"] = str(people)
        table = players[0].start(game, **options).table
        for player in players[1:]:
            player.join(table)
        return Party(self, table, players)

    def fleet(self, seats: int = 2) -> "Party":
        return self.gathered("strifebarge", seats)

    def put_aside(self) -> "Party":
        party = self.fleet()
        suspend(party.players[0], party)
        return party

    def thrown(self, *hands: str) -> "Party":
        """Rock-Paper-Scissors with these hands thrown, the first player's first."""
        party = self.gathered("rps")
        for player, hand in zip(party.players, hands, strict=False):
            assert player.move(party.table, f"throw {hand}").status == 303
        return party

    def taken_back(self) -> "Party":
        """A table whose first link is dead."""
        host = self.visitor()
        table = host.start("strifebarge", seats="3").table
        host.submit(host.get(table), "/renew")
        return Party(self, table, [host])

    def asked(self) -> "Party":
        """A table to which the host has invited by name whom they have played with."""
        friends = self.thrown("rock", "paper").players
        page = friends[0].start("strifebarge", seats="3")
        friends[0].submit(page, "/ask", page.form("/ask").buttons[0])
        return Party(self, page.table, friends[:1])

    def at_one_device(self, lifted: bool = False) -> "Party":
        """Two who pass one device round, covered or in the hands of the first."""
        ann = self.visitor()
        page = ann.start("eights", seats="2", devices="one", others="Ben")
        if lifted:
            ann.submit(page, "/uncover", page.form("/uncover").buttons[0])
        return Party(self, page.table, [ann])

    def company(self) -> "dict[str, Party]":
        """Tables where more than one play a seat, all have to agree, or somebody stays away."""
        host, friend, third = self.visitor(), self.visitor(), self.visitor()
        agreed = host.start("strifebarge", seats="4", t_begins="agreed", t_seating="chance", name="Ann").table
        friend.join(agreed, name="Ben")
        third.submit(third.get(self.link(friend, agreed, "beside")), "/seat", name="Cleo <&>")
        late, aside = self.fleet(3), self.put_aside()
        aside.players[0].submit(aside.players[0].get(aside.table), "/ready")
        helper = self.visitor()
        helper.submit(helper.get(self.link(late.players[0], late.table, "substitute")), "/seat", name="Dora")
        with self.referee.store.change(late.code) as change:
            for chair in change.table.chairs:
                chair.since = chair.since and chair.since - 30 * 86400
        with self.referee.store.change(aside.code) as change:
            change.table.chairs[1].since = change.table.times.created - 30 * 86400
        return {
            "all have to agree": Party(self, agreed, [host, friend]),
            "somebody stays away": late,
            "put aside for too long": aside,
        }

    def timed(self) -> "dict[str, Party]":
        """Tables with a clock: one to be played at one sitting, a pause, and people who are late."""
        live = self.gathered("chess", pace="clock-10-5")
        late, away = self.gathered("chess", pace="days-3"), self.gathered("strifebarge", 3, pace="days-3")
        paused = self.gathered("eights", pace="pool-72-12")
        for player in paused.players:
            player.submit(player.get(paused.table), "/pause")
        for party in (late, away):
            with self.referee.store.change(party.code) as change:
                table = change.table
                assert table.clock
                for chair in table.chairs:
                    chair.moved = True
                if party is late:
                    table.clock.grant_grace(table.position.waiting[0], self.referee.now())
                else:
                    table.clock.seat_clocks[table.position.waiting[0]].missed = 2
                    table.chairs[table.position.waiting[0]].against = [(table.position.waiting[0] + 1) % 3]
        return {
            "live": live,
            "late in a daily game": late,
            "away from a daily game": away,
            "paused until a date": paused,
        }

    def with_bots(self) -> "dict[str, Party]":
        """Tables with bots: before the game, and in place of somebody who stays away."""
        host, absent = self.visitor(), self.fleet(3)
        waiting = host.start("strifebarge", seats="4")
        assert host.submit(waiting, "/add-bot", seat="2").status == 303
        with self.referee.store.change(absent.code) as change:
            change.table.chairs[0].since = self.referee.now() - 30 * DAY
        page = absent.players[1].get(absent.table)
        form = next(form for form in page.forms if ("step", "bot") in form.fields)
        assert absent.players[1].post(form.action, form.filled()).status == 303
        return {"a bot waits too": Party(self, waiting.table, [host]), "a bot stands in": absent}

    @staticmethod
    def link(who: Local, table: str, which: str) -> str:
        """The path of a link on the page about company."""
        value = who.get(f"{table}/company").seen.ids[f"link-{which}"]["value"]
        return str(value[value.index("/g/") :])

    def scenes(self) -> "dict[str, Party]":
        """A table in each state it can be in."""
        host, listed, shared = self.visitor(), self.visitor(), self.visitor()
        over, again, alone = self.thrown("rock", "paper"), self.thrown("paper", "rock"), self.visitor()
        old = again.players[0].get(again.table)
        rematch = again.players[0].submit(old, "/rematch").table
        left_free, resigned = self.fleet(3), self.fleet(3)
        leave(left_free.players[1], left_free.table, "free")
        leave(resigned.players[1], resigned.table, "resign")
        aside, ended = self.put_aside(), self.put_aside()
        for form, fields in (("/say", {"text": "Shall we <end> it?"}), ("/end", {}), ("/ready", {})):
            ended.players[0].submit(ended.players[0].get(ended.table), form, **fields)
        return {
            **self.company(),
            **self.timed(),
            "open": Party(self, host.start("strifebarge", seats="3").table, [host]),
            "playing": self.fleet(),
            "chess": self.gathered("chess", pace="days-3"),
            "by the clock": self.gathered("strifebarge", pace="turn-180"),
            "eights": self.gathered("eights"),
            "alone": Party(self, alone.start("eights", seats="1").table, [alone]),
            "nobody has chosen": self.gathered("rps"),
            "one has chosen": self.thrown("rock"),
            "seat free": left_free,
            "one has resigned": resigned,
            "over": over,
            "over, and a rematch waits": again,
            "rematch": Party(self, rematch, again.players),
            "put aside": aside,
            "on the list": Party(self, listed.start("chess", listed="yes", name="Ann").table, [listed]),
            "invitation taken back": self.taken_back(),
            "somebody is invited by name": self.asked(),
            **self.with_bots(),
            "one device, covered": self.at_one_device(),
            "one device": self.at_one_device(lifted=True),
            "some at one device": Party(
                self, shared.start("eights", seats="3", devices="some").table, [shared]
            ),
            "end proposed": ended,
        }


class Party(NamedTuple):
    """A table and its players, by seat."""

    house: House
    table: str
    players: list[Local]

    @property
    def code(self) -> str:
        return self.table.removeprefix("/g/")

    @property
    def viewers(self) -> dict[str, Local]:
        """Everybody who may look: each player, a known person who only watches, and a stranger."""
        watching = self.house.visitor()
        watching.start("rps")
        seated = {f"player {seat}": player for seat, player in enumerate(self.players)}
        return {**seated, "spectator": watching, "stranger": self.house.visitor()}

    def to_move(self) -> Local:
        return next(player for player in self.players if player.get(self.table).my_turn)


def tick(house: House) -> None:
    """What the site's ticker does about deadlines."""
    deadlines(house.referee)(house.referee.now())


def suspend(first: Local, party: Party) -> None:
    """One who plays proposes to put the game aside, and all others agree."""
    for player in (first, *(each for each in party.players if each is not first)):
        page = player.get(party.table)
        if page.has_form("/suspend"):
            assert player.submit(page, "/suspend").status == 303


def leave(player: Local, table: str, how: str) -> Page:
    """The quit page's button of that meaning."""
    page = player.get(f"{table}/quit")
    form = next(form for form in page.forms if ("how", how) in form.fields)
    return player.post(f"{table}/quit", form.filled())


def hand_on(player: Local, table: str) -> str:
    """The path of the link that gives this player's seat away."""
    link = player.get(f"{table}/quit").seen.ids["link"]["value"]
    return link[link.index("/g/") :]


def play_out(party: Party, chance: Random, each: Callable[[Page], object] = lambda page: None) -> int:
    """Play by what the forms offer, at random, until it is over; returns how many forms were sent."""
    sent = 0
    while sent < 2000:
        for player in party.players:
            page = player.get(party.table)
            each(page)
            if page.over:
                return sent
            if page.my_turn:
                answer = player.submit(page, "/turn", chance.choice(page.form("/turn").moves))
                assert answer.status == 303, answer.words
                sent += 1
    raise AssertionError("it never ends")


class Wall:
    """A clock that stands until a test sets it."""

    def __init__(self, at: float = 1_800_000_000.0):
        self.at = at

    def __call__(self) -> float:
        return self.at

    def seconds(self, number: float) -> None:
        self.at += number

    def days(self, number: float) -> None:
        self.at += number * DAY


@contextmanager
def opened(url: str, folder: Path, **settings: Any) -> Iterator[House]:
    """A house on a database that is up to date, and closed properly."""
    generous = {"workers": 1, "limit_create": 9999, "limit_codes": 9999}
    app = create_app(Settings(data=folder, database_url=url, secret_keys=KEYS, **(generous | settings)))
    house = House(app, app.extensions["settings"].database_url)
    never_wait_for_the_disk(house.referee.store.engine)
    try:
        yield house
    finally:
        house.engine.dispose()
        house.referee.store.engine.dispose()


def copied(migrated: Path, folder: Path) -> str:
    """The URL of a fresh SQLite file."""
    shutil.copy(migrated, folder / "house.db")
    return f"sqlite:///{folder / 'house.db'}"


def token(page: Page) -> str:
    """Why it was refused, as programs read it: from the notice on a table, or the foot of an error's page."""
    if page.token:
        return page.token
    _, shown, rest = page.text.partition('<p class="dim"><code>')
    return rest.partition("<")[0] if shown else ""
