"""A bounded load on 127.0.0.1: so many requests, by so many clients at once, each with its own connection."""

import http.client
import re
import threading
from collections.abc import Callable
from time import perf_counter

LOOPBACK = "127.0.0.1"


class Client:
    """One connection that is kept; answers are read to their end."""

    def __init__(self, port: int, cookie: str = ""):
        self.connection = http.client.HTTPConnection(LOOPBACK, port, timeout=30)
        self.headers = {"Cookie": cookie} if cookie else {}

    @property
    def cookie(self) -> str:
        return self.headers.get("Cookie", "")

    def get(self, path: str) -> tuple[int, str, str]:
        """Asked again where the server has closed the connection meanwhile, for nothing was asked on it."""
        try:
            return self._send("GET", path, None, {})
        except http.client.RemoteDisconnected:
            self.connection.close()
            return self._send("GET", path, None, {})

    def post(self, path: str, body: str) -> tuple[int, str, str]:
        return self._send("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def _send(self, method: str, path: str, body: str | None, extra: dict[str, str]) -> tuple[int, str, str]:
        """The status, where it leads to, and the page."""
        self.connection.request(method, path, body, {**self.headers, **extra})
        answer = self.connection.getresponse()
        page = answer.read().decode()
        if cookie := answer.headers.get("Set-Cookie"):
            self.headers["Cookie"] = cookie.partition(";")[0]
        return answer.status, answer.headers.get("Location", ""), page


def rate(clients: int, each: int, work: Callable[[int], Callable[[], None]]) -> float:
    """Runs of `work` a second: `clients` threads do it `each` times.  `work(n)` makes client n's."""
    ready = [work(number) for number in range(clients)]
    start = threading.Barrier(clients + 1)

    def run(do: Callable[[], None]) -> None:
        start.wait()
        for _ in range(each):
            do()

    threads = [threading.Thread(target=run, args=(do,)) for do in ready]
    for thread in threads:
        thread.start()
    start.wait()
    began = perf_counter()
    for thread in threads:
        thread.join()
    return clients * each / (perf_counter() - began)


def key_of(page: str, action: str) -> str:
    form = page if not action else page[page.index(f'action="{action}"') :]
    return found(r'name="key" value="(\w+)"', form)


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"no {pattern} there")
    return match[1]
