"""The site, its people and its pages, for the maker of a fixture and for the test of an upgrade.

All goes by HTTP, commands and settings, which stay the same when modules and tables of the database do not.
"""

import json
import lzma
import os
import re
import socket
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from hashlib import sha256
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

import cbor2
from aiosmtpd.controller import Controller
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask

from strifebarge import create_app
from strifebarge.cli import main
from strifebarge.table.clock.site_time import Machine
from tests.support.clock import Clock, standing_at
from tests.support.listening import answering
from tests.support.visitor import Local, Page

HERE = Path(__file__).parent
URL = "https://games.example.org"
HOST = "games.example.org"
KEY = "a key for the fixture of an upgrade alone"
HOOK = "http://127.0.0.1:47913"  # where the fixture's webhooks lead; tests lead them on to a free port
PASSWORD = "blue whale in the bath"
LONG = 150  # forms of one game, after which all who play resign


# -- the site --------------------------------------------------------------------------------


def environment(url: str, folder: Path, smtp_port: int = 1) -> dict[str, str]:
    """Return the settings of the site, as environment variables."""
    named = {
        "DATA": str(folder),
        "DATABASE_URL": url,
        "SECRET_KEYS": KEY,
        "PUBLIC_URL": URL,
        "SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
        "INNER_HOOKS": "true",
        "SECURE": "false",  # the client of tests speaks no https
        "TICK": "0",
        "WORKERS": "1",
    }
    limits = ("CREATE", "CODES", "SIGN_IN", "DEVICE", "IMPORT")
    return {f"STRIFEBARGE_{name}": value for name, value in named.items()} | {
        f"STRIFEBARGE_LIMIT_{name}": "9999" for name in limits
    }


class Place:
    """A site on a database, with servers of its own that its notices are sent to."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.mails: list[tuple[str, str]] = []  # to whom, and the text
        self.hooks: list[tuple[str, bytes]] = []  # path and body
        self.visits = 0
        self.clock: Clock
        with patch.dict(os.environ, environment(url, folder)):
            self.app: Flask = create_app()

    def visitor(self, cookies: dict[str, str] | None = None) -> Local:
        self.visits += 1
        who = Local(self.app, f"10.0.{self.visits >> 8}.{self.visits & 255}")
        who.cookies = dict(cookies or {})
        return who

    def command(self, *arguments: str) -> Result:
        return command(self.url, self.folder, *arguments)

    def post(self) -> None:
        """Send the notices that are due."""
        with _mail_server(self.mails) as mail, _hook_server(self.hooks) as hook, _leading_on(hook):
            sent = command(self.url, self.folder, "notify", smtp_port=mail)
            assert sent.exit_code == 0, sent.output


def command(url: str, folder: Path, *arguments: str, smtp_port: int = 1) -> Result:
    """Run `strifebarge` with these arguments for the site on this database."""
    return CliRunner().invoke(main, arguments, env=environment(url, folder, smtp_port))


class _Keeping:
    """What the mail server does with mail."""

    def __init__(self, mails: list[tuple[str, str]]) -> None:
        self.mails = mails

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append((envelope.rcpt_tos[0], envelope.content.decode()))
        return "250 kept"


@contextmanager
def _mail_server(mails: list[tuple[str, str]]) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
    running = Controller(_Keeping(mails), hostname="127.0.0.1", port=port)
    running.start()
    yield port
    running.stop()


@contextmanager
def _hook_server(brought: list[tuple[str, bytes]]) -> Iterator[int]:
    class Bell(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            brought.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    with answering(ThreadingHTTPServer(("127.0.0.1", 0), Bell)) as server:
        yield server.server_address[1]


@contextmanager
def _leading_on(port: int) -> Iterator[None]:
    """Lead connections to the port of `HOOK` to another one."""
    connect = socket.create_connection
    old = int(HOOK.rpartition(":")[2])

    def to_the_other(address: tuple[str, int], *more: Any, **named: Any) -> socket.socket:
        return connect((address[0], port if address[1] == old else address[1]), *more, **named)

    with patch.object(socket, "create_connection", to_the_other):
        yield


# -- fixtures --------------------------------------------------------------------------------


def fixtures() -> list[str]:
    """Return the names of all fixtures, those of the first version first."""

    def taken(name: str) -> int:
        return int(json.loads((HERE / f"{name}.json").read_text())["taken"])

    return sorted((path.name.removesuffix(".db.xz") for path in HERE.glob("*.db.xz")), key=taken)


def unpacked(name: str, what: str) -> Any:
    """Return the records or the words of a fixture."""
    return json.loads(lzma.decompress((HERE / f"{name}.{what}.json.xz").read_bytes()))


@contextmanager
def opened(name: str, folder: Path) -> Iterator[tuple["Place", dict[str, Any]]]:
    """Open a fixture's site with the code of today, when and on the machine on which it was taken."""
    kept: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text())
    file = folder / "fixture.db"
    file.write_bytes(lzma.decompress((HERE / f"{name}.db.xz").read_bytes()))
    url = f"sqlite:///{file}"
    with standing_at(kept["taken"]) as clock, on_its_machine(file):
        upgraded = command(url, folder, "db", "upgrade")
        assert upgraded.exit_code == 0, upgraded.output
        place = Place(url, folder)
        place.clock = clock
        yield place, kept


