"""Put a bounded load on 127.0.0.1: several clients at once, each with its own connection."""

import http.client
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

LOOPBACK = "127.0.0.1"
FORM = "application/x-www-form-urlencoded"
IDLE = 1.0  # seconds after which a connection is not trusted to be open still


class Client:
    """A client that keeps one connection and reads answers to their end."""

    def __init__(self, port: int, cookie: str = "", patience: float = 30):
        self.connection = http.client.HTTPConnection(LOOPBACK, port, timeout=patience)
        self.headers = {"Cookie": cookie} if cookie else {}
        self.used = perf_counter()

    @property
    def cookie(self) -> str:
        return self.headers.get("Cookie", "")

    def get(self, path: str, **headers: str) -> tuple[int, str, str]:
        return self._send("GET", path, None, headers)

    def post(self, path: str, body: str, **headers: str) -> tuple[int, str, str]:
        return self._send("POST", path, body, {"Content-Type": FORM, **headers})

    def _send(self, method: str, path: str, body: str | None, extra: dict[str, str]) -> tuple[int, str, str]:
        """Return the status, the Location and the page; on a new connection after a while."""
        if perf_counter() - self.used > IDLE:
            self.connection.close()
        self.connection.request(method, path, body, {**self.headers, **extra})
        answer = self.connection.getresponse()
        page = answer.read().decode()
        self.used = perf_counter()
        if cookie := answer.headers.get("Set-Cookie"):
            self.headers["Cookie"] = cookie.partition(";")[0]
        return answer.status, answer.headers.get("Location", ""), page


def rate(clients: int, each: int, work: Callable[[int], Callable[[], None]]) -> float:
    """Return runs per second: `clients` threads work `each` times; `work(n)` makes the work of client n.

    Raises what one of them raises.
    """
    ready = [work(number) for number in range(clients)]
    start = threading.Barrier(clients + 1)

    def run(do: Callable[[], None]) -> None:
        start.wait()
        for _ in range(each):
            do()

    with ThreadPoolExecutor(clients) as several:
        at_work = [several.submit(run, do) for do in ready]
        start.wait()
        began = perf_counter()
        for each_one in at_work:
            each_one.result()
    return clients * each / (perf_counter() - began)


def key_of(page: str, action: str) -> str:
    """Return the key of a page's form with this action, or of its first form for ""."""
    form = page if not action else page[page.index(f'action="{action}"') :]
    return first_match(r'name="key" value="(\w+)"', form)


def first_match(pattern: str, text: str) -> str:
    """Return the first group of a pattern in a text.  Raises RuntimeError if it is not there."""
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"no {pattern} there")
    return match[1]
