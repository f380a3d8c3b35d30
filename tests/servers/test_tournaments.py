"""A tournament of bots on a site that runs: it goes on by itself, also after the whole site was killed."""

import pytest

from tests.servers.books import Books
from tests.servers.conftest import GENEROUS
from tests.support.servers import Site, wait_for
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

RUNNING = "SELECT count(*) FROM tournament_games WHERE outcome = ''"
ENDED = "SELECT count(*) FROM tournament_games WHERE outcome = 'played'"


def number(books: Books, words: str) -> int:
    [(found,)] = books.ask(words)
    return int(found)


def started(site: Site, bots: int) -> tuple[Remote, str]:
    """A tournament in which bots alone play Rock-Paper-Scissors, and its organizer; its path."""
    host, new = Remote(site.port), "/tournaments/new/rps"
    answer = host.submit(host.get(new), new, name="Cup", pace="days-3", format="round-robin")
    path = answer.headers["Location"].replace(site.url, "")
    for form, fields in (("/bots", {"level": "easy", "count": str(bots)}), ("/start", {})):
        assert host.submit(host.get(path), form, **fields).status == 303
    return host, path


@pytest.mark.parametrize("ended", [2, 5])
def test_a_tournament_goes_on_after_the_site_was_killed_between_two_rounds(ended: int) -> None:
    with Site(**{**GENEROUS, "WORKERS": "2", "TICK": "1", "BOTS": "on"}) as site:
        url = site.settings.get("DATABASE_URL", f"sqlite:///{site.data / 'strifebarge.db'}")
        host, path = started(site, 4)
        with Books(url) as books:
            wait_for(lambda: number(books, ENDED) >= ended, told="games that have ended")
            site.kill()
            site.start()
            wait_for(lambda: number(books, ENDED) == 6, told="all games")
            wait_for(lambda: "Final standings" in Remote(site.port).get(path).words, told="the end")
            assert number(books, RUNNING) == 0
            assert number(books, "SELECT count(*) FROM tables") == 6
        assert host.get(path).words.count("Bot (easy)") > 4
