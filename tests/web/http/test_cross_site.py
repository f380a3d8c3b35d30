"""Nothing that another site sends does anything here, and nobody is led to another site."""

import pytest

from tests.web.asking import addresses
from tests.web.house import House, Party

OTHER_SITE = {
    "Sec-Fetch-Site: cross-site": {"Sec_Fetch_Site": "cross-site"},
    "Sec-Fetch-Site: same-site": {"Sec_Fetch_Site": "same-site"},
    "Sec-Fetch-Site: cross-site with our Origin": {
        "Sec_Fetch_Site": "cross-site",
        "Origin": "http://localhost",
    },
    "a foreign Origin": {"Origin": "https://evil.example"},
    "our name as a part of theirs": {"Origin": "http://localhost.evil.example"},
    "another port": {"Origin": "http://localhost:81"},
    "Origin: null": {"Origin": "null"},
    "an empty Origin": {"Origin": ""},
    "an Origin that is no address": {"Origin": "http://["},
}

OURS = {
    "no header at all": {},
    "Sec-Fetch-Site: same-origin": {"Sec_Fetch_Site": "same-origin"},
    "Sec-Fetch-Site: none": {"Sec_Fetch_Site": "none"},
    "our Origin": {"Origin": "http://localhost"},
}


# -- from other sites ----------------------------------------------------------------


@pytest.mark.parametrize("sent", OTHER_SITE)
def test_no_form_sent_from_another_site_is_even_looked_at(house: House, party: Party, sent: str) -> None:
    posts = {*addresses(house, "POST", party.code)} - {"/notices/off"}  # its signed link is enough
    assert len(posts) >= 12
    player = party.to_move()
    form = player.get(party.table).form("/turn")
    with house.unchanged():
        for path in posts:
            refused = player.post(
                path, form.filled(form.moves[0], name="Evil", how="resign"), **OTHER_SITE[sent]
            )
            assert refused.status == 403, path
            assert refused.headers.get("Set-Cookie") is None
            assert "came from another site" in refused.words


@pytest.mark.parametrize("sent", OURS)
def test_our_own_forms_pass_and_so_do_programs_without_these_headers(house: House, sent: str) -> None:
    who = house.visitor()
    assert who.post("/new/rps", who.get("/").form("/new/rps").filled(), **OURS[sent]).status == 303


def test_links_from_other_sites_lead_in(house: House, party: Party) -> None:
    for headers in OTHER_SITE.values():
        assert house.visitor().get(party.table, **headers).status == 200


# -- going on to ---------------------------------------------------------------------


ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\r\nLocation: https://evil.example",
    "http:evil.example",
    "evil.example",
    " //evil.example",
]


@pytest.mark.parametrize("back", ELSEWHERE)
def test_nobody_is_led_to_another_site_by_our_redirect(house: House, back: str) -> None:
    refused = house.visitor().post("/prefer/theme", [("theme", "dark"), ("back", back)])
    assert refused.status == 400
    assert refused.headers.get("Location") is None
    assert not refused.headers.get_all("Set-Cookie")


def test_a_preference_is_one_of_its_values_or_none(house: House) -> None:
    who = house.visitor()
    assert who.post("/prefer/theme", [("theme", "dark"), ("back", "/about")]).location == "/about"
    assert 'data-theme="dark"' in who.get("/").text
    for other in ("", "purple", '"><script>'):
        assert who.post("/prefer/theme", [("theme", other)]).status == 303
        assert "data-theme" not in who.get("/").text
    who.cookies["theme"] = "purple"
    assert "purple" not in who.get("/").text
    assert who.post("/prefer/session", [("session", "x")]).status == 404