def on_its_machine(file: Path) -> AbstractContextManager[object]:
    """Let this machine be the one that has noted the time of a site: on another one players would be away."""
    with closing(sqlite3.connect(file)) as database:
        noted = database.execute("SELECT name FROM sqlite_master WHERE name = 'site_time'").fetchone()
        machines = database.execute("SELECT machine FROM site_time").fetchall() if noted else []
    return patch.object(Machine, "id", machines[0][0]) if machines else nullcontext()


def shown(place: "Place", kept: dict[str, Any], what: Callable[[Local, str], Any]) -> dict[str, Any]:
    """Return what each table shows to each who plays there, and to a stranger."""
    found: dict[str, Any] = {}
    for label, about in kept["tables"].items():
        viewers = {name: place.visitor(kept["people"][name]) for name in about["players"]}
        viewers["a stranger"] = place.visitor()
        found[label] = {name: what(who, about["table"]) for name, who in viewers.items()}
    return found


# -- tables ----------------------------------------------------------------------------------


def offers(page: Page) -> list[str]:
    """Return the moves that the text view of a table offers, in notation."""
    found: list[str] = []
    for form in page.forms:
        if form.action.endswith(("/turn", "/sure")):
            found += [button.value for button in form.moves] + form.choices.get("move", [])
    return found


def read(who: Local, table: str) -> Page:
    """Return the text view of a table, without being counted as somebody who looks."""
    return who.get(f"{table}?view=text&away=1")


def facts(who: Local, table: str) -> dict[str, Any]:
    """Return what somebody is shown of a table, but for its words."""
    page = read(who, table)
    asked = next((form["asked"] for form in page.forms if "asked" in form), None)
    log = who.get(f"{table}/log")
    numbers = [int(link.rpartition("/at/")[2]) for link in log.seen.links if "/at/" in link]
    return {
        "status": page.status,
        "asked": asked,
        "offers": sorted(offers(page)),
        "number": max(numbers, default=0),
        "lines": len(numbers),
        "may": sorted(
            {
                form.action.rpartition("/")[2]
                for form in page.forms
                if form.method == "POST" and not form.action.startswith("/prefer")  # these are on every page
            }
        ),
        "times": sorted(set(re.findall(r'<time [^>]*datetime="([^"]+)"', page.text))),
        "over": over(who, table),
    }


def words(who: Local, table: str) -> dict[str, str]:
    """Return what a table says to somebody: its log, and the position after the last move, told in words."""
    number = facts(who, table)["number"]
    return {
        "log": who.get(f"{table}/log.txt").text,
        "position": read(who, f"{table}/at/{number}").words,
    }


def words_of(text: str) -> str:
    """Return what can be read in a text, which may be a page: its addresses of files change with these."""
    return Page("", 200, {}, text.encode()).words if text.startswith("<!doctype") else text


def over(who: Local, table: str) -> bool:
    """Return whether a game has ended: only then there is a record of it."""
    return who.get(f"{table}/record.json").status == 200


def send(who: Local, page: Page, move: str) -> Page:
    """Make a move by a form of the page, also where it is asked once more; return the answer."""
    form = next(each for each in page.forms if each.action.endswith(("/turn", "/sure")))
    fields = form.filled(say=None, move=move)
    if form.action.endswith("/turn"):
        return who.post(form.action, fields)
    page = who.get(f"{form.action}?{urlencode(fields)}")
    if page.status != 200:
        return page
    return who.post(page.form("/turn").action, page.form("/turn").filled(move=move))


def play_one(players: list[Local], table: str, chance: Random) -> str:
    """Make one move at random for one of the players who may; return it, "" if none may."""
    for who in chance.sample(players, len(players)):
        page = who.get(f"{table}?view=text")
        if page.has_form("/uncover"):
            page = uncover(who, table)
        choice = [each for each in offers(page) if each not in ("resign", "offer_draw", "claim_draw")]
        if choice := choice or offers(page):
            move = chance.choice(choice)
            answer = send(who, page, move)
            if answer.status == 409:  # offered for when it is their turn
                continue
            assert answer.status == 303, (table, move, answer.status, answer.words)
            return move
    return ""


