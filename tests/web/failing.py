"""A site whose database fails at a chosen call, and one form for every address that takes any.

The forms are those of the site's own pages, at tables in every state; each is known to change something.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from time import time
from typing import Any, NamedTuple
from urllib.parse import urljoin

from sqlalchemy import event, text

from strifebarge.notifications.models import ChannelKind
from strifebarge.notifications.push import text_of
from strifebarge.store.db.engine import access_of
from strifebarge.web.http.seals import Seals
from strifebarge.web.site.host_acts import ACTS
from tests.notifications.test_push import Browser
from tests.support.visitor import Button, Form, Local, Page, Pairs
from tests.web.hosting import a_host
from tests.web.house import House, Party, Rows, Wall, hand_on
from tests.web.signing import PASSWORD, code_of, page_of, sign_in, sign_up, take
from tests.web.town import answering

OF_THE_BROWSER = {"web_sessions", "devices", "presence"}  # what is kept of it comes after what was asked for


class Plan:
    """At which call of the driver it fails: before the call has its effect, or after it."""

    def __init__(self) -> None:
        self.at, self.after, self.kind = 0, False, sqlite3.SQLITE_IOERR
        self.count, self.failed, self.calls = 0, "", list[str]()

    @contextmanager
    def failing(self, at: int = 0, after: bool = False, kind: int = sqlite3.SQLITE_IOERR) -> Iterator[None]:
        self.at, self.after, self.kind = at, after, kind
        self.count, self.failed, self.calls = 0, "", []
        yield
        self.at = 0

    @contextmanager
    def call(self, words: str) -> Iterator[None]:
        self.count += 1
        mine = self.count == self.at
        self.calls.append(words)
        if mine and not self.after:
            self._fail(words)
        yield
        if mine and self.after:
            self._fail(words)

    def _fail(self, words: str) -> None:
        self.failed = words
        error = sqlite3.OperationalError("failed by a test")
        error.sqlite_errorcode = self.kind
        raise error


PLAN = Plan()


class Cursor(sqlite3.Cursor):
    def execute(self, words: str, *more: Any) -> Any:
        with PLAN.call(words):
            return super().execute(words, *more)

    def executemany(self, words: str, *more: Any) -> Any:
        with PLAN.call(words):
            return super().executemany(words, *more)


class Connection(sqlite3.Connection):
    def cursor(self, *_: Any) -> Any:
        return super().cursor(Cursor)

    def commit(self) -> None:
        with PLAN.call("COMMIT"):
            super().commit()

    def rollback(self) -> None:
        with PLAN.call("ROLLBACK"):
            super().rollback()


class Act(NamedTuple):
    """A form filled in, by somebody who is about to press its button."""

    who: Local
    path: str
    fields: Pairs

    def sent(self, tab: Local | None = None) -> tuple[Local, Page]:
        """In a tab of its own, so that what comes back is nothing to the next one; and the answer."""
        tab = tab or self.who.copy()
        tab.app.extensions["limits"].own.storage.reset()  # nobody is in too much of a hurry here
        return tab, tab.post(self.path, self.fields)


class Failing:
    """A house that can be put back to how it stood, and whose driver can be made to fail."""

    def __init__(self, house: House):
        self.house = house
        house.app.testing = False
        house.app.logger.disabled = True  # the site's one logger: close() gives it back
        self.wall = Wall(time())
        self.path = str(house.engine.url.database)
        self.acts = dict[str, list[Act]]()
        self._fill()
        engine = house.referee.store.engine
        engine.dispose()
        for each in (engine, access_of(engine).reading):
            event.listen(
                each, "do_connect", lambda _dialect, _record, _given, how: how.update(factory=Connection)
            )
        self.copy = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(self.path)) as now:
            now.backup(self.copy)
        self.before, self.counts = house.kept(), self.counted()
        self.looking = sqlite3.connect(self.path)

    def close(self) -> None:
        self.house.app.logger.disabled = False
        self.looking.close()
        self.copy.close()

    # -- how it stands ------------------------------------------------------------------

    def put_back(self) -> None:
        with closing(sqlite3.connect(self.path)) as now:
            self.copy.backup(now)
        self.house.referee.matches.clear()
        self.house.referee.attendance.noted.clear()
        self.house.services.switches.refresh()

    def version(self) -> int:
        """A number that is another as soon as anybody has written anything."""
        return int(self.looking.execute("PRAGMA data_version").fetchone()[0])

    def counted(self) -> dict[str, int]:
        """How much is kept of everything, and how often tables were changed."""
        rows = self.house.kept()
        revisions = self.looking_at("SELECT coalesce(sum(revision), 0) FROM tables")
        return {**{kind: len(each) for kind, each in rows.items()}, "revisions": revisions}

    def looking_at(self, words: str) -> int:
        with closing(sqlite3.connect(self.path)) as now:
            return int(now.execute(words).fetchone()[0])

    def lasting(self, rows: Rows) -> Rows:
        return {kind: each for kind, each in rows.items() if kind not in OF_THE_BROWSER}

    # -- who is there, and what they may press ---------------------------------------------

    def _fill(self) -> None:
        self.house.referee.now = self.wall  # type: ignore[method-assign]
        with self._meeting() as met:
            scenes = self.house.scenes()
        for party in scenes.values():
            for who in party.players:
                self._walk(who, party.table, f"{party.table}/")
        self._play_on(scenes.values())
        for scene in ("somebody stays away", "somebody is invited by name"):
            for who in met:  # a substitute, and the friend
                self._note(who, who.get(scenes[scene].table))
        self._people()

    def _play_on(self, parties: Iterable[Party]) -> None:
        """Note the forms by which other games begin at a position of an ended one."""
        for party in parties:
            if record := self.house.referee.views.status(party.code).ending.record:
                for place in (party.table, f"/r/{record}"):
                    self._note(party.players[0], party.players[0].get(f"{place}/from/0"))

    @contextmanager
    def _meeting(self) -> Iterator[list[Local]]:
        """Everybody who comes to the house meanwhile."""
        met, come = list[Local](), self.house.visitor

        def visitor(*where: Any) -> Local:
            met.append(come(*where))
            return met[-1]

        self.house.visitor = visitor  # type: ignore[method-assign]
        yield met
        self.house.visitor = come  # type: ignore[method-assign]

    def _walk(self, who: Local, start: str, within: str) -> None:
        """Note all forms of this page and of those it leads to below its own address."""
        ahead, seen = [start], set[str]()
        while ahead:
            path = ahead.pop()
            if path in seen:
                continue
            seen.add(path)
            page = who.get(path)
            if page.status != 200 or not page.headers["Content-Type"].startswith("text/html"):
                continue
            self._note(who, page)
            links = (urljoin(path, link).partition("#")[0] for link in page.seen.links)
            ahead += [each for each in links if each.startswith(within) and "/at/" not in each]

    def _note(self, who: Local, page: Page) -> None:
        for form in page.forms:
            if form.method == "POST":
                path = urljoin(page.path, form.action or page.path)
                for fields in self._filled(path, form):
                    self.acts.setdefault(self.endpoint(path), []).append(Act(who.copy(), path, fields))

    def endpoint(self, path: str) -> str:
        with self.house.app.test_request_context():
            adapter = self.house.app.url_map.bind("localhost")
            return str(adapter.match(path.partition("?")[0], "POST")[0])

    def _filled(self, path: str, form: Form) -> Iterator[Pairs]:
        """As they may be filled in: with each of the first buttons, and what must be written."""
        given = WRITTEN.get(self.endpoint(path), {})
        buttons: list[Button | None] = [each for each in form.buttons if not each.greyed][:4]
        for button in buttons or [None]:
            yield form.filled(button, **given)

    def _people(self) -> None:
        """Pages that are about a person, and what leads to them: codes, links, letters."""
        house = self.house
        player, guest, stranger = house.visitor(), house.visitor(), house.visitor()
        for number, who in enumerate((player, guest)):
            who.start("rps", name=f"Person {number}")
        sign_up(player, "known")
        sign_in(house.visitor(), "known")  # a second device
        player.submit(player.get("/me/link"), "/me/link")
        player.submit(player.get("/me/tokens"), "/me/tokens", name="Bot")
        link = player.get("/me/link").seen.ids["link"]["value"]
        for path in ("/notices/add", "/notices/feed"):
            player.submit(player.get("/notices"), path, **WRITTEN.get("notices.add", {}))
        player.submit(player.get("/notices"), "/notices/add", way="mail", place="ann@example.org")
        for who in (player, guest):
            for path in PERSONAL:
                self._note(who, who.follow(who.get(path)))
        for form in player.get("/notices").forms:
            if form.action.endswith("/remove"):
                self.acts.setdefault("notices.test", []).append(Act(player, "/notices/test", form.filled()))
        second = house.visitor()
        take(second, code_of(player))  # whose session proves nothing
        self._note(second, second.get("/me/confirm"))
        code = code_of(player)
        for path in (
            "/",
            "/bots",
            "/sign-in",
            "/code",
            "/import",
            "/new/rps",
            "/position/chess",
            "/about",
            f"/move?c={code}",
            link_path(link),
        ):
            self._note(stranger, stranger.get(path))
        self._of_the_browser(guest)
        self._letters(player)
        self._links()
        self._talk()
        self._waiting()
        self._planned()
        self._at_one_device()
        self._played()
        self._bots()
        self._tournaments()
        self._hosts()

    def _hosts(self) -> None:
        """What a host of the site does on their page: at a running game, at a suspended one, to a person."""
        house = self.house
        host, party, suspended = a_host(house), house.gathered("chess"), house.put_aside().code
        for seat, move in enumerate(("e2e4", "e7e5")):
            party.players[seat].move(party.table, f"move {move}")
        player, banned = self._bystander(), self._bystander()
        house.services.people.ban(house.services.people.person(banned), "root", "spam")
        for what in ACTS:
            of = {"resume": suspended, "ban": player, "unban": banned}.get(what, party.code)
            self._note(host, host.get(f"/host/do/{what}?of={of}"))
        self._note(host, host.get("/host"))
        stranger, link = house.visitor(), house.services.hosts.make_link("root")
        self._note(stranger, stranger.get(f"/host/open?link={link}"))

    def _bystander(self) -> str:
        """The public id of a visitor who does nothing else than start a table: a ban hits nobody else."""
        who = self.house.visitor()
        who.start("rps", name="Bystander")
        return page_of(who).removeprefix("/p/")

    def _bots(self) -> None:
        """The button that fills all free seats with bots: its form leads elsewhere than the other's."""
        host = self.house.visitor()
        table = host.start("strifebarge", seats="4").table
        form = host.get(table).form("/add-bot")
        self.acts["bots_at_a_table.fill"] = [
            Act(host, f"{table}/fill-with-bots", form.filled(level="medium"))
        ]

    def _tournaments(self) -> None:
        """A tournament that people join: before its start, and its organizer has bots come."""
        host, ann, stranger = self.house.visitor(), self.house.visitor(), self.house.visitor()
        new = "/tournaments/new/rps"
        self.acts["tournaments.open_one"] = [
            Act(stranger, new, stranger.get(new).form(new).filled(name="A cup", pace="days-3"))
        ]
        path = host.submit(host.get(new), new, name="Our cup", pace="days-3").headers["Location"]
        for who, name in ((host, "Hanna"), (ann, "Ann")):
            assert who.submit(who.get(path), "/join", name=name).status == 303
        given = {"bots": {"level": "easy", "count": "2"}, "settings": {"listed": "yes"}}
        for act, endpoint in (("bots", "bring_bots"), ("settings", "configure"), ("start", "start")):
            fields = host.get(path).form(f"/{act}").filled(**given.get(act, {}))
            self.acts[f"tournaments.{endpoint}"] = [Act(host, f"{path}/{act}", fields)]
        fields = host.get(path).form("/remove").filled()
        self.acts["tournaments.remove"] = [Act(host, f"{path}/remove", fields)]
        self._note(ann, ann.get(path))  # to withdraw
        fields = stranger.get(path).form("/join").filled(name="Cleo")
        self.acts["tournaments.join"] = [Act(stranger, f"{path}/join", fields)]

    def _of_the_browser(self, who: Local) -> None:
        """What scripts send."""
        browser = Browser()
        form = who.get("/notices").form("/notices/push")
        given = {"endpoint": "http://127.0.0.1:9/x", "p256dh": text_of(browser.public)}
        fields = form.filled(**given, auth=text_of(browser.secret))
        self.acts["notices.push"] = [Act(who, "/notices/push", fields)]
        self.acts["notices.key"] = [Act(who, "/notices/push/key", [])]
        party = self.house.fleet()
        self.acts["nudging.note_presence"] = [Act(party.players[0], f"{party.table}/here", [])]

    def _letters(self, who: Local) -> None:
        """Links in letters: that it is one's own address, that nothing more is wanted, a move."""
        house, store = self.house, self.house.store
        seals = Seals(house.app.extensions["settings"].secret_keys, house.referee.now)
        person = store.accounts.person(page_of(who).removeprefix("/p/"))
        assert person
        mail = next(each for each in store.notifications.channels(person.id) if each.kind is ChannelKind.MAIL)
        for what, token in (("confirm", seals.confirm(mail.id)), ("off", seals.off(mail.id))):
            self._note(house.visitor(), house.visitor().get(f"/notices/{what}?t={token}"))
        party = house.gathered("chess")
        page = house.visitor().get(f"{party.table}/answer?t={answering(party)}")
        form = page.form("/answer")
        self.acts["answer.play"] = [
            Act(house.visitor(), f"{party.table}/answer", form.filled(move="move e2e4"))
        ]

    def _links(self) -> None:
        """Links that hand a seat on, and codes that give one back."""
        house = self.house
        party, stranger = house.fleet(), house.visitor()
        host = party.players[0]
        self._note(stranger, stranger.get(hand_on(party.players[1], party.table)))
        self.write("DELETE FROM presence WHERE table_id = :id", id=party.code)  # the other is away
        page = host.get(f"{party.table}/lost")
        host.submit(page, "/lost", page.form("/lost").buttons[0])
        self._note(host, host.get(f"{party.table}/lost"))
        code = re.search(r'class="spoken">([^<]+)<', host.get(f"{party.table}/lost").text)
        assert code
        form = stranger.get(f"{party.table}/back-to-my-seat").form("/back-to-my-seat")
        back = Act(stranger, f"{party.table}/back-to-my-seat", form.filled(c=code[1]))
        self.acts["returning.come_back"] = [back]

    def _talk(self) -> None:
        """One says something, the other has something against it."""
        party = self.house.fleet()
        one, other = party.players
        one.submit(one.get(f"{party.table}/talk"), "/say", text="Ahoy.")
        for who, acts in ((one, ["strike"]), (other, ["report", "mute"])):
            form = who.get(f"{party.table}/talk").form("/strike")
            for act in acts:
                self.acts[f"talk.{act}"] = [Act(who, f"{party.table}/{act}", form.filled())]

    def _waiting(self) -> None:
        """Whom the others have waited for since yesterday, and whose time has run out."""
        with self.ago(100_000):
            party, late = self.house.gathered("chess"), self.house.gathered("strifebarge", pace="turn-180")
            white, black = party.players
            black.submit(black.get("/notices"), "/notices/add", **WRITTEN["notices.add"])
            white.move(party.table, "move e2e4")
        self._note(white, white.get(party.table))
        self._note(late.players[1], late.players[1].get(late.table))

    def _planned(self) -> None:
        """A plan that may be dropped."""
        party = self.house.gathered("chess")
        black = party.players[1]
        black.submit(black.get(party.table), "/plan", plan="e5")
        self._note(black, black.get(party.table))

    @contextmanager
    def ago(self, seconds: float) -> Iterator[None]:
        self.wall.at -= seconds
        yield
        self.wall.at += seconds

    def _at_one_device(self) -> None:
        """A PIN that is forgotten; a move that is taken back."""
        [ann] = (shared := self.house.at_one_device(lifted=True)).players
        ann.submit(ann.get(shared.table), "/pin", pin="4711")
        ann.submit(ann.get(shared.table), "/cover")
        self._note(ann, ann.get(shared.table))
        ann = self.house.visitor()
        table = ann.start("chess", seats="2", devices="one", others="Ben").table
        ann.move(table, "move e2e4")
        self._note(ann, ann.get(table))

    def _played(self) -> None:
        """A game that is over: brought here as a file; and who played it is asked to the next."""
        party = self.house.thrown("rock", "paper")
        one, stranger = party.players[0], self.house.visitor()
        self._note(one, one.start("strifebarge", seats="3"))
        form = stranger.get("/import").form("/import")
        record = one.get(f"{party.table}/record.json").text
        self.acts["records.import_game"] = [Act(stranger, "/import", form.filled(text=record))]
        self.acts["lobby.code"] = [Act(stranger, "/code", [("code", party.code)])]
        start = stranger.get("/").form("/new/rps")  # whose other button says: with anyone
        self.acts["finder.play"] = [Act(stranger, "/anyone/rps", start.filled())]

    def write(self, words: str, **values: Any) -> None:
        with self.house.engine.begin() as connection:
            connection.execute(text(words), values)


