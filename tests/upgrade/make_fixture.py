"""Make the fixture of the upgrade test: a database with games and people of every kind.

    python -m tests.upgrade.make_fixture

This uses the site of the code it is run with, through its pages, forms and commands, and writes two files
beside this one:

- `0.1.0.db.xz`: the SQLite database,
- `0.1.0.json.xz`: the cookies of its people, its tables, links, codes, and the records of ended games.

The name is the release whose code made them (`RELEASE` in site.py).  Run it again only while that release is
not out; the next release gets a fixture of its own beside this one.
"""

import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time
from typing import Any

from tests.support.programs import token_of
from tests.support.seeds import begin, seed_referees
from tests.support.visitor import Local, Page
from tests.upgrade.site import (
    CONTENTS,
    DATABASE,
    PASSWORD,
    PIN,
    Site,
    number_of,
    offers,
    opened,
    path_of,
    play_one,
    play_out,
    send,
    spoken,
    uncover,
)

BEGUN = 1_795_000_000  # 18 November 2026, UTC
SEED = "a fixture"  # of deals and moves: each run makes the same games
MAIL = "ben@example.org"
ENDED = {  # titles, and after how many moves somebody resigns
    "rps": ("Ann Ben", 40),
    "eights": ("Ann Cleo guest", 400),
    "strifebarge": ("Cleo Ann", 400),
    "startups": ("Ann Ben Cleo", 400),
    "mirrow": ("Ann Ben", 25),
    "chess": ("Ben Ann", 15),
}


