"""Make a fixture: a database of this version's site in the midst of everything, and what belongs to it.

    python -m tests.upgrade.make_fixture NAME

drives the site of the code it is run with, by its pages, forms and commands, and writes beside this file

- `NAME.db.xz`: the SQLite database, compressed,
- `NAME.json`: who its people are (cookies, passkeys), its tables, links and codes, and what every table shows
  to every viewer, but for words,
- `NAME.records.json.xz`: the records of the games that have ended,
- `NAME.words.json.xz`: logs and positions in words.

The tests run on every fixture that is here.  Each was made with the commit of its name: `d3771d2` with the
last one before modules, identifiers and tables of the database were renamed; later ones have tokens,
tournaments, bots and what hosts do too.  For a fixture of a later version: check
it out, run this with its name, and commit its files; those of earlier versions stay.  Tests never run this.

    python -m tests.upgrade.make_fixture --words NAME

writes only the words anew, as the code of today says them, of the fixture's database brought up to date: for
when a sentence of a page, a game or a log was changed on purpose.  No other file may differ then.
"""

import json
import lzma
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time
from typing import Any

from tests.support.clock import Clock, standing_at
from tests.support.programs import token_of
from tests.support.seeds import begin, seed_referees
from tests.support.visitor import Local, Page
from tests.upgrade.visiting import (
    HERE,
    HOOK,
    PASSWORD,
    PINS,
    Passkey,
    Place,
    b64,
    command,
    facts,
    links_in,
    offers,
    opened,
    over,
    passkey_options,
    path_of,
    play_one,
    play_out,
    read,
    resign,
    send,
    shown,
    spoken,
    uncover,
    words,
)

BEGUN = 1_795_000_000  # 18 November 2026, UTC
MINUTE = 60  # seconds
CHANCE = "a fixture"  # the seed of what is dealt and of the moves: so every run makes the same games


