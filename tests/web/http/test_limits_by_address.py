"""Limits by address: a household counts once, however a proxy writes its address."""

import pytest

from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse

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
