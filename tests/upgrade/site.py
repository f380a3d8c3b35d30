"""A site on a database of its own, used through its pages, forms and commands, which stay the same."""

import json
import lzma
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from aiosmtpd.controller import Controller
from click.testing import CliRunner, Result

from strifebarge.app import create_app
from strifebarge.cli import main
from strifebarge.tables.clock.site_time import Machine
from tests.support.clock import Clock, standing_at
from tests.support.visitor import Local, Page

RELEASE = "0.1.0"  # the version that has made the fixture
HERE = Path(__file__).parent
DATABASE, CONTENTS = HERE / f"{RELEASE}.db.xz", HERE / f"{RELEASE}.json.xz"
URL = "https://games.example.org"
MACHINE = "the machine of the fixture"
PASSWORD = "blue whale in the bath"
PIN = "4711"  # of all seats at the shared device
SETTINGS = {
    "SECRET_KEYS": "a key for the fixture of an upgrade alone",
    "PUBLIC_URL": URL,
    "SECURE": "false",  # the client of tests speaks no https
    "TICK": "0",
    "WORKERS": "1",
    **{f"LIMIT_{name}": "9999" for name in ("CREATE", "CODES", "SIGN_IN", "DEVICE", "IMPORT")},
}


# -- the site --------------------------------------------------------------------------------


class Site:
    """A site on a database, with a mail server of its own."""

    def __init__(self, file: Path, clock: Clock) -> None:
        self.folder, self.clock = file.parent, clock
        self.mails: list[tuple[str, str]] = []  # recipient and text
        self.addresses = 0
        self.environment = {f"STRIFEBARGE_{name}": value for name, value in SETTINGS.items()} | {
            "STRIFEBARGE_DATA": str(file.parent),
            "STRIFEBARGE_DATABASE_URL": f"sqlite:///{file}",
            "STRIFEBARGE_SMTP_URL": "smtp://127.0.0.1:1",
        }
        self.run("db", "upgrade")
        with patch.dict(os.environ, self.environment):
            self.app = create_app()

    def visitor(self, cookies: dict[str, str] | None = None) -> Local:
        """Return a browser with an address of its own."""
        self.addresses += 1
        who = Local(self.app, f"10.0.{self.addresses >> 8}.{self.addresses & 255}")
        who.cookies = dict(cookies or {})
        return who

    def run(self, *arguments: str, **settings: str) -> Result:
        """Run a command of `strifebarge`, which must succeed."""
        result = CliRunner().invoke(main, arguments, env={**self.environment, **settings})
        assert result.exit_code == 0, (arguments, result.output)
        return result

    def send_mails(self) -> None:
        """Send the notifications that are due."""
        with mail_server(self.mails) as port:
            self.run("notify", STRIFEBARGE_SMTP_URL=f"smtp://127.0.0.1:{port}")

    def links_to(self, recipient: str) -> list[str]:
        """Return the paths of the site's links in the mails to somebody."""
        texts = [re.sub("=\r?\n", "", text).replace("=3D", "=") for to, text in self.mails if to == recipient]
        return re.findall(re.escape(URL) + r"(/[^\s>]*)", "\n".join(texts))


@contextmanager
def mail_server(mails: list[tuple[str, str]]) -> Iterator[int]:
    """Run a mail server that appends what it receives to `mails`; yield its port."""

    class Handler:
        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
            mails.append((envelope.rcpt_tos[0], envelope.content.decode()))
            return "250 OK"

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    running = Controller(Handler(), hostname="127.0.0.1", port=port)
    running.start()
    try:
        yield port
    finally:
        running.stop()


@contextmanager
def opened(file: Path, moment: float) -> Iterator[Site]:
    """Open the site of a database at a moment.

    The machine is always the same one: on another one, all players would be away.
    """
    with standing_at(moment) as clock, patch.object(Machine, "id", MACHINE):
        yield Site(file, clock)


@contextmanager
def upgraded(folder: Path) -> Iterator[tuple[Site, dict[str, Any]]]:
    """Open the fixture's site with the code of today; yield what it contains too."""
    contents = json.loads(lzma.decompress(CONTENTS.read_bytes()))
    file = folder / "strifebarge.db"
    file.write_bytes(lzma.decompress(DATABASE.read_bytes()))
    with opened(file, contents["taken"]) as site:
        yield site, contents


# -- playing ---------------------------------------------------------------------------------


def offers(page: Page) -> list[str]:
    """Return the moves that the text view of a table offers, in notation."""
    texts: list[str] = []
    for form in page.forms:
        if form.action.endswith(("/turn", "/sure")):
            texts += [button.value for button in form.moves] + form.choices.get("move", [])
    return texts


def number_of(who: Local, table: str) -> int:
    """Return the number of a table's last move in the log that somebody sees."""
    links = who.get(f"{table}/log").seen.links
    return max((int(link.rpartition("/at/")[2]) for link in links if "/at/" in link), default=0)


def is_over(who: Local, table: str) -> bool:
    """Return whether a game has ended: only then there is a record of it."""
    return who.get(f"{table}/record.json").status == 200


def send(who: Local, page: Page, move: str) -> Page:
    """Make a move by a form of the page, also where it is to be confirmed; return the answer."""
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
        choice = [each for each in offers(page) if each not in ("offer_draw", "claim_draw")]
        if choice := choice or offers(page):
            move = chance.choice(choice)
            answer = send(who, page, move)
            if answer.status == 409:  # offered for when it is their turn
                continue
            assert answer.status == 303, (table, move, answer.status, answer.words)
            return move
    return ""


def uncover(who: Local, table: str, pin: str | None = PIN) -> Page:
    """Uncover a shared device for the first seat it offers; return the page."""
    page = who.get(f"{table}?view=text")
    button = next(each for each in page.form("/uncover").buttons if each.name == "seat")
    answer = who.submit(page, "/uncover", button, pin=pin)
    assert answer.status == 303, answer.words
    return who.get(f"{table}?view=text")


def play_out(players: list[Local], table: str, chance: Random, longest: int) -> None:
    """Play at random until the game is over; resign after `longest` moves."""
    for _ in range(longest):
        if not play_one(players, table, chance):
            break
    for who in players:
        page = who.get(f"{table}/quit")
        if not is_over(who, table) and page.has_form("/quit"):
            form = next(each for each in page.forms if ("how", "resign") in each.fields)
            assert who.post(f"{table}/quit", form.filled()).status == 303
    assert is_over(players[0], table), table


# -- links and codes -------------------------------------------------------------------------


def path_of(address: str) -> str:
    """Return an address of the site without its host."""
    return address.removeprefix(URL).removeprefix("http://localhost")


def spoken(page: Page) -> str:
    """Return the code that a page shows to be read out."""
    match = re.search(r'class="spoken">([^<]+)<', page.text)
    assert match, page.words
    return match[1]
