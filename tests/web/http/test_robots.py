"""Programs that look at links in chats and mails take nothing, and leave nothing."""

import pytest

from tests.web.house import House

ROBOTS = {
    "WhatsApp": "WhatsApp/2.23.20.0 A",
    "Slack": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Discord": "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Facebook": "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Google": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
}


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_fifty_looks_at_an_invitation_write_no_row_and_set_no_cookie(
    house: House, robot: str, method: str
) -> None:
    table = house.visitor().start("strifebarge", seats="3").table
    with house.unchanged():
        for _ in range(50):
            page = house.visitor().request(method, table, User_Agent=ROBOTS[robot])
            assert page.status == 200
            assert page.headers.get("Set-Cookie") is None
            assert bool(page.body) == (method == "GET")


def test_an_invitation_says_in_its_preview_who_invites_to_what(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="3", name="Ann").table
    page = house.visitor().get(table, User_Agent=ROBOTS["WhatsApp"])
    assert '<meta property="og:title" content="Ann invites you to StrifeBarge">' in page.text
    assert '<meta property="og:description" content="2 of 3 seats free">' in page.text


def test_a_seat_handed_on_is_not_taken_by_a_look_at_its_link(house: House) -> None:
    party = house.fleet()
    link = party.players[0].get(f"{party.table}/quit").seen.ids["link"]["value"]
    with house.unchanged():
        for agent in ROBOTS.values():
            page = house.visitor().get(link[link.index("/g/") :], User_Agent=agent)
            assert page.status == 200
            assert page.headers.get("Set-Cookie") is None


def test_search_engines_are_asked_to_leave_tables_alone(house: House) -> None:
    assert "Disallow: /g/" in house.visitor().get("/robots.txt").text
    party = house.fleet()
    for path in (party.table, f"{party.table}/log", f"{party.table}/at/0"):
        assert '<meta name="robots" content="noindex">' in house.visitor().get(path).text