def link_path(link: str) -> str:
    return "/" + link.split("/", 3)[3]


PERSONAL = [
    "/games",
    "/me",
    "/me/account",
    "/me/devices",
    "/me/code",
    "/me/link",
    "/me/tokens",
    "/me/erase",
    "/me/out",
    "/notices",
    "/p/me",
]

# What must be written into a form, or else there would be nothing to do.
WRITTEN: dict[str, dict[str, str]] = {
    "account.rename": {"name": "Zoë"},
    "account.show_page": {"private": "yes"},
    "account.sign_up": {"login": "somebody", "password": PASSWORD, "again": PASSWORD},
    "account.password": {"before": PASSWORD, "password": "another whale", "again": "another whale"},
    "account.confirm": {"proof": PASSWORD},
    "account.entering": {"login": "known", "password": PASSWORD},
    "account.erase": {"sure": "yes", "password": PASSWORD},
    "lobby.rename": {"name": "Zoë"},
    "seating.rename": {"name": "Zoë"},
    "planning.plan": {"plan": "A1"},
    "curtain.pin": {"pin": "4711"},
    "tokens.make": {"name": "Bot"},
    "curtain.add_coplayer": {"name": "Ben"},
    "host.announce": {"text": "Ahoy."},
    "host.ban": {"reason": "spam"},
    "host.rewind": {"move": "0"},
    "talk.say": {"text": "Ahoy."},
    "talk.note": {"note": "For me alone."},
    "notices.add": {"way": "discord", "place": "https://hooks.example.org/a"},
    "notices.choose": {"zone": "UTC"},
}