class Maker:
    """Fills a site with people and tables, and notes what belongs to them."""

    def __init__(self, place: Place, clock: Clock) -> None:
        self.place, self.clock = place, clock
        self.chance = Random(CHANCE)
        self.people: dict[str, Local] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.links: dict[str, Any] = {}
        self.passkeys: dict[str, dict[str, str]] = {}
        self.records: dict[str, dict[str, Any]] = {}

    def person(self, name: str) -> Local:
        return self.people.setdefault(name, self.place.visitor())

    def at(self, label: str) -> str:
        return str(self.tables[label]["table"])

    def seated(self, label: str) -> list[Local]:
        return [self.people[name] for name in self.tables[label]["players"]]

    def table(self, label: str, game: str, players: str, **options: str) -> str:
        """Begin a game of people with these names; those with a capital letter are called by them."""
        names = players.split()
        host, *others = names
        if len(names) > 2 or game in ("eights", "strifebarge"):
            options.setdefault("seats", str(len(names)))
        table = self.person(host).start(game, name=host if host.istitle() else "", **options).table
        for name in others:
            self.person(name).join(table, name=name if name.istitle() else "")
        self.tables[label] = {"table": table, "game": game, "players": names}
        self.clock.shift(MINUTE)
        return table

    def play(self, label: str, moves: int) -> str:
        last = ""
        for _ in range(moves):
            last = play_one(self.seated(label), self.at(label), self.chance)
            self.clock.shift(7)
        return last

    def press(self, name: str, label: str, form: str, page: str = "", **fields: str) -> Page:
        who = self.people[name]
        answer = who.submit(who.get(self.at(label) + page), form, **fields)
        assert answer.status == 303, (label, form, answer.status, answer.words)
        return who.follow(answer)

    # -- games ---------------------------------------------------------------------------

    def running_games(self) -> None:
        self.table("chess", "chess", "Ann Ben")
        self.play("chess", 11)
        self.table("eights", "eights", "Ann Ben Cleo")
        self.play("eights", 8)
        self.table("strifebarge", "strifebarge", "Ben guest Ann")
        self.play("strifebarge", 14)
        self.table("rps, one has chosen", "rps", "Ann Ben", best_of="5")
        self.play("rps, one has chosen", 7)
        self.one_chooses("rps, one has chosen")
        self.table("startups, one has chosen", "startups", "Cleo Ann Ben")
        self.play("startups, one has chosen", 20)
        self.one_chooses("startups, one has chosen")
        self.mirrow()

    def mirrow(self) -> None:
        """One game where a card is chosen in secret, one with a turn half composed."""
        self.table("mirrow, one card chosen", "mirrow", "Ann Ben")
        self.lay_out("mirrow, one card chosen")
        self.play("mirrow, one card chosen", 1)
        self.table("mirrow, half composed", "mirrow", "Ben Cleo")
        self.lay_out("mirrow, half composed")
        for _ in range(60):
            if self.play("mirrow, half composed", 1).startswith("sail") and self.composed():
                return
        raise AssertionError("nobody sails")

    def one_chooses(self, label: str) -> None:
        """Have the first player choose, and the others not yet, who play on where the first is not asked."""
        [who, *others], table = self.seated(label), self.at(label)
        while True:
            before = facts(who, table)["number"]
            if not play_one([who], table, self.chance):
                assert play_one(others, table, self.chance), label
            elif facts(who, table)["number"] == before:
                return

    def lay_out(self, label: str) -> None:
        for who in self.seated(label):
            for move in ("auto", "ready"):
                page = who.get(self.at(label) + "?view=text")
                assert move in offers(page), (move, offers(page))
                assert send(who, page, move).status == 303

    def composed(self) -> bool:
        """Whether one of the two is shown lines of the log that the other is not."""
        one, two = (
            facts(who, self.at("mirrow, half composed")) for who in self.seated("mirrow, half composed")
        )
        return bool(one["lines"] != two["lines"])

    # -- tables in other states --------------------------------------------------------------

    def open_table(self) -> None:
        """One that is open: a link, one taken back, one who sits there, one invited by name."""
        host = self.person("Ann")
        table = host.start("strifebarge", name="Ann", seats="4", t_begins="agreed").table
        self.tables["open"] = {"table": table, "game": "strifebarge", "players": ["Ann", "early"]}
        self.links["invitation taken back"] = self.invitation(host, table)
        self.press("Ann", "open", "/renew")
        self.links["invitation"] = self.invitation(host, table)
        self.links["invitation code"] = spoken(host.get(table))
        early = self.person("early")
        early.submit(early.get(self.links["invitation"]), "/join")
        company = early.get(f"{table}/company").seen.ids
        self.links["beside"] = path_of(company["link-beside"]["value"])
        form = host.get(table).form("/ask")
        answer = host.post(form.action, form.filled(form.buttons[0]))
        assert answer.status == 303, answer.words
        listed = self.person("Dora").start("chess", name="Dora", listed="yes", pace="days-3").table
        self.tables["on the list"] = {"table": listed, "game": "chess", "players": ["Dora"]}

    @staticmethod
    def invitation(who: Local, table: str) -> str:
        return path_of(who.get(table).seen.ids["link"]["value"])

    def suspended(self) -> None:
        self.table("suspended", "chess", "Ann Dora")
        self.play("suspended", 4)
        for name in ("Dora", "Ann"):
            self.press(name, "suspended", "/suspend")
        self.press("Dora", "suspended", "/ready")

    def clocks(self) -> None:
        self.table("by the clock", "chess", "Ann Ben", pace="days-7")
        self.play("by the clock", 5)
        self.table("paused", "eights", "Cleo Dora", pace="pool-72-12")
        self.play("paused", 3)
        for name in ("Cleo", "Dora"):
            self.press(name, "paused", "/pause")
        self.table("on vacation", "strifebarge", "Dora Finn", pace="days-3")
        self.play("on vacation", 3)
        finn = self.people["Finn"]
        assert finn.submit(finn.get("/games"), "/vacation", days="5").status == 303
        self.table("quick", "chess", "Ann Cleo", pace="clock-30-20")
        self.play("quick", 4)

    def shared_device(self) -> None:
        gil = self.person("Gil")
        table = gil.start("eights", seats="2", devices="one", name="Gil", others="Hal").table
        self.tables["one device"] = {"table": table, "game": "eights", "players": ["Gil"]}

        def covered() -> bool:
            return gil.get(table).has_form("/uncover")

        for pin in PINS.values():
            uncover(gil, table, {})
            assert gil.submit(gil.get(table), "/pin", pin=pin).status == 303
            while offers(read(gil, table)) and play_one([gil], table, self.chance) and not covered():
                pass
        if not covered():
            assert gil.submit(gil.get(table), "/cover").status == 303
        assert covered()

    def delayed(self) -> None:
        self.table("watched late", "strifebarge", "Ann guest", t_watching="5")
        self.play("watched late", 9)
        self.table("not watched", "eights", "Ben Cleo", t_watching="-1")
        self.play("not watched", 4)

    def ended(self) -> None:
        """Games that have ended: a rated series with a rematch that waits, and one of each title."""
        self.table("rated", "rps", "Ann Ben", afterwards="rated")
        play_out(self.seated("rated"), self.at("rated"), self.chance)
        self.table("rated chess", "chess", "Ben Ann", afterwards="rated", pace="days-3")
        for move in ("f2f3", "e7e5", "g2g4", "d8h4"):
            pages = [
                (who, who.get(self.at("rated chess") + "?view=text")) for who in self.seated("rated chess")
            ]
            mover, page = next((who, page) for who, page in pages if offers(page))
            assert send(mover, page, f"move {move}").status == 303
            self.clock.shift(11)
        again = self.press("Ann", "rated", "/rematch").table
        self.tables["second of the series"] = {"table": again, "game": "rps", "players": ["Ann", "Ben"]}
        self.press("Ben", "second of the series", "/ready")
        if self.people["Ann"].get(again).has_form("/ready"):
            self.press("Ann", "second of the series", "/ready")
        play_out(self.seated("second of the series"), again, self.chance)
        third = self.press("Ben", "second of the series", "/rematch").table
        self.tables["rematch"] = {"table": third, "game": "rps", "players": ["Ben", "Ann"]}
        for game, players in (
            ("eights", "Ann Cleo guest"),
            ("strifebarge", "Cleo Ann"),
            ("startups", "Ann Ben Cleo"),
        ):
            self.table(f"ended {game}", game, players, afterwards="public")
            play_out(self.seated(f"ended {game}"), self.at(f"ended {game}"), self.chance)
        self.table("ended mirrow", "mirrow", "Ann Ben", afterwards="public")
        self.lay_out("ended mirrow")
        self.play("ended mirrow", 25)
        resign(self.seated("ended mirrow")[:1], self.at("ended mirrow"))

    # -- people --------------------------------------------------------------------------------

    def talking(self) -> None:
        ann, ben = self.people["Ann"], self.people["Ben"]
        chess = self.at("chess")
        for who, text in ((ann, "Hello Ben, <well> met!"), (ben, "Grüß dich, Ann")):
            assert who.submit(who.get(f"{chess}/talk"), "/say", text=text).status == 303
            self.clock.shift(MINUTE)
        assert ann.submit(ann.get(f"{chess}?view=board"), "/note", note="Watch the knight").status == 303
        eights = self.at("eights")
        cleo = self.people["Cleo"]
        assert cleo.submit(cleo.get(f"{eights}/talk"), "/say", text="Cleo shouts").status == 303
        page = ben.get(f"{eights}/talk")
        form = next(f for f in page.forms if f.action.endswith("/strike"))
        assert ben.post(f"{eights}/mute", form.filled()).status == 303

    def accounts(self) -> None:
        ann, cleo = self.people["Ann"], self.people["Cleo"]
        for who, login in ((ann, "ann"), (cleo, "cleo")):
            answer = who.submit(
                who.get("/me/account"), "/me/account", login=login, password=PASSWORD, again=PASSWORD
            )
            assert answer.status == 303, answer.words
        phone = self.person("Ann's phone")
        page = ann.follow(ann.submit(ann.get("/me/code"), "/me/code"))
        assert phone.submit(phone.get("/move"), "/move", c=spoken(page)).status == 303
        tablet = self.person("Ann's tablet")
        assert tablet.submit(tablet.get("/sign-in"), "/sign-in", login="ann", password=PASSWORD).status == 303
        for name in ("Ann", "Ben"):  # with an account, and as a guest
            who, key = self.people[name], Passkey.new()
            page = who.get("/me/account")
            made = key.made(passkey_options(page))
            answer = who.submit(page, "/me/passkeys", credential=made)
            assert answer.status == 303, answer.words
            self.passkeys[name] = key.kept()
        for name in ("Ben", "guest"):
            who = self.people[name]
            page = who.follow(who.submit(who.get("/me/link"), "/me/link"))
            [link] = [
                path_of(has["value"]) for has in page.seen.ids.values() if "/open?t=" in has.get("value", "")
            ]
            self.links[f"personal link of {name}"] = link

    def prove(self, name: str) -> None:
        """Confirm that it is they, by password or passkey, before what is lasting."""
        who = self.people[name]
        page = who.get("/me/confirm?to=account")
        if page.status == 303:  # they have just done so
            return
        if 'name="proof"' in page.text:
            proof = {"proof": PASSWORD}
        else:
            key = Passkey.load(self.passkeys[name])
            proof = {"proof_credential": key.signed(passkey_options(page), 0)}
        answer = who.submit(page, "/me/confirm", **proof)
        assert answer.status == 303, answer.words

    def device_codes(self) -> None:
        """A code that is still good for some minutes."""
        self.prove("Ann")
        ann = self.people["Ann"]
        page = ann.follow(ann.submit(ann.get("/me/code"), "/me/code"))
        self.links["device code of Ann"] = spoken(page)

    def seat_links(self) -> None:
        """Links of every kind to seats of one table."""
        self.table("seats", "strifebarge", "Cleo guest lost giver")
        self.play("seats", 5)
        table = self.at("seats")
        self.clock.shift(60 * MINUTE)
        self.links["seat"] = path_of(self.people["giver"].get(f"{table}/quit").seen.ids["link"]["value"])
        company = self.people["guest"].get(f"{table}/company").seen.ids
        self.links["substitute"] = path_of(company["link-substitute"]["value"])
        cleo = self.people["Cleo"]
        page = cleo.get(f"{table}/lost")
        button = next(each for each in page.form("/lost").buttons if each.value == "2")
        page = cleo.follow(cleo.submit(page, "/lost", button))
        self.links["seat code"] = spoken(page)
        self.links["seat code, where"] = f"{table}/back-to-my-seat"

    def subscribers(self) -> None:
        """People who are told: by mail with links to answer by, by webhook, in a browser, and by feeds."""
        for name in ("Ann", "Ben", "Cleo"):
            self.prove(name)
        for name, address in (("Ann", "ann@example.org"), ("Ben", "ben@example.org")):
            who = self.people[name]
            assert who.submit(who.get("/notices"), "/notices/add", way="mail", place=address).status == 303
        self.place.post()
        for to, text in self.place.mails:
            [link] = [each for each in links_in(text) if each.startswith("/notices/confirm")]
            if to == "ben@example.org":
                stranger = self.place.visitor()
                assert stranger.submit(stranger.get(link), "/notices/confirm").status == 303
            else:
                self.links["confirm the address of Ann"] = link
        ben, cleo, guest = (self.people[name] for name in ("Ben", "Cleo", "guest"))
        kinds = ["turn", "half", "nudge", "agree", "over"]
        assert (
            ben.submit(ben.get("/notices"), "/notices", kind=kinds, answers="yes", zone="UTC").status == 303
        )
        added = cleo.submit(cleo.get("/notices"), "/notices/add", way="discord", place=f"{HOOK}/discord")
        assert added.status == 303, added.words
        wishes = {"kind": kinds, "quiet": "yes", "from": "01:00", "to": "02:00", "zone": "Europe/Berlin"}
        assert cleo.submit(cleo.get("/notices"), "/notices", **wishes).status == 303
        added = guest.submit(guest.get("/notices"), "/notices/add", way="ntfy", place=f"{HOOK}/ntfy")
        assert added.status == 303, added.words
        push = Passkey.new()
        point = push.private.public_key().public_numbers()
        public = b"\4" + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big")
        dora = self.people["Dora"]
        page = dora.get("/notices")
        given = {"endpoint": f"{HOOK}/push", "p256dh": b64(public), "auth": b64(b"0123456789abcdef")}
        answer = dora.submit(page, "/notices/push", **given)
        assert answer.status == 303, answer.words
        for name in ("Ann", "Ben"):
            who = self.people[name]
            page = who.follow(who.submit(who.get("/notices"), "/notices/feed"))
            for kind in ("atom", "ics"):
                self.links[f"{kind} of {name}"] = path_of(page.seen.ids[kind]["value"])

    def letters(self) -> None:
        """Mails that were sent, with their links; and letters that are still to be sent."""
        self.table("answered by mail", "chess", "Ann Ben")
        self.play("answered by mail", 1)
        self.clock.shift(2 * MINUTE)
        self.place.mails.clear()
        self.place.post()
        found = [link for to, text in self.place.mails if to == "ben@example.org" for link in links_in(text)]
        table = self.at("answered by mail")
        self.links["answer of Ben"] = next(each for each in found if each.startswith(f"{table}/answer"))
        self.links["off of Ben"] = next(each for each in found if each.startswith("/notices/off"))
        # Not a minute ago when the fixture is taken: so nothing of them is sent yet.
        for label, players in (
            ("told by mail", "Ann Ben"),
            ("told by webhook", "Ann Cleo"),
            ("told in a browser", "Ann Dora"),
        ):
            self.table(label, "chess", players)
        for label in ("told by mail", "told by webhook", "told in a browser"):
            self.play(label, 1)

    # -- programs, tournaments, hosts -------------------------------------------------------------

    def programs(self) -> None:
        """A token of somebody without an account."""
        self.prove("Ben")
        self.links["token of Ben"] = token_of(self.people["Ben"])

    def tournament(self) -> None:
        organizer = self.person("organizer")
        fields = {"name": "A cup", "pace": "days-3"}
        page = organizer.submit(organizer.get("/tournaments/new/rps"), "/tournaments/new/rps", **fields)
        self.links["tournament"] = path = page.location
        names = ["Tia", "Uwe"]
        for name in names:
            who = self.person(name)
            assert who.submit(who.get(path), "/join", name=name).status == 303
        assert organizer.submit(organizer.get(path), "/start").status == 303
        [table] = {link for link in organizer.get(path).seen.links if link.startswith("/g/")}
        self.tables["of a tournament"] = {"table": table, "game": "rps", "players": names}

    def with_bots(self) -> None:
        lone = self.person("lone")
        table = lone.submit(lone.get("/bots"), "/bots/eights", level="easy").table
        self.tables["with a bot"] = {"table": table, "game": "eights", "players": ["lone"]}

    def hosts(self) -> None:
        """A browser of the site's host, somebody who is banned, and a game that is suspended by the host."""
        host = self.person("host")
        link = self.place.command("host-link").output.strip()
        assert host.submit(host.get(path_of(link)), "/host/open").status == 303
        self.table("banned", "chess", "Bea guest")
        [bea] = json.loads(self.place.command("people", "find", "Bea", "--json").output)
        assert self.place.command("people", "ban", bea["id"], "--reason", "Insults").exit_code == 0
        self.table("held", "chess", "Dora guest")
        id = self.at("held").removeprefix("/g/")
        assert self.place.command("games", "suspend", id).exit_code == 0

    # -- what belongs to it ----------------------------------------------------------------------

    def keep_records(self) -> None:
        for label, about in self.tables.items():
            who = self.people[about["players"][0]]
            if over(who, about["table"]):
                page = who.get(f"{about['table']}/record.json")
                [address] = {
                    link.removesuffix("/check")
                    for link in who.get(about["table"]).seen.links
                    if link.endswith("/check")
                }
                about["record"] = address
                self.records[label] = json.loads(page.text)

    def everything(self) -> None:
        assert self.place.command("tick").exit_code == 0
        self.running_games()
        self.ended()
        self.talking()
        self.accounts()
        self.shared_device()
        self.suspended()
        self.seat_links()
        self.delayed()
        self.clocks()
        self.open_table()
        self.programs()
        self.tournament()
        self.with_bots()
        self.hosts()
        self.subscribers()
        self.letters()
        self.device_codes()
        self.keep_records()
        for who in self.seated("quick"):  # which is suspended where all have left it
            who.get(self.at("quick"))
        assert self.place.command("tick").exit_code == 0


