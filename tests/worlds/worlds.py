"""Two sites side by side, and people who ask both the same.

Each site has a database, a clock and a source of chance of its own.  What the two answer to one person must
be the same, byte by byte, but for the short list UNTOLD; the first difference is raised as a Leak.
"""

import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.cookies import SimpleCookie
from itertools import zip_longest
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from strifebarge.app import create_app
from strifebarge.rules.chance import Chance, commitment
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.settings import Settings
from strifebarge.tables.model.table import Table
from tests.support.databases import never_wait_for_the_disk

Fields = Sequence[tuple[str, str]]  # of a form: names and values

# What may differ, and why.  In every case as long in both worlds, which is checked before it is passed over.
UNTOLD = {
    "key": "the one-use key of a form is drawn anew for every page",
    "session": "so is the number of a session, which is sent when somebody sits down",
    "person": "the address of somebody's page follows from their id, which is drawn when they sit down",
    "device": "the number of somebody's browser is drawn when they sit down, and shown to them alone",
    "passkey": "the challenge of a passkey is drawn anew for every page, and its user follows from their id",
    "request": "each request has an id of its own, in a header and on error pages",
    "date": "the clock on the wall goes on between two requests",
    "commitment": "SHA-256 of the seed, shown from the start on purpose; whoever could invert it knows all",
}
KEY = re.compile(rb'(name="key" value=")[0-9a-f]{32}(?=(?:\.seat\d)?")')
PERSON = re.compile(rb'(?<=")/p/[0-9a-f]{16}(?=")')
DRAWN = re.compile(
    rb'(name="device" value="|data-passkey="|name="challenge" value="|"page": ")(?!others"|all")([^"]+)(?=")'
)
REQUEST = re.compile(rb'(<p class="dim">(?:Reference|Kennung): <code>|"reference":")[0-9a-f]{16}(?=[<"])')
SESSION = re.compile(r"^(sb=)[\w-]{43}(?=;)")
EXPIRES = re.compile(r"(?<=; Expires=)\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT")
HASH = b"0" * 64

# The same in both worlds: nobody may know it, but everybody may know what it makes of what they know.
SECRET_KEY = "a key that both worlds share"


class Leak(AssertionError):
    """Two answers differ that must not."""


class Broken(AssertionError):
    """The harness or the site did something that nobody meant: no leak, and no pass either."""


