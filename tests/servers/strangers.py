"""All that strangers do to a site at once: half requests, checks of records, and games of bots."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

from tests.servers.test_bots import play_tournaments
from tests.servers.test_costly import READERS, RECORDS, bring, checks_asked_for
from tests.servers.test_slow_senders import Attacked
from tests.support.bots import services_of
from tests.support.servers import Site

HEADS, BODIES = 300, 5  # half heads, and half bodies to each form
FORMS = "/code", "/import", "/new/rps", "/sign-in", "/api/v1/rpc"
FORMS_OF_A_TABLE = "/turn", "/say", "/join"
CUPS = 20  # of bots alone, each with ten games
SETTINGS = {"WORKERS": "2", "BOTS": "on", "TRUSTED_PROXIES": "1", "SECURE": "false"}

Times = dict[str, list[float]]  # the seconds that acts took


@contextmanager
def strangers(site: Site, at: Attacked) -> Iterator[list[int]]:
    """Let strangers do all of it at once; yields the statuses of the answers to their checks."""
    records = [bring(at.front.visitor()) for _ in range(RECORDS)]
    readers = [at.front.visitor() for _ in range(READERS)]
    with services_of(site) as services, ExitStack() as stack:
        play_tournaments(services, CUPS)
        statuses = stack.enter_context(checks_asked_for(readers, records))
        at.attack(HEADS, BODIES, [*FORMS, *(at.here.table + form for form in FORMS_OF_A_TABLE)])
        yield statuses


def table_of(quiet: Times, busy: Times) -> Iterator[str]:
    """Yield the lines of a table of medians."""
    yield "| | quiet | beside strangers | ratio |"
    yield "|---|---|---|---|"
    for name, took in quiet.items():
        before, beside = median(took), median(busy[name])
        yield f"| {name} | {1000 * before:.1f} ms | {1000 * beside:.1f} ms | {beside / before:.1f} |"
