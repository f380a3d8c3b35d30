"""Limits by address: a household counts once, however a proxy writes its address."""

import pytest
from sqlalchemy import text

from strifebarge.web.http.guard import ENTRANTS
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, token

LIMIT = 3  # games in a minute


def starts_from(house: House, addresses: list[str]) -> list[int]:
    """Start a game from each address, as the proxy in front names it; the answers' statuses."""
    form = house.visitor().get("/new/rps")
    return [started(house, form, address).status for address in addresses]


def started(house: House, form: Page, address: str) -> Page:
    visitor = Local(house.app, "127.0.0.1")
    fresh = visitor.get("/new/rps", X_Forwarded_For=address)
    return visitor.post(form.path, fresh.form("/new/rps").filled(), X_Forwarded_For=address)


@pytest.fixture
def house(open_house: OpenHouse) -> House:
    return open_house(limit_create=LIMIT, trusted_proxies=1)


@pytest.mark.parametrize(
    "addresses",
    [
        [f"2001:db8::{number:x}" for number in range(1, 8)],
        ["2001:db8::1", "2001:db8:0:0::2", "2001:0db8::3", "2001:DB8::4", "[2001:db8::5]:443"],
        ["2001:db8:1:2::1", "2001:db8:1:2:3::", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::"],
        [f"192.0.2.7:{port}" for port in range(5000, 5007)],
        [f"[2001:db8::1]:{port}" for port in range(440, 447)],
        ["192.0.2.7", "::ffff:192.0.2.7", "[::ffff:192.0.2.7]:80", "192.0.2.7:81"],
        [f"fe80::{number}%eth0" for number in range(1, 8)],
        ["unknown", "_hidden", "no address", "1.2.3", "2001:db8::g", ":::", "[", "1.2.3.4:x"],
    ],
    ids=lambda addresses: addresses[1],
)
def test_addresses_of_one_household_share_one_limit(house: House, addresses: list[str]) -> None:
    expected = [303] * LIMIT + [429] * (len(addresses) - LIMIT)
    assert starts_from(house, addresses) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.7", "192.0.2.8"),
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("2001:db8::1", "2001:db8:0:1::1"),
        ("192.0.2.7:80", "192.0.2.70:80"),
        ("[2001:db8::1]:80", "[2001:db9::1]:80"),
    ],
)
def test_addresses_of_two_households_have_a_limit_each(house: House, one: str, other: str) -> None:
    assert starts_from(house, [one] * (LIMIT + 1)) == [303] * LIMIT + [429]
    assert starts_from(house, [other] * (LIMIT + 1)) == [303] * LIMIT + [429]


# -- guests made for it --------------------------------------------------------------

HERE = "192.0.2.77"


def counted(house: House, path: str, ending: str, times: int, **fields: str) -> list[int]:
    """Let `times` strangers of one address fill in a form; return the statuses of the answers."""
    answers = []
    for nth in range(times):
        stranger = Local(house.app, HERE)
        given = {name: value.format(nth) for name, value in fields.items()}
        answers.append(stranger.submit(house.visitor().get(path), ending, **given))
    for page in answers:
        if page.status == 429:
            assert (page.token or token(page)) in ("web.too_fast", "web.enough_today")
            assert int(page.headers["Retry-After"]) >= 1
    return [page.status for page in answers]


def test_strangers_of_one_address_join_tables_three_times_as_often_as_they_start_games(
    open_house: OpenHouse,
) -> None:
    house = open_house(limit_create=1)
    tables = [house.visitor().start("strifebarge", seats="3").table for _ in range(5)]
    statuses = [counted(house, table, "/join", 1)[0] for table in tables]
    assert statuses == [303] * 3 + [429] * 2
    assert house.visitor().join(tables[-1]).status == 200


def test_a_seat_by_a_link_counts_as_joining_and_a_form_sent_again_does_not(open_house: OpenHouse) -> None:
    house = open_house(limit_create=1)
    host = house.visitor()
    table = host.start("strifebarge", seats="3").table
    page, guest = house.visitor().get(table), Local(house.app, HERE)
    assert [guest.submit(page, "/join").status for _ in range(4)] == [303] * 4
    link = house.link(host, table, "beside")
    assert counted(house, link, "/seat", 3, name="Cleo {}") == [303, 303, 429]


def test_a_rematch_counts_as_joining(open_house: OpenHouse) -> None:
    house = open_house(limit_create=1)
    party = house.thrown("rock", "paper")
    for player in party.players:
        player.address = HERE
    tables = [house.visitor().start("strifebarge", seats="3").table for _ in range(2)]
    assert [counted(house, table, "/join", 1)[0] for table in tables] == [303] * 2
    first, second = (each.submit(each.get(party.table), "/rematch") for each in party.players)
    assert (first.status, second.status) == (303, 429)


def test_strangers_of_one_address_leave_a_quarter_of_a_tournament_to_others(open_house: OpenHouse) -> None:
    house = open_house()
    host = house.visitor()
    given = {"name": "Cup", "pace": "days-3"}
    path = host.submit(host.get("/tournaments/new/rps"), "/tournaments/new/rps", **given).location
    statuses = counted(house, path, "/join", ENTRANTS + 2, name="Eve {}")
    assert statuses == [303] * ENTRANTS + [429] * 2
    other = house.visitor()
    assert other.submit(other.get(path), "/join", name="Ann").status == 303


def test_messages_of_all_people_at_one_address_count_together(open_house: OpenHouse) -> None:
    house = open_house(limit_create=1)
    table = house.visitor().start("rps").table
    assert counted(house, f"{table}/talk", "/say", 8, text="Hello {}") == [303] * 6 + [429] * 2


def test_play_anyone_brings_no_more_bots_than_an_address_may(open_house: OpenHouse) -> None:
    house = open_house(limit_bots=1)
    games = ("rps", "eights", "chess")
    assert [counted(house, f"/tables?game={game}", f"/anyone/{game}", 1)[0] for game in games] == [303] * 3
    with house.engine.connect() as connection:
        chairs = connection.execute(text("SELECT player FROM chairs WHERE player LIKE 'bot:%'")).all()
    assert len(chairs) == 1