class Reply(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def accepted(self) -> bool:
        return self.status == 303

    @property
    def refusal(self) -> str:
        """The token of the refusal on a page, if there is one."""
        match = re.search(r'id="notice"[^>]*data-token="([^"]+)"', self.text)
        return match[1] if match else ""


class World:
    """One site, with a clock and a source of chance that a test can set."""

    def __init__(self, folder: Path, name: str, migrated: Path, games: Iterable[Path] = ()):
        folder.mkdir()
        self.name = name
        self.file = folder / "strifebarge.db"
        shutil.copy(migrated, self.file)
        settings = Settings(
            data=folder,
            database_url=f"sqlite:///{self.file}",
            secret_keys=(SECRET_KEY,),
            games=tuple(games),
            limit_create=9999,
            limit_codes=9999,
            limit_sign_in=9999,
            limit_device=9999,
            limit_api=99999,
        )
        self.app = create_app(settings)
        self.app.extensions["limits"].rates["pictures"] = (99999, 1)  # or a refusal would hide what is drawn
        self.referee = self.app.extensions["referee"]
        self.engine = self.referee.store.engine
        never_wait_for_the_disk(self.engine)
        self.client = self.app.test_client(use_cookies=False)
        self.clock = 0.0
        self.shared = self.own = Chance(name)
        self.referee.now = lambda: self.clock
        self.referee.entropy = self.entropy
        self.seeds: dict[str, str] = {}  # of the tables that are looked at
        self.app.extensions["world"] = self

    def entropy(self, size: int) -> bytes:
        """Whatever has a name has the same one in both worlds; seeds are their own."""
        chance = self.own if size == 32 else self.shared
        return chance.below(256**size).to_bytes(size, "big")

    # -- asking --------------------------------------------------------------

    def ask(
        self, method: str, path: str, fields: Fields | None, headers: dict[str, str], jar: dict[str, str]
    ) -> Reply:
        """One request by whoever has these cookies.  Raises Broken for a fault of the site's."""
        if jar:
            headers = {**headers, "Cookie": "; ".join(f"{name}={value}" for name, value in jar.items())}
        form: dict[str, list[str]] = {}
        for name, value in fields or ():
            form.setdefault(name, []).append(value)
        answer = self.client.open(path, method=method, data=form or None, headers=headers)
        # A stream has no end: its beginning has to do.
        streams = answer.mimetype == "text/event-stream"
        body = next(iter(answer.response), b"") if streams else answer.data
        reply = Reply(answer.status_code, list(answer.headers), body if isinstance(body, bytes) else b"")
        answer.close()
        for line in answer.headers.getlist("Set-Cookie"):
            for name, morsel in SimpleCookie(line).items():
                jar[name] = morsel.value
        if reply.status >= 500:
            raise Broken(f"{method} {path} {fields}: {reply.status}\n{reply.text[:2000]}")
        return reply

    # -- the database --------------------------------------------------------

    def table(self, id: str) -> Table:
        table: Table = self.referee.store.table(id)
        return table

    def deal(self, id: str) -> Snapshot:
        snapshot: Snapshot = self.referee.store.snapshot(id, 0)
        return snapshot

    def plain(self, body: bytes) -> bytes:
        """What an answer says without what may differ."""
        body = PERSON.sub(b"/p/" + b"0" * 16, KEY.sub(rb"\g<1>" + b"0" * 32, body))
        body = REQUEST.sub(rb"\g<1>" + b"0" * 16, body)
        body = DRAWN.sub(lambda match: match[1] + b"0" * len(match[2]), body)
        for seed in self.seeds.values():
            body = body.replace(commitment(seed).encode(), HASH)
        return body

    def look_at(self, id: str) -> None:
        """The commitment of this table's seed is passed over from now on."""
        self.seeds[id] = self.table(id).seed

    def laid(self, id: str) -> list[object]:
        """What was told of a table's deal while the pieces were laid out."""
        rules = self.referee.library[self.table(id).game].rules
        [row] = self.referee.store.rows(id, -1, 0)
        opening = Match(rules, self.deal(id)).opening
        log: list[object] = row.log[: len(row.log) - len(opening)]
        return log

    def redeal(self, id: str, state: bytes, laid: list[object], like: "World") -> None:
        """Let this have been the deal of a table that has just begun, and nothing else have changed.

        Whose turn it is, and since when, is taken from the other world, as the deal may have drawn it.
        """
        rules = self.referee.library[self.table(id).game].rules
        match = Match(rules, Snapshot(0, self.deal(id).stage, state))
        log = [*laid, *match.opening]
        with sqlite3.connect(self.file) as plain:
            row = (json.dumps(log), match.fingerprint(), id)
            here = "WHERE table_id = ? AND number = 0"
            plain.execute(f"UPDATE snapshots SET state = ? {here}", (state, id))
            plain.execute(f"UPDATE moves SET log = ?, fingerprint = ? {here}", row)
            for chair in like.table(id).chairs:
                moves = (chair.seat in match.waiting_for(), id, chair.seat)
                plain.execute("UPDATE chairs SET to_move = ? WHERE table_id = ? AND seat = ?", moves)
        plain.close()
        begun = like.body(id)
        with self.written(id) as body:
            body |= {part: begun[part] for part in ("position", "clock") if part in begun}
            for chair, same in zip(body["chairs"], begun["chairs"], strict=True):
                chair |= {part: same[part] for part in ("question", "since") if part in same}

    def revise(self, id: str, viewer: int | None) -> None:
        """Let this table have been written more often, and other seats have changed hands before."""
        with self.written(id) as body:
            body["revision"] += 3
            for chair in body["chairs"]:
                chair["generation"] += 2 * (chair["seat"] != viewer)

    def body(self, id: str) -> dict[str, Any]:
        """What is written of a table."""
        with closing(sqlite3.connect(self.file)) as plain:
            [body] = plain.execute("SELECT body FROM tables WHERE id = ?", (id,)).fetchone()
        read: dict[str, Any] = json.loads(body)
        return read

    @contextmanager
    def written(self, id: str) -> Iterator[dict[str, Any]]:
        """Change what is written of a table."""
        body = self.body(id)
        yield body
        with closing(sqlite3.connect(self.file)) as plain, plain:
            values = (json.dumps(body), body["revision"], id)
            plain.execute("UPDATE tables SET body = ?, revision = ? WHERE id = ?", values)
        self.forget()

    def forget(self) -> None:
        """What is laid out or kept is put away: the database is the truth."""
        self.referee.matches.clear()
        self.app.extensions["pages"].clear()
        self.app.extensions["cards"].clear()

    @contextmanager
    def kept(self) -> Iterator[Callable[[], None]]:
        """Gives a function that makes everything as it was before."""
        held = sqlite3.connect(":memory:")
        live = sqlite3.connect(self.file)
        live.backup(held)
        at, drawn = self.clock, (dict(self.shared.drawn), dict(self.own.drawn))

        def restore() -> None:
            held.backup(live)
            self.clock = at
            self.shared.drawn, self.own.drawn = map(dict, drawn)
            self.forget()

        try:
            yield restore
        finally:
            live.close()
            held.close()


def unlike(line: object, viewer: int | None) -> object:
    """A line told while the pieces were laid out, with other secrets in it than there were."""
    match line:
        case {"secret": _, "known": [*known]}:
            return line if None in known or viewer in known else {"secret": "something else", "known": known}
        case dict():
            return {name: unlike(part, viewer) for name, part in line.items()}
        case list():
            return [unlike(part, viewer) for part in line]
    return line


class Person:
    """Somebody with a browser, in each world: the same name, but not the same cookies."""

    def __init__(self, name: str = "", **cookies: str):
        self.name = name
        given = {name: value for name, value in cookies.items() if value}
        self.jars: dict[str, dict[str, str]] = {"one": dict(given), "other": dict(given)}
        self.devices = {world: {"User-Agent": "Firefox"} for world in self.jars}

    @contextmanager
    def remembered(self) -> Iterator[Callable[[], None]]:
        """Gives a function that makes the cookies what they were before."""
        before = {world: dict(jar) for world, jar in self.jars.items()}

        def restore() -> None:
            for world, jar in before.items():
                self.jars[world] = dict(jar)

        yield restore


class Twins:
    """Two worlds in step, and a tally of what was compared."""

    def __init__(self, folder: Path, migrated: Path, games: Iterable[Path] = ()):
        self.one = World(folder / "one", "one", migrated, games)
        self.other = World(folder / "other", "other", migrated, games)
        self.worlds = (self.one, self.other)
        self.tally: Counter[str] = Counter()
        self.start = float(int(time()))
        self.ticks = 0
        self.keys = 0
        self.crowd: list[Person] = []  # everybody round the table that is looked at
        self.cups: list[str] = []  # tournaments that are in both worlds
        self.warm = False  # before anybody is sent a page, all others were, so that it may be kept

    def tick(self) -> None:
        """A while goes by, in both worlds."""
        self.ticks += 1
        for world in self.worlds:
            world.clock = self.start + 60 * self.ticks

    def reseed(self, name: str) -> None:
        """From now on seeds depend on this name and the world; codes of tables are never the same twice."""
        for world in self.worlds:
            world.shared = Chance(f"codes {self.ticks}")
            world.own = Chance(f"seeds of {name} in {world.name}")

    def key(self) -> tuple[str, str]:
        """A field with a key that was never used."""
        self.keys += 1
        return "key", f"{self.keys:032x}"

    def ask(self, who: Person, method: str, path: str, fields: Fields | None = None, **headers: str) -> Reply:
        """The same request in both worlds, and the answer.  Raises Leak if there are two."""
        for each in self.crowd if self.warm and method == "GET" else ():
            if each is not who:
                self.each(each, method, path, fields, **headers)
        one, other = self.each(who, method, path, fields, **headers)
        self.tally["requests"] += 1
        self.tally["bytes"] += len(one.body)
        if differing := difference(self.plain(self.one, one), self.plain(self.other, other)):
            words = f" {dict(fields)}" if fields else ""
            raise Leak(f"{method} {path}{words} tells the worlds apart: {differing}")
        return one

    def each(
        self, who: Person, method: str, path: str, fields: Fields | None = None, **headers: str
    ) -> tuple[Reply, Reply]:
        """The same request in both worlds, and both answers."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        one, other = (
            world.ask(
                method,
                path,
                fields,
                {**who.devices[world.name], **named},
                who.jars[world.name],
            )
            for world in self.worlds
        )
        return one, other

    def unseeded(self, world: World, reply: Reply) -> Reply:
        """The same for a game that is over, whose seed is shown."""
        plain = self.plain(world, reply)
        for seed in world.seeds.values():
            plain = plain._replace(body=plain.body.replace(seed.encode(), HASH))
        return plain

    def plain(self, world: World, reply: Reply) -> Reply:
        """An answer without what may differ; see UNTOLD."""
        body = world.plain(reply.body)
        return Reply(reply.status, [plain_header(*each) for each in reply.headers], body)

    @contextmanager
    def kept(self, who: Person) -> Iterator[Callable[[], None]]:
        """Gives a function that makes both worlds, and one person's cookies, as they were before."""
        ticks = self.ticks
        with self.one.kept() as first, self.other.kept() as second, who.remembered() as third:

            def restore() -> None:
                self.ticks = ticks
                for each in (first, second, third):
                    each()

            yield restore


def plain_header(name: str, value: str) -> tuple[str, str]:
    match name.lower():
        case "set-cookie":
            return name, EXPIRES.sub("…", SESSION.sub(r"\1…", value))
        case "x-request-id":
            return name, "…" * len(value)
        case "date":
            return name, "…"
    return name, value


def difference(one: Reply, other: Reply) -> str:
    """Where two answers differ first, in words; "" if nowhere."""
    if one.status != other.status:
        return f"status {one.status} and {other.status} ({one.refusal}, {other.refusal})"
    for here, there in zip_longest(one.headers, other.headers):
        if here != there and "Content-Length" not in (here or there)[:1]:
            return f"header {here} and {there}"
    if one.body != other.body:
        at = next(
            (i for i, (a, b) in enumerate(zip(one.body, other.body, strict=False)) if a != b),
            min(len(one.body), len(other.body)),
        )
        here, there = (each.body[max(0, at - 80) : at + 80].decode(errors="replace") for each in (one, other))
        return f"body of {len(one.body)} and {len(other.body)} bytes, at {at}:\n  {here!r}\n  {there!r}"
    if one.header("Content-Length") != other.header("Content-Length"):
        return f"length {one.header('Content-Length')} and {other.header('Content-Length')}"
    return ""
