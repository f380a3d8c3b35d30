"""With a Redis limits count over all workers, without one each has its share; no session is lost with it."""

import signal
from collections.abc import Iterator
from functools import partial

import pytest

from tests.conftest import need
from tests.servers.books import Books
from tests.servers.conftest import BOTH, GENEROUS, on_a_database
from tests.support.programs import token_of
from tests.support.servers import Redis, Site, wait_for
from tests.support.together import together
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers
PASSWORD = "a white whale in the bath"
WRONG = "/g/{:08d}"  # codes that no table has: but for one chance in ten thousand millions


@pytest.fixture(scope="module")
def running(redis_server: Redis) -> Iterator[Site]:
    with Site(WORKERS="2", REDIS_URL=redis_server.url) as site:
        yield site


@pytest.fixture
def site(running: Site, redis_url: str) -> Site:
    """The site that these tests share, with a Redis that knows nothing of the test before."""
    return running


@pytest.fixture
def plain_site() -> Iterator[Site]:
    """Without a Redis."""
    with Site(WORKERS="2") as running:
        yield running


def must_be_a_kind_refusal(page: Page) -> None:
    assert page.status == 429
    assert 1 <= int(page.headers["Retry-After"]) <= 60
    assert f"Try again in {page.headers['Retry-After']} seconds" in page.words


# -- limits --------------------------------------------------------------------------------


def start(site: Site) -> Page:
    stranger = Remote(site.port)
    return stranger.submit(stranger.get("/"), "/new/rps")


def test_an_address_may_start_twenty_games_a_minute_whichever_worker_it_asks(site: Site) -> None:
    with Books(f"sqlite:///{site.data / 'strifebarge.db'}") as books:
        before = books.count("tables"), books.count("players")
        answers = [start(site) for _ in range(25)]
        assert [answer.status for answer in answers] == [303] * 20 + [429] * 5
        must_be_a_kind_refusal(answers[-1])
        assert (books.count("tables"), books.count("players")) == (before[0] + 20, before[1] + 20)


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


def calls_of_one_token(site: Site, number: int) -> list[Page]:
    owner = Remote(site.port)
    owner.start("rps")
    headers = {"Authorization": f"Bearer {token_of(owner)}"}
    return [Remote(site.port).get("/api/v1/me", **headers) for _ in range(number)]


def test_what_a_token_has_left_is_right_whichever_worker_answers(site: Site) -> None:
    answers = calls_of_one_token(site, 8)
    assert {page.headers["RateLimit-Limit"] for page in answers} == {"600"}
    assert [int(page.headers["RateLimit-Remaining"]) for page in answers] == [*range(599, 591, -1)]


def test_without_redis_a_token_is_told_what_one_worker_allows_and_no_more(plain_site: Site) -> None:
    for page in calls_of_one_token(plain_site, 4):
        assert (page.status, page.headers["RateLimit-Limit"]) == (200, "300")
        assert page.headers["RateLimit-Remaining"] is None


# -- while Redis is away ---------------------------------------------------------------------


class Company:
    """Two who play, one with an account who only looks, and all that they keep doing."""

    def __init__(self, site: Site):
        self.site = site
        self.players = [Remote(site.port), Remote(site.port)]
        self.table = self.players[0].start("strifebarge", seats="2", name="Ann").table
        self.players[1].join(self.table, name="Ben")
        self.member = Remote(site.port)
        page = self.member.get("/me/account")
        fields = {"login": "a.member", "password": PASSWORD, "again": PASSWORD}
        assert self.member.submit(page, "/me/account", **fields).status == 303

    def go_on(self, moves: int = 4) -> None:
        """Everybody is known, and moves: several times, so that both workers answer."""
        for _ in range(moves):
            mover = next(each for each in self.players if each.get(self.table).my_turn)
            page = mover.get(self.table)
            assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
            for path in ("/", "/games", "/about", "/me", self.table):
                assert {each.get(path).status for each in (*self.players, Remote(self.site.port))} == {200}
            assert "You sign in as a.member." in self.member.get("/me").words
        assert self.member.get("/me/devices").status == 200

    def begins(self) -> None:
        """Somebody new comes in, for which limits are counted."""
        assert Remote(self.site.port).start("eights", seats="1").my_turn


def health(site: Site) -> tuple[int, str]:
    page = Remote(site.port).get("/readyz")
    return page.status, page.text


READY = (200, "ready\n")
DEGRADED = (200, "ready\ndegraded: redis\n")
RECOVERY = 20.0  # seconds, of which the site itself takes five at most


@pytest.mark.redis
@pytest.mark.parametrize("playing", BOTH, indirect=True)
def test_redis_may_die_come_back_empty_and_hang_and_nobody_notices(playing: tuple[Site, Redis]) -> None:
    site, redis = playing
    company = Company(site)
    company.go_on()
    assert health(site) == READY
    redis.kill()
    company.go_on()
    company.begins()
    assert health(site) == DEGRADED
    redis.start()  # it comes back empty, as one that keeps nothing on disk does
    wait_for(lambda: health(site) == READY, RECOVERY, "a Redis that is used again")
    company.go_on()
    company.begins()
    redis.kill(signal.SIGSTOP)  # it accepts connections and never answers
    company.go_on()
    company.begins()
    assert health(site) == DEGRADED
    redis.kill(signal.SIGCONT)
    wait_for(lambda: health(site) == READY, RECOVERY, "a Redis that is used again")
    company.go_on()
    assert "Redis does not answer" in site.log()


@pytest.fixture
def playing(request: pytest.FixtureRequest) -> Iterator[tuple[Site, Redis]]:
    """A site with a Redis that is this test's alone."""
    with need(Redis) as redis, on_a_database(request, **{**GENEROUS, "REDIS_URL": redis.url}) as site:
        yield site, redis


@pytest.mark.redis
def test_a_site_starts_without_its_redis_and_limits_hold() -> None:
    with need(Redis) as redis:
        redis.kill()
        with Site(WORKERS="2", REDIS_URL=redis.url) as site:
            assert health(site) == DEGRADED
            answers = [start(site) for _ in range(45)]
            allowed = sum(answer.status == 303 for answer in answers)
            assert 10 <= allowed <= 20
            assert {answer.status for answer in answers} == {303, 429}
