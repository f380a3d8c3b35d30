"""With a Redis: sessions live there, and limits count over all workers.  Without: each has its share."""

from collections.abc import Iterator
from functools import partial

import pytest

from tests.conftest import need
from tests.servers.books import Books
from tests.support.servers import Redis, Site
from tests.support.together import together
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers
WRONG = "/g/{:08d}"  # codes that no table has: but for one chance in ten thousand millions


@pytest.fixture
def site(redis_url: str) -> Iterator[Site]:
    with Site(WORKERS="2", REDIS_URL=redis_url) as running:
        yield running


@pytest.fixture
def plain_site() -> Iterator[Site]:
    """Without a Redis."""
    with Site(WORKERS="2") as running:
        yield running


def must_be_a_kind_refusal(page: Page) -> None:
    assert page.status == 429
    assert 1 <= int(page.headers["Retry-After"]) <= 60
    assert f"Try again in {page.headers['Retry-After']} seconds" in page.words


# -- sessions -----------------------------------------------------------------------------


def test_sessions_live_in_redis_and_outlive_the_site(site: Site) -> None:
    player = Remote(site.port)
    table = player.start("eights", seats="1").table
    with Books(f"sqlite:///{site.data / 'strifebarge.db'}") as books:
        assert books.count("web_sessions") == 0
        assert books.count("players") == 1
    site.restart()
    assert player.get(table).my_turn


# -- limits --------------------------------------------------------------------------------


def start(site: Site) -> Page:
    stranger = Remote(site.port)
    return stranger.submit(stranger.get("/"), "/new/rps")


def test_an_address_may_start_twenty_games_a_minute_whichever_worker_it_asks(site: Site) -> None:
    answers = [start(site) for _ in range(25)]
    assert [answer.status for answer in answers] == [303] * 20 + [429] * 5
    must_be_a_kind_refusal(answers[-1])
    with Books(f"sqlite:///{site.data / 'strifebarge.db'}") as books:
        assert books.count("tables") == 20
        assert books.count("players") == 20


def test_the_limit_is_exact_for_sixty_at_the_same_instant(site: Site) -> None:
    answers = together(*[partial(start, site)] * 60)
    assert sorted(answer.status for answer in answers) == [303] * 20 + [429] * 40


def test_an_address_may_try_ten_wrong_codes_a_minute_and_keeps_its_own_games(site: Site) -> None:
    player = Remote(site.port)
    table = player.start("eights", seats="1").table
    stranger = Remote(site.port)
    answers = [stranger.get(WRONG.format(number)) for number in range(15)]
    assert [answer.status for answer in answers] == [404] * 10 + [429] * 5
    must_be_a_kind_refusal(answers[-1])
    must_be_a_kind_refusal(stranger.submit(stranger.get("/"), "/code", code="0000-0000"))
    page = player.get(table)
    assert page.my_turn
    assert player.submit(page, "/turn", page.form("/turn").moves[0]).status == 303


def test_without_redis_no_address_gets_more_than_the_limit_of_all_workers(plain_site: Site) -> None:
    answers = [start(plain_site) for _ in range(45)]
    allowed = sum(answer.status == 303 for answer in answers)
    assert 10 <= allowed <= 20
    assert {answer.status for answer in answers} == {303, 429}
    must_be_a_kind_refusal(next(answer for answer in answers if answer.status == 429))
    stranger = Remote(plain_site.port)
    tries = [stranger.get(WRONG.format(number)).status for number in range(25)]
    assert 5 <= tries.count(404) <= 10
    assert set(tries) == {404, 429}


# -- while Redis is away ---------------------------------------------------------------------


@pytest.mark.redis
def test_while_redis_is_away_pages_say_so_and_afterwards_all_is_as_before() -> None:
    with need(Redis) as redis, Site(WORKERS="2", REDIS_URL=redis.url) as site:
        player = Remote(site.port)
        table = player.start("eights", seats="1").table
        page = player.get(table)
        redis.kill()
        for who in player, Remote(site.port):
            for path in ("/", table, "/games", "/rules", "/about", WRONG.format(0)):
                answer = who.get(path)
                assert answer.status in (200, 303, 404, 503), (path, answer.status)
                if answer.status == 503:
                    assert answer.headers["Retry-After"]
                    assert "StrifeBarge" in answer.words
        unsure = player.submit(page, "/turn", page.form("/turn").moves[0])
        assert unsure.status in (303, 403, 503)
        redis.start()  # it comes back empty, as one that keeps nothing on disk does
        assert Remote(site.port).get(table).status == 200
        assert player.start("eights", seats="1").my_turn
