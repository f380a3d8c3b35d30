"""Every address of the site, and requests to them as no browser makes them."""

from urllib.parse import urlencode

from tests.support.visitor import Local, Page
from tests.web.house import House


def addresses(house: House, method: str, code: str) -> list[str]:
    """Every address of the site that takes this method."""
    values = {"id": code, "code": code, "game": "rps", "what": "theme", "number": 0, "ending": "pgn"}
    values |= {"record": "0" * 16, "person": "0" * 16, "secret": "nonsense"}
    with house.app.test_request_context():
        adapter = house.app.url_map.bind("localhost")
        return sorted(
            adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments}, method)
            for rule in house.app.url_map.iter_rules()
            if method in (rule.methods or ())
        )


ODD = [
    "",
    " ",
    "-1",
    "0",
    "1",
    "99",
    "NaN",
    "Infinity",
    "1e9",
    "0x10",
    "1.5",
    "+1",
    "1_000",
    "٣",
    "²",
    "9" * 12,
    "9" * 100,
    "9" * 5000,
    "-" + "9" * 5000,
    "\0",
    "a\0b",
    "\ud800",
    "\U0010ffff",
    "null",
    "[]",
    "{}",
    "%s%n{0}",
    "<script>",
    "x" * 3000,
]


def sent(who: Local, path: str, fields: list[tuple[str, str]], method: str = "POST") -> Page:
    """Lone surrogates and all, as a browser never would."""
    body = urlencode(fields, errors="surrogatepass").encode()
    return who.request(method, path, body, Content_Type="application/x-www-form-urlencoded")


def must_refuse_or_do(page: Page, what: object) -> None:
    assert page.status in (200, 301, 302, 303) or 400 <= page.status < 500, (page.path, page.status, what)
