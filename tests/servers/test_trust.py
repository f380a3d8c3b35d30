"""On a real site: who guesses locks nobody out, a session alone gets nothing lasting, and nobody imitates."""

import re
from collections.abc import Iterator
from itertools import count

import pytest

from tests.support.servers import Site
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers
PASSWORD = "a white whale in the bath"
ADDRESSES = count(1)


class Visitor(Remote):
    """Somebody behind the proxy, at an address of their own."""

    def __init__(self, port: int, address: str = ""):
        super().__init__(port)
        number = next(ADDRESSES)
        self.address = address or f"10.1.{number >> 8}.{number & 255}"

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        return super().send(method, path, body, {**headers, "X-Forwarded-For": self.address})


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(WORKERS="2", TRUSTED_PROXIES="1", LIMIT_SIGN_IN="4") as running:
        yield running


def sign_up(who: Visitor, login: str) -> Page:
    return who.submit(who.get("/me/account"), "/me/account", login=login, password=PASSWORD, again=PASSWORD)


def sign_in(who: Visitor, login: str, password: str = PASSWORD) -> Page:
    return who.submit(who.get("/sign-in"), "/sign-in", login=login, password=password)


def test_a_dozen_wrong_guesses_from_anywhere_do_not_lock_the_owner_out(site: Site) -> None:
    owner = Visitor(site.port)
    assert sign_up(owner, "moby").status == 303
    owner.submit(owner.get("/me/out"), "/me/out")
    for _ in range(12):
        assert sign_in(Visitor(site.port), "moby", "a wrong whale").status == 403
    assert sign_in(owner, "moby").status == 303
    assert sign_in(Visitor(site.port), "moby").status == 303


def test_many_wrong_guesses_close_the_name_but_not_where_it_is_known(site: Site) -> None:
    owner = Visitor(site.port)
    assert sign_up(owner, "ahab").status == 303
    owner.submit(owner.get("/me/out"), "/me/out")
    # Forty in an hour, of which each worker has half: more than that are refused by one of them, at least.
    answers = [sign_in(Visitor(site.port), "ahab", "a wrong whale").status for _ in range(60)]
    assert set(answers) == {403, 429}
    assert 20 <= answers.count(403) <= 40
    neighbour = Visitor(site.port, owner.address)
    assert {sign_in(neighbour, "starbuck", "a wrong whale").status for _ in range(12)} == {403, 429}
    assert sign_in(owner, "ahab").status == 303


@pytest.mark.parametrize("path", ["/me/code", "/me/link"])
def test_a_session_alone_makes_no_code_and_no_link(site: Site, path: str) -> None:
    owner, other = Visitor(site.port), Visitor(site.port)
    assert sign_up(owner, f"owner.of{path.replace('/', '.')}").status == 303
    shown = owner.follow(owner.submit(owner.get("/me/code"), "/me/code"))
    code = re.findall(r'class="spoken">([^<]+)<', shown.text)[0]
    assert other.submit(other.get("/move"), "/move", c=code).status == 303  # which proves nothing
    answer = other.submit(other.get(path), path)
    assert (answer.status, answer.token) == (403, "who.prove")
    assert other.submit(answer, path, proof="a wrong whale").status == 403
    done = other.submit(answer, path, proof=PASSWORD)
    assert done.status == 303
    page = other.follow(done)
    assert "spoken" in page.text or "/open?t=" in page.text


@pytest.mark.parametrize(
    "name", ["Host", "Admin", "\u041d\u043est", "Ad\u3164min", "Moderator", "StrifeBarge"]
)
def test_nobody_is_called_as_if_they_ran_the_site(site: Site, name: str) -> None:
    host, guest = Visitor(site.port), Visitor(site.port)
    table = host.start("strifebarge", seats="3").table
    refused = guest.submit(guest.get(table), "/join", name=name)
    assert (refused.status, refused.token) == (422, "table.reserved_name")


@pytest.mark.parametrize("name", ["M\u0430rta", "\u039carta", "MARTA", "Ma\u3164rta", "\U0001d40carta"])
def test_nobody_at_a_table_is_called_nearly_like_another(site: Site, name: str) -> None:
    host, guest = Visitor(site.port), Visitor(site.port)
    table = host.start("strifebarge", seats="3", name="Marta").table
    refused = guest.submit(guest.get(table), "/join", name=name)
    assert (refused.status, refused.token) == (409, "table.name_taken")


def test_nobody_signs_in_by_a_name_that_looks_like_anothers(site: Site) -> None:
    assert sign_up(Visitor(site.port), "queequeg").status == 303
    refused = sign_up(Visitor(site.port), "qu\u0435equeg")
    assert (refused.status, refused.token) == (409, "who.login_taken")