def make(name: str) -> None:
    seed_referees()
    begin(CHANCE)
    with TemporaryDirectory() as folder, standing_at(BEGUN) as clock:
        path = Path(folder) / "fixture.db"
        url = f"sqlite:///{path}"
        assert command(url, Path(folder), "db", "upgrade").exit_code == 0
        maker = Maker(Place(url, Path(folder)), clock)
        maker.everything()
        kept = {
            "taken": int(time()),
            "people": {name: who.cookies for name, who in maker.people.items()},
            "passkeys": maker.passkeys,
            "tables": maker.tables,
            "links": maker.links,
        }
        small = Path(folder) / "small.db"
        with closing(sqlite3.connect(path)) as database:
            database.execute("VACUUM INTO ?", [str(small)])
        (HERE / f"{name}.db.xz").write_bytes(lzma.compress(small.read_bytes(), preset=9))
        packed(name, "records", maker.records)
        with_facts = Place(f"sqlite:///{small}", Path(folder))
        kept["shown"] = shown(with_facts, kept, facts)
        packed(name, "words", shown(with_facts, kept, words))
        (HERE / f"{name}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def packed(name: str, what: str, value: Any) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False)
    (HERE / f"{name}.{what}.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))


def words_anew(name: str) -> None:
    """Write the words of a fixture as the code of today says them."""
    with TemporaryDirectory() as folder, opened(name, Path(folder)) as (place, kept):
        packed(name, "words", shown(place, kept, words))


def main(arguments: list[str]) -> None:
    match arguments:
        case ["--words", name]:
            words_anew(name)
        case [name] if not name.startswith("-"):
            make(name)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