class Maker:
    """Fills a site with people and tables, and notes what the test needs of them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.chance = Random(SEED)
        self.people: dict[str, Local] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.links: dict[str, str] = {}
        self.records: dict[str, Any] = {}

    def person(self, name: str) -> Local:
        return self.people.setdefault(name, self.site.visitor())

    def at(self, label: str) -> str:
        return str(self.tables[label]["table"])

    def seated(self, label: str) -> list[Local]:
        return [self.people[name] for name in self.tables[label]["players"]]

    def keep(self, label: str, table: str, players: str) -> None:
        self.tables[label] = {"table": table, "players": players.split()}

    def begin(self, label: str, game: str, players: str, moves: int = 0, **options: str) -> str:
        """Begin a game and play some moves; people with a capital letter go by that name."""
        host, *others = names = players.split()
        if len(names) > 2 or game in ("eights", "strifebarge"):
            options.setdefault("seats", str(len(names)))
        table = self.person(host).start(game, name=host if host.istitle() else "", **options).table
        for name in others:
            self.person(name).join(table, name=name if name.istitle() else "")
        self.keep(label, table, players)
        self.play(label, moves)
        return table

    def play(self, label: str, moves: int) -> str:
        """Play some moves at random; return the last one."""
        last = ""
        for _ in range(moves):
            last = play_one(self.seated(label), self.at(label), self.chance)
            self.site.clock.shift(7)
        return last

    def submit(self, name: str, path: str, form: str, /, **fields: Any) -> Page:
        """Fill in a form of a page, which must succeed; return where it leads."""
        who = self.person(name)
        answer = who.submit(who.get(path), form, **fields)
        assert answer.status == 303, (name, path, form, answer.status, answer.words)
        return who.follow(answer)

    # -- games ---------------------------------------------------------------------------

    def running_games(self) -> None:
        self.begin("chess", "chess", "Ann Ben", 11)
        self.begin("eights", "eights", "Ann Ben Cleo", 8)
        self.begin("strifebarge", "strifebarge", "Ben guest Ann", 14)
        self.begin("rps", "rps", "Ann Ben", 6, best_of="5")
        self.one_chooses("rps")
        self.begin("startups", "startups", "Cleo Ann Ben", 20)
        self.one_chooses("startups")
        self.begin("mirrow", "mirrow", "Ben Cleo")
        self.lay_out("mirrow")
        self.compose("mirrow")

    def one_chooses(self, label: str) -> None:
        """Let the first player choose in secret; the others play until the first one is asked."""
        [who, *others], table = self.seated(label), self.at(label)
        while True:
            before = number_of(who, table)
            if not play_one([who], table, self.chance):
                assert play_one(others, table, self.chance), label
            elif number_of(who, table) == before:
                return

    def lay_out(self, label: str) -> None:
        """Begin a game of Mirrow with the usual fleets."""
        for who in self.seated(label):
            for move in ("auto", "ready"):
                assert send(who, who.get(self.at(label) + "?view=text"), move).status == 303

    def compose(self, label: str) -> None:
        """Play Mirrow up to the middle of a turn of several steps."""
        for _ in range(60):
            sails = self.play(label, 1).startswith("sail")
            logs = {who.get(self.at(label) + "/log.txt").text for who in self.seated(label)}
            if sails and len(logs) > 1:
                return
        raise AssertionError("nobody sails")

    def ended_games(self) -> None:
        for game, (players, longest) in ENDED.items():
            kind = "rated" if game in ("rps", "chess") else "public"
            table = self.begin(f"ended {game}", game, players, afterwards=kind)
            if game == "mirrow":
                self.lay_out(f"ended {game}")
            players_here = self.seated(f"ended {game}")
            play_out(players_here, table, self.chance, longest)
            self.records[f"ended {game}"] = json.loads(players_here[0].get(f"{table}/record.json").text)
        self.keep("rematch", self.submit("Ann", self.at("ended rps"), "/rematch").table, "Ann Ben")

    def other_states(self) -> None:
        self.begin("suspended", "chess", "Ann Dora", 4)
        for name in ("Dora", "Ann"):
            self.submit(name, self.at("suspended"), "/suspend")
        self.submit("Dora", self.at("suspended"), "/ready")
        self.begin("by the clock", "chess", "Ann Ben", 5, pace="days-7")
        self.begin("paused", "eights", "Cleo Dora", 3, pace="pool-72-12")
        for name in ("Cleo", "Dora"):
            self.submit(name, self.at("paused"), "/pause")
        self.begin("on vacation", "strifebarge", "Dora Finn", 3, pace="days-3")
        self.submit("Finn", "/games", "/vacation", days="5")
        self.begin("watched late", "strifebarge", "Ann guest", 9, t_watching="5")
        self.shared_device()

    def shared_device(self) -> None:
        gil = self.person("Gil")
        table = gil.start("eights", seats="2", devices="one", name="Gil", others="Hal").table
        self.keep("one device", table, "Gil")
        for _ in range(2):
            uncover(gil, table, None)
            self.submit("Gil", table, "/pin", pin=PIN)
            while not gil.get(table).has_form("/uncover"):
                if not (offers(gil.get(f"{table}?view=text")) and play_one([gil], table, self.chance)):
                    self.submit("Gil", table, "/cover")

    # -- people --------------------------------------------------------------------------

    def talk(self) -> None:
        self.submit("Ann", self.at("chess") + "/talk", "/say", text="Grüß dich, Ben")
        self.submit("Ann", self.at("chess") + "?view=board", "/note", note="Watch the knight")

    def accounts(self) -> None:
        self.submit("Ann", "/me/account", "/me/account", login="ann", password=PASSWORD, again=PASSWORD)
        self.links["code for Ann's next device"] = spoken(self.submit("Ann", "/me/code", "/me/code"))
        page = self.submit("Ben", "/me/link", "/me/link")
        self.links["personal link of Ben"] = self.value(page, "/open?t=")
        self.links["token of Ben"] = token_of(self.people["Ben"])

    @staticmethod
    def value(page: Page, part: str) -> str:
        """Return the path of a link that a page shows in a field."""
        values = [has["value"] for has in page.seen.ids.values() if part in has.get("value", "")]
        return path_of(values[0])

    def open_tables(self) -> None:
        host = self.person("Ann")
        table = host.start("strifebarge", name="Ann", seats="4", t_begins="agreed").table
        self.keep("open", table, "Ann")
        self.links["invitation taken back"] = path_of(host.get(table).seen.ids["link"]["value"])
        page = self.submit("Ann", table, "/renew")
        self.links["invitation"] = path_of(page.seen.ids["link"]["value"])
        self.links["invitation code"] = spoken(page)
        listed = self.person("Dora").start("chess", name="Dora", listed="yes", pace="days-3").table
        self.keep("on the list", listed, "Dora")

    def seat_links(self) -> None:
        table = self.begin("seats", "strifebarge", "Cleo guest giver", 5)
        self.site.clock.shift(3600)
        self.links["seat"] = path_of(self.people["giver"].get(f"{table}/quit").seen.ids["link"]["value"])
        company = self.people["guest"].get(f"{table}/company").seen.ids
        self.links["substitute"] = path_of(company["link-substitute"]["value"])
        form = self.people["Cleo"].get(f"{table}/lost").form("/lost")
        button = next(each for each in form.buttons if each.value == "1")
        self.links["seat code"] = spoken(self.submit("Cleo", f"{table}/lost", "/lost", button=button))

    # -- notifications, tournaments, bots, hosts -------------------------------------------

    def notifications(self) -> None:
        """Somebody who gets mails and has a feed; one mail was sent, and one is still to be sent."""
        self.submit("Ben", "/notices", "/notices/add", way="mail", place=MAIL)
        self.site.send_mails()
        [confirm] = [link for link in self.site.links_to(MAIL) if link.startswith("/notices/confirm")]
        self.submit("a mail program", confirm, "/notices/confirm")
        kinds = ["turn", "half", "nudge", "agree", "over"]
        self.submit("Ben", "/notices", "/notices", kind=kinds, answers="yes", zone="UTC")
        page = self.submit("Ben", "/notices", "/notices/feed")
        for kind in ("atom", "ics"):
            self.links[kind] = path_of(page.seen.ids[kind]["value"])
        table = self.begin("answered by mail", "chess", "Ann Ben", 1)
        self.site.clock.shift(120)
        self.site.send_mails()
        links = self.site.links_to(MAIL)
        self.links["answer"] = next(each for each in links if each.startswith(f"{table}/answer"))
        self.links["off"] = next(each for each in links if each.startswith("/notices/off"))
        self.begin("mail to be sent", "chess", "Ann Ben", 1)

    def tournament(self) -> None:
        new = "/tournaments/new/rps"
        page = self.submit("organizer", new, new, name="A cup", pace="days-3")
        self.links["tournament"] = page.path
        for name in ("Tia", "Uwe"):
            self.submit(name, page.path, "/join", name=name)
        page = self.submit("organizer", page.path, "/start")
        [table] = {link for link in page.seen.links if link.startswith("/g/")}
        self.keep("of a tournament", table, "Tia Uwe")

    def bot(self) -> None:
        self.keep("with a bot", self.submit("lone", "/bots", "/bots/eights", level="easy").table, "lone")

    def hosts(self) -> None:
        """A browser of a host, a ban, and a game that a host has suspended."""
        link = self.site.run("host-link").output.strip()
        self.submit("host", path_of(link), "/host/open")
        self.begin("banned", "chess", "Bea guest")
        [bea] = json.loads(self.site.run("people", "find", "Bea", "--json").output)
        self.site.run("people", "ban", bea["id"], "--reason", "Insults")
        table = self.begin("held", "chess", "Dora guest")
        self.site.run("games", "suspend", table.removeprefix("/g/"))

    def make(self) -> dict[str, Any]:
        """Fill the site; return what the test needs of it."""
        self.site.run("tick")
        self.running_games()
        self.ended_games()
        self.other_states()
        self.talk()
        self.open_tables()
        self.seat_links()
        self.tournament()
        self.bot()
        self.hosts()
        self.notifications()
        self.accounts()
        self.site.run("tick")
        return {
            "taken": int(time()),
            "people": {name: who.cookies for name, who in self.people.items()},
            "tables": self.tables,
            "links": self.links,
            "records": self.records,
        }


def main() -> None:
    seed_referees()
    begin(SEED)
    with TemporaryDirectory() as folder:
        file, small = Path(folder) / "strifebarge.db", Path(folder) / "small.db"
        with opened(file, BEGUN) as site:
            contents = json.dumps(Maker(site).make(), ensure_ascii=False)
        with closing(sqlite3.connect(file)) as database:
            database.execute("VACUUM INTO ?", [str(small)])
        DATABASE.write_bytes(lzma.compress(small.read_bytes(), preset=9))
        CONTENTS.write_bytes(lzma.compress(contents.encode(), preset=9))


if __name__ == "__main__":
    main()
