"""The metrics of a whole site: all its workers, its hub and its bots, at one address."""

import re
import urllib.request

import pytest

from tests.servers.conftest import GENEROUS
from tests.support.servers import LOOPBACK, Site, free_port, wait_for
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

REQUESTS = re.compile(r'strifebarge_request_seconds_count\{code="200",method="GET",route="/about"\} (\S+)')
MOVES = 'strifebarge_moves_total{by="person",game="rps",result="played"} 2.0'


def metrics(port: int) -> str:
    with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/metrics", timeout=30) as answer:
        return str(answer.read().decode())


def test_two_workers_are_counted_together_and_a_worker_that_was_replaced_too() -> None:
    port = free_port()
    with Site(**{**GENEROUS, "WORKERS": "2", "METRICS": f"{LOOPBACK}:{port}"}) as site:
        for _ in range(20):
            assert Remote(site.port).get("/about").status == 200
        match = REQUESTS.search(metrics(port))
        assert match
        assert float(match[1]) == 20
        one, other = Remote(site.port), Remote(site.port)
        table = one.start("rps").table
        other.join(table)
        for player, hand in ((one, "rock"), (other, "paper")):
            assert player.move(table, f"throw {hand}").status == 303
        text = metrics(port)
        assert MOVES in text
        assert "strifebarge_streams 0.0" in text
        assert Remote(site.port).get("/metrics").status == 404
        wait_for(lambda: "strifebarge_wakeup_seconds_count" in metrics(port), awaited="the hub's words")
