"""Beside all that strangers do at once everybody is shown their tables, and moves there."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.conftest import need
from tests.project.test_proxies import NAME, Caddy, Nginx, Proxy
from tests.servers.conftest import BOTH, on_a_database
from tests.servers.strangers import SETTINGS, strangers, table_of
from tests.servers.test_slow_senders import attacked, must_be_nearly_as_fast
from tests.support.front import Front
from tests.support.servers import Site, wait_for

pytestmark = pytest.mark.servers


@pytest.fixture(params=BOTH)
def besieged(request: pytest.FixtureRequest) -> Iterator[Site]:
    with on_a_database(request, **SETTINGS, PUBLIC_URL=f"https://{NAME}") as site:
        yield site


@contextmanager
def front_of(site: Site, proxy: type[Proxy] | None) -> Iterator[Front]:
    if proxy is None:
        yield Front(site.port)
        return
    with need(lambda: proxy(site)) as before:
        yield Front(before.port, NAME)


@pytest.mark.full("hundreds of connections, each time")
@pytest.mark.parametrize("proxy", [None, Nginx, Caddy], ids=["alone", "nginx", "caddy"])
def test_beside_all_that_strangers_do_everybody_looks_and_moves(
    besieged: Site, proxy: type[Proxy] | None
) -> None:
    with front_of(besieged, proxy) as front, attacked(besieged, front) as at:
        quiet = at.act()
        with strangers(besieged, at) as statuses:
            busy = at.act()
            wait_for(lambda: {200, 503} <= {*statuses}, awaited="a check, and a reader who is turned away")
        print(*table_of(quiet, busy), sep="\n")
        must_be_nearly_as_fast(quiet, busy)