def uncover(who: Local, table: str, pins: dict[str, str] | None = None) -> Page:
    """Lift the curtain of a shared device for the first seat it asks for; return the page under it."""
    page = who.get(f"{table}?view=text")
    form = page.form("/uncover")
    button = next(each for each in form.buttons if each.name == "seat")
    pin = (PINS if pins is None else pins).get(button.value)
    answer = who.submit(page, "/uncover", button, pin=pin)
    assert answer.status == 303, answer.words
    return who.get(f"{table}?view=text")


PINS = {"0": "4711", "1": "0815"}  # of the seats at the fixture's shared device


def play_out(players: list[Local], table: str, chance: Random, longest: int = LONG) -> int:
    """Play at random until the game is over, and resign when it takes too long; return the moves made."""
    sent = 0
    while sent < longest and play_one(players, table, chance):
        sent += 1
    if not over(players[0], table):
        resign(players, table)
    assert over(players[0], table), (table, sent)
    return sent


def resign(players: list[Local], table: str) -> None:
    """Have these players give up, one after the other, until the game is over."""
    for who in players:
        page = who.get(f"{table}/quit")
        if not over(who, table) and page.has_form("/quit"):
            form = next(each for each in page.forms if ("how", "resign") in each.fields)
            answer = who.post(f"{table}/quit", form.filled())
            assert answer.status == 303, answer.words


# -- links -----------------------------------------------------------------------------------


def path_of(address: str) -> str:
    """Return an address of the site without its host."""
    return address.removeprefix(URL).removeprefix("http://localhost")


def spoken(page: Page) -> str:
    """Return the code that a page shows to be read out."""
    found = re.search(r'class="spoken">([^<]+)<', page.text)
    assert found, page.words
    return found[1]


def links_in(mail: str) -> list[str]:
    """Return the paths of the site's links in a mail."""
    plain = mail.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=")
    return list(dict.fromkeys(re.findall(re.escape(URL) + r"(/[^\s>]*)", plain)))


# -- passkeys --------------------------------------------------------------------------------


class Passkey(NamedTuple):
    """A passkey and its authenticator, made of what the WebAuthn specification says."""

    id: bytes
    private: ec.EllipticCurvePrivateKey

    @classmethod
    def new(cls) -> "Passkey":
        return cls(os.urandom(16), ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def load(cls, kept: dict[str, str]) -> "Passkey":
        key = serialization.load_pem_private_key(kept["private"].encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return cls(bytes.fromhex(kept["id"]), key)

    def kept(self) -> dict[str, str]:
        pem = self.private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return {"id": self.id.hex(), "private": pem.decode()}

    def _data(self, flags: int, uses: int) -> bytes:
        return sha256(HOST.encode()).digest() + bytes([flags]) + uses.to_bytes(4, "big")

    def _said(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": URL}).encode()

    def made(self, options: dict[str, Any]) -> str:
        """Return the answer to a page that asks for a new key."""
        numbers = self.private.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})  # COSE: an ES256 key
        named = b"\0" * 16 + len(self.id).to_bytes(2, "big") + self.id + public
        attested = {"fmt": "none", "attStmt": {}, "authData": self._data(0x45, 0) + named}
        response = {
            "clientDataJSON": b64(self._said("webauthn.create", options["challenge"])),
            "attestationObject": b64(cbor2.dumps(attested)),
        }
        return self._answer(response)

    def signed(self, options: dict[str, Any], uses: int) -> str:
        """Return the answer to a page that asks who somebody is."""
        said, data = self._said("webauthn.get", options["challenge"]), self._data(0x05, uses)
        signature = self.private.sign(data + sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": b64(said),
            "authenticatorData": b64(data),
            "signature": b64(signature),
        }
        return self._answer(response)

    def _answer(self, response: dict[str, str]) -> str:
        id = b64(self.id)
        return json.dumps({"id": id, "rawId": id, "type": "public-key", "response": response})


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def passkey_options(page: Page) -> dict[str, Any]:
    """Return what a page asks of the browser's keeper of passkeys."""
    found = re.search(r'data-passkey="([^"]*)"', page.text) or re.search(r"data-passkey='([^']*)'", page.text)
    assert found, page.words
    options: dict[str, Any] = json.loads(unescape(found[1]))
    return options
