"""A busy day of a site: people sign up, bring games, play, and send requests as no browser makes them."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import sleep
from typing import TypeVar
from urllib.parse import quote, urlencode

from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.support.servers import Site
from tests.support.visitor import Page, Remote
from tests.web.asking import ODD

T = TypeVar("T")
AT_ONCE = 8  # visitors who do something at the same time
SEATS = {title.slug: usual_seats(title.rules) for title in Library()}
BODIES = [b"", b"\0" * 2000, b"{" * 20_000, b"a=" * 15_000, b"%" * 9_000, b"--x\r\n" * 4_000]
TYPES = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json", "?"]


class Guest(Remote):
    """A visitor at an address of their own, as a proxy tells it, so that no limit is met by chance."""

    def __init__(self, site: Site, number: int):
        super().__init__(site.port, patience=120.0)
        self.address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Page:
        return super().request(method, path, body, **{"X_Forwarded_For": self.address, **headers})


class Day:
    """What many people do at a site, always the same for the same seed."""

    def __init__(self, site: Site, seed: str = "a busy day"):
        self.site = site
        self.seed = seed
        self.came = 0
        self.records: list[bytes] = []

    def guest(self) -> Guest:
        self.came += 1
        return Guest(self.site, self.came)

    def all(self, do: Callable[[int], T], numbers: Iterable[int]) -> list[T]:
        """Let several do something at once; raises what any of them raises."""
        with ThreadPoolExecutor(AT_ONCE) as people:
            return list(people.map(do, numbers))

    def sign_up(self, number: int) -> None:
        """Make an account, sign out, and sign in with it once wrongly and once rightly."""
        who, secret = self.guest(), f"nobody thinks of {number} this"
        form = who.get("/me/account")
        login = {"login": f"captain-{number}"}
        assert who.submit(form, "/me/account", **login, password=secret, again=secret).status == 303
        other = self.guest()
        assert other.submit(other.get("/sign-in"), "/sign-in", **login, password="x" * 20).status in (
            401,
            403,
            422,
        )
        assert other.submit(other.get("/sign-in"), "/sign-in", **login, password=secret).status == 303

    def play(self, number: int, moves: int = 16) -> None:
        """Play a game of one kind or another for some moves, and leave it; keep its record at times."""
        dice, slug = Random(f"{self.seed} {number}"), list(SEATS)[number % len(SEATS)]
        people = [self.guest() for _ in range(SEATS[slug])]
        table = people[0].start(slug, **({"seats": str(len(people))} if slug == "strifebarge" else {})).table
        for each in people[1:]:
            each.join(table)
        for _ in range(moves):
            pages = [each.get(table) for each in people]
            mover = next((nth for nth, page in enumerate(pages) if page.my_turn and choices(page)), None)
            if mover is None:
                break
            answer = people[mover].submit(pages[mover], "/turn", dice.choice(choices(pages[mover])))
            assert answer.status in (303, 409, 422), answer.words
        for each in people:
            page = each.get(f"{table}/quit")
            if form := next((form for form in page.forms if ("how", "resign") in form.fields), None):
                each.post(f"{table}/quit", form.filled())
        record = people[0].get(f"{table}/record.json")
        if record.status == 200 and record.body not in self.records:
            self.records.append(record.body)

    def bring(self, number: int) -> None:
        """Bring a game that was played here before, from its file."""
        who, record = self.guest(), self.records[number % len(self.records)]
        page = who.get("/import")
        while (answer := who.submit(page, "/import", text=record.decode())).status == 503:
            sleep(float(answer.headers["Retry-After"]))  # only some are taken at once
        assert answer.status == 303, answer.words

    def send_anything(self, paths: list[tuple[str, str]], number: int) -> None:
        """Send a request that no browser makes to one of these methods and addresses."""
        dice, who = Random(f"{self.seed} odd {number}"), self.guest()
        method, path = dice.choice(paths)
        if dice.random() < 0.3:
            path += quote(dice.choice(ODD), safe="", errors="surrogatepass")[:4000]
        if dice.random() < 0.5:
            query = {name: dice.choice(ODD)[:1000] for name in dice.sample(NAMES, 3)}
            path += "?" + urlencode(query, errors="surrogatepass")
        body, kind = b"", TYPES[0]
        if method == "POST":
            fields = [("key", f"{dice.getrandbits(128):032x}")]
            fields += [(name, dice.choice(ODD)) for name in dice.sample(NAMES, 4)]
            body = urlencode(fields, errors="surrogatepass").encode()
            if dice.random() < 0.2:
                body, kind = dice.choice(BODIES), dice.choice(TYPES)
        answer = who.request(method, path, body, Content_Type=kind)
        assert answer.status < 500, (method, path[:200], answer.status)


NAMES = [
    *("name", "login", "password", "again", "seat", "seats", "move", "do", "asked", "text", "code", "view"),
    *("game", "pace", "t_language", "t_patience", "digits", "pin", "how", "days", "others", "back", "file"),
]


def choices(page: Page) -> list[object]:
    """The buttons that make a move, if any."""
    return [*page.form("/turn").moves] if page.has_form("/turn") else []


def memory_of(process: int) -> dict[str, int]:
    """Kilobytes that a process has in memory: all, its share of them, and what is its alone (Linux)."""
    sizes = {"Rss": 0, "Pss": 0, "Private_Clean": 0, "Private_Dirty": 0, "Anonymous": 0}
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]:
        name, _, rest = line.partition(":")
        if name in sizes:
            sizes[name] += int(rest.split()[0])
    return sizes
