"""Somebody at a browser without scripts: a jar of cookies, pages read, forms filled in and sent.

A `Visitor` knows no address but those of the links and forms on the pages it was shown.  It visits either a
site under gunicorn (`Remote`) or Flask's test client (`Local`).
"""

import http.client
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from http.cookies import SimpleCookie
from typing import Any, Self, TypeVar
from urllib.parse import urlencode, urljoin, urlsplit

from flask import Flask

from tests.support.servers import LOOPBACK, PATIENCE, Server

Pairs = list[tuple[str, str]]
Done = TypeVar("Done")


class Unanswered(Exception):
    """No answer came: refused, reset or timed out.  What was asked may have been done, or not."""


@dataclass
class Button:
    """A button that sends its form; `greyed` ones say why they would be refused."""

    name: str
    value: str
    greyed: bool = False
    face: str = ""


@dataclass
class Form:
    """A form as it stands on a page, its fields as they would be sent if nobody touched them."""

    method: str
    action: str
    enctype: str = ""
    fields: Pairs = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    inputs: list[dict[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)  # of its selects

    def __getitem__(self, name: str) -> str:
        return next(value for field, value in self.fields if field == name)

    def __contains__(self, name: str) -> bool:
        return any(field == name for field, _ in self.fields)

    def filled(self, button: Button | None = None, **changed: str | Sequence[str] | None) -> Pairs:
        """What is sent: the fields with some changed (None: left out), and the button pressed."""
        pairs = [(name, value) for name, value in self.fields if name not in changed]
        for name, value in changed.items():
            several = [] if value is None else [value] if isinstance(value, str) else value
            pairs += [(name, each) for each in several]
        if button and button.name:
            pairs.append((button.name, button.value))
        return pairs

    @property
    def moves(self) -> list[Button]:
        """The buttons that make a move, but for the greyed ones."""
        return [button for button in self.buttons if button.name == "move" and not button.greyed]


# Who is here, which the site writes down some seconds later, and how many watch.
PRESENCE = re.compile(
    r' <span class="dim presence">.*?</span>|, here now'
    r'|<p class="dim">\d+ (?:person is|people are) watching\.</p>'
    r'|Not here now: <bdi>.*?</bdi>\.| <span class="dot(?: here)?"></span>',
    re.DOTALL,
)

MULTIPART = "multipart/form-data"
REFERENCE = re.compile(r'<p class="dim">(?:Reference|Kennung): <code>[\w-]+</code></p>')

TAG = re.compile(
    r"""<!(?:--.*?--|[^>]*)>|<(/?)([a-zA-Z][\w-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>|([^<]+)""", re.DOTALL
)
ATTRIBUTE = re.compile(r"""([\w:-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")


class _Reader:
    """Collects what a visitor can see and press; pages are checked to be whole HTML elsewhere.

    Python's own parser takes most of the time of a test that loads thousands of pages.
    """

    def __init__(self, page: str):
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.ids: dict[str, dict[str, str]] = {}
        self.words: list[str] = []
        self.form: Form | None = None
        self.select = ""
        self.option: dict[str, str] | None = None
        self.area: str | None = None  # the name of a text area
        self.silent = 0
        self.pressed: Button | None = None
        for closing, tag, attributes, label in TAG.findall(page):
            if label:
                self.text(unescape(label))
            elif closing:
                self.end(tag)
            elif tag:
                self.start(tag, attributes)

    def start(self, tag: str, attributes: str) -> None:
        has = {
            name: unescape(double or single or bare)
            for name, double, single, bare in ATTRIBUTE.findall(attributes)
        }
        if "id" in has:
            self.ids[has["id"]] = has
        if tag in ("script", "style", "head"):
            self.silent += 1
        for name in ("href", "src"):
            if name in has and tag in ("a", "link", "iframe", "script", "use"):
                self.links.append(has[name])
        if tag == "form":
            self.form = Form(has.get("method", "get").upper(), has.get("action", ""), has.get("enctype", ""))
            self.forms.append(self.form)
        elif self.form is not None:
            self._control(tag, has)

    def _control(self, tag: str, has: dict[str, str]) -> None:
        form, name = self.form, has.get("name", "")
        assert form is not None
        if tag == "input" and name:
            form.inputs.append(has)
            if has.get("type") not in ("checkbox", "radio") or "checked" in has:
                form.fields.append((name, has.get("value", "on" if "checked" in has else "")))
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            self.option = has
        elif tag == "textarea" and name:
            self.area = name
            form.fields.append((name, ""))
        elif tag == "button":
            self.pressed = Button(name, has.get("value", ""), has.get("aria-disabled") == "true")
            form.buttons.append(self.pressed)

    def end(self, tag: str) -> None:
        if tag in ("script", "style", "head"):
            self.silent -= 1
        elif tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""
        elif tag == "option" and self.option is not None:
            self._end_of_option()
        elif tag == "button":
            self.pressed = None
        elif tag == "textarea":
            self.area = None

    def _end_of_option(self) -> None:
        """A select sends the option that is selected, or else its first."""
        assert self.form is not None
        assert self.option is not None
        value = self.option.get("value", self.option.get("said", ""))
        options = self.form.choices.setdefault(self.select, [])
        if not options or "selected" in self.option:
            self.form.fields = [pair for pair in self.form.fields if pair[0] != self.select]
            self.form.fields.append((self.select, value))
        options.append(value)
        self.option = None

    def text(self, data: str) -> None:
        if self.option is not None:
            self.option["said"] = data.strip()
        if self.area is not None and self.form is not None:
            self.form.fields[-1] = (self.area, data)
        if not self.silent:
            self.words.append(data)
        if self.pressed:
            self.pressed.face += data


@dataclass
class Page:
    """An answer: its status, its headers and what can be read and pressed on it."""

    path: str
    status: int
    headers: http.client.HTTPMessage | Any
    body: bytes

    @cached_property
    def text(self) -> str:
        return self.body.decode()

    @cached_property
    def seen(self) -> _Reader:
        return _Reader(self.text)

    @property
    def forms(self) -> list[Form]:
        return self.seen.forms

    @cached_property
    def words(self) -> str:
        """All that can be read, in one line."""
        return " ".join("".join(self.seen.words).split())

    @property
    def lasting_words(self) -> str:
        """All that can be read but who is here and the id of the request, in one line."""
        return " ".join("".join(_Reader(REFERENCE.sub("", PRESENCE.sub("", self.text))).words).split())

    def form(self, ending: str) -> Form:
        """The first form that posts to an address that ends so; of a board, with the buttons of the bar."""
        forms = [
            form
            for form in self.forms
            if form.method == "POST" and (form.action or self.path).partition("?")[0].endswith(ending)
        ]
        if forms:
            bar = [form for form in forms[1:] if "asked" in form and "do" not in form]
            return replace(forms[0], buttons=[each for form in (forms[0], *bar) for each in form.buttons])
        raise LookupError(f"{self.path} ({self.status}) has no form for {ending}: {self.words[:400]}")

    def has_form(self, ending: str) -> bool:
        return any((form.action or self.path).partition("?")[0].endswith(ending) for form in self.forms)

    @property
    def location(self) -> str:
        return str(self.headers["Location"])

    @property
    def token(self) -> str:
        """Why it was refused, as programs read it."""
        return self.seen.ids.get("notice", {}).get("data-token", "")

    @property
    def version(self) -> int:
        """How many changes of the table this page knows of."""
        assert "live" in self.seen.ids, self.words
        return int(re.split(r"\D", self.seen.ids["live"]["data-version"])[0])

    @property
    def my_turn(self) -> bool:
        return '<p class="turn mine"' in self.text

    @property
    def over(self) -> bool:
        return "<strong>Game over.</strong>" in self.text

    @property
    def code(self) -> str:
        """The table this is about: from its address, or where it leads to."""
        match = re.search(r"/g/(\w+)", self.headers["Location"] or self.path)
        assert match, self.path
        return match[1]

    @property
    def table(self) -> str:
        return f"/g/{self.code}"


class Visitor:
    """One person's browser."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        """One request and its answer.  Raises Unanswered."""
        raise NotImplementedError

    def copy(self) -> "Visitor":
        """Another tab: the same cookies as they are now."""
        raise NotImplementedError

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Page:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            named["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        page = self.send(method, path.partition("#")[0], body, named)
        self._keep_cookies(page)
        return page

    def _keep_cookies(self, page: Page) -> None:
        for line in page.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                if morsel["max-age"] == "0" or not morsel.value:
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value

    def get(self, path: str, **headers: str) -> Page:
        return self.request("GET", path, **headers)

    def post(self, path: str, fields: Iterable[tuple[str, str]] = (), **headers: str) -> Page:
        headers.setdefault("Content_Type", "application/x-www-form-urlencoded")
        return self.request("POST", path, urlencode(list(fields)).encode(), **headers)

    def submit(
        self, page: Page, ending: str, button: Button | None = None, **changed: str | Sequence[str] | None
    ) -> Page:
        """Fill in the form of a page that posts to an address with this ending, and send it."""
        form = page.form(ending)
        path, fields = urljoin(page.path, form.action or page.path), form.filled(button, **changed)
        return self.post_parts(path, fields) if form.enctype == MULTIPART else self.post(path, fields)

    def post_parts(self, path: str, fields: Iterable[tuple[str, str]], file: bytes = b"") -> Page:
        """Post a form in parts (RFC 7578), and a file with it if there is any."""
        parts = [(f'name="{name}"', value.encode()) for name, value in fields]
        parts += [('name="file"; filename="game.json"', file)] if file else []
        head = b"--x\r\nContent-Disposition: form-data; "
        body = b"".join(head + f"{name}\r\n\r\n".encode() + value + b"\r\n" for name, value in parts)
        return self.request("POST", path, body + b"--x--\r\n", Content_Type=f"{MULTIPART}; boundary=x")

    def follow(self, page: Page) -> Page:
        """Where a redirect leads, to the end."""
        while page.status in (301, 302, 303):
            page = self.get(urljoin(page.path, page.location))
        return page

    # -- what people do ---------------------------------------------------------

    def start(self, game: str, **options: str) -> Page:
        """Start a game from its options page; the table's page."""
        page = self.submit(self.get(f"/new/{game}"), f"/new/{game}", **options)
        assert page.status == 303, (page.status, page.words)
        return self.follow(page)

    def join(self, table: str, name: str = "") -> Page:
        page = self.submit(self.get(table), "/join", name=name)
        assert page.status == 303, (page.status, page.words)
        return self.follow(page)

    def move(self, table: str, words: str) -> Page:
        """Make a move from the page as it is now, also where it is asked once more; the answer itself."""
        page = self.get(table)
        if not page.has_form("/turn") and page.has_form("/sure"):
            asking = next(form for form in page.forms if form.action.endswith("/sure"))
            page = self.get(f"{asking.action}?{urlencode(asking.filled(move=words))}")
        return self.submit(page, "/turn", move=words)


class Remote(Visitor):
    """Visits a site under gunicorn, each time with a connection of its own, so that any worker may answer."""

    def __init__(self, port: int, patience: float = PATIENCE, host: str = LOOPBACK):
        super().__init__()
        self.port = port
        self.patience = patience
        self.host = host

    @classmethod
    def of(cls, site: Server, patience: float = PATIENCE) -> Self:
        """Somebody new to a site, wherever it runs."""
        return cls(site.port, patience, site.address)

    def at(self, site: Server) -> Self:
        """The same browser at another machine of the site."""
        other = self.of(site, self.patience)
        other.cookies = dict(self.cookies)
        return other

    def copy(self) -> "Remote":
        other = Remote(self.port, self.patience, self.host)
        other.cookies = dict(self.cookies)
        return other

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=self.patience)

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        connection = self.connection()
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            return Page(path, answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException) as why:
            raise Unanswered(f"{method} {path}: {why!r}") from why
        finally:
            connection.close()


class Local(Visitor):
    """Visits through Flask's test client."""

    def __init__(self, app: Flask, address: str = "127.0.0.1"):
        super().__init__()
        self.app = app
        self.address = address
        self.client = app.test_client(use_cookies=False)

    def copy(self) -> "Local":
        other = Local(self.app, self.address)
        other.cookies = dict(self.cookies)
        return other

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        answer = self.client.open(
            path,
            method=method,
            data=body,
            headers=headers,
            environ_overrides={"REMOTE_ADDR": self.address},
        )
        return Page(path, answer.status_code, _Headers(answer.headers), answer.data)


class _Headers:
    """werkzeug's headers with the names that http.client uses."""

    def __init__(self, headers: Any):
        self.headers = headers

    def __getitem__(self, name: str) -> str | None:
        return self.headers.get(name)

    def __contains__(self, name: str) -> bool:
        return name in self.headers

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.headers.get(name, default)

    def get_all(self, name: str) -> list[str]:
        return self.headers.getlist(name)

    def items(self) -> list[tuple[str, str]]:
        return list(self.headers.items())


def address_of(page: Page) -> str:
    """Where a redirect leads, without host, query or fragment."""
    return urlsplit(page.location).path
