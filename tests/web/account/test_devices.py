"""A second device, by a code; and all of somebody's devices."""

import re

import pytest

from tests.support.visitor import Local
from tests.web.house import House, OpenHouse, token
from tests.web.signing import (
    code_of,
    page_of,
    planted,
    session,
    sign_in,
    sign_up,
    tables,
    take,
)

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


# -- a second device ------------------------------------------------------------------------------


def test_a_code_makes_a_second_device_in_three_clicks(house: House) -> None:
    phone, laptop = house.visitor(), house.visitor()
    table = phone.start("rps", name="Ann").table
    code = code_of(phone)
    assert re.fullmatch("[0-9A-Z]{4}-[0-9A-Z]{4}", code)
    assert take(laptop, code.lower().replace("-", " ")).status == 303
    assert tables(laptop) == tables(phone) == {table}
    again = take(house.visitor(), code)
    assert (again.status, token(again)) == (403, "who.wrong_code")
    assert code not in phone.get("/me/devices").text


def test_no_look_at_the_link_spends_it_or_says_whether_it_is_one(house: House) -> None:
    phone, laptop = house.visitor(), house.visitor()
    phone.start("rps")
    code = code_of(phone).replace("-", "")
    with house.unchanged():
        for _ in range(20):
            page = house.visitor().get(f"/move?c={code}")
            assert page.headers["Referrer-Policy"] == "no-referrer"
            assert page.headers.get("Set-Cookie") is None
        other = house.visitor().get("/move?c=00000000").text.replace("00000000", code)
        mask = re.compile(r'"[0-9a-f]{32}"')
        assert mask.sub("", other) == mask.sub("", page.text)
    assert laptop.submit(laptop.get(f"/move?c={code}"), "/move").status == 303
    assert page_of(laptop) == page_of(phone)


def test_the_picture_leads_to_a_page_with_a_button(house: House) -> None:
    phone = house.visitor()
    phone.start("rps")
    code = code_of(phone)
    page = phone.get("/me/code")
    assert f'aria-label="QR: http://localhost/move?c={code.replace("-", "")}"' in page.text


def test_a_code_says_for_how_many_minutes_it_works(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = house.visitor()
    phone.start("rps")
    now = house.referee.now()
    monkeypatch.setattr(house.referee, "now", lambda: now)
    code_of(phone)
    for later, minutes in (1, "10 minutes"), (271, "5 minutes"), (595, "1 minute"):
        monkeypatch.setattr(house.referee, "now", lambda later=later: now + later)
        assert f"It works once, for {minutes}." in phone.get("/me/code").words


def test_a_code_ends_with_its_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = house.visitor()
    phone.start("rps")
    code = code_of(phone)
    now = house.referee.now()
    monkeypatch.setattr(house.referee, "now", lambda: now + 601)
    assert token(take(house.visitor(), code)) == "who.wrong_code"
    assert code not in phone.get("/me/code").text


def test_the_sixth_wrong_code_is_not_even_looked_at(open_house: OpenHouse) -> None:
    house = open_house()
    phone = house.visitor()
    phone.start("rps")
    code, guesser = code_of(phone), house.visitor()
    for number in range(5):
        assert take(guesser, f"{number:08}").status == 403
    refused = take(guesser, code)
    assert (refused.status, token(refused)) == (429, "web.too_fast")
    assert take(house.visitor(), code).status == 303


@pytest.mark.parametrize("typed", ["", "x", "U" * 8, "0" * 5000, "\0" * 8, "€" * 8, "' OR 1=1"])
def test_what_is_no_code_is_refused_like_a_wrong_one(house: House, typed: str) -> None:
    who = house.visitor()
    form = who.get("/move").form("/move")
    with house.unchanged():
        refused = who.post("/move", form.filled(c=typed))
    assert (refused.status, token(refused)) == (403, "who.wrong_code")


# -- my devices -----------------------------------------------------------------------------------


def test_each_device_is_listed_and_can_be_signed_out(house: House) -> None:
    phone, laptop, tablet = (house.visitor() for _ in range(3))
    phone.start("rps")
    code = code_of(phone)
    page = laptop.get("/move")
    fields = page.form("/move").filled(c=code)
    assert laptop.post("/move", fields, User_Agent=FIREFOX).status == 303
    take(tablet, code_of(phone))
    page = phone.get("/me/devices")
    assert "Firefox, Linux" in page.words
    assert page.words.count("(this one)") == 1
    [that] = [
        form
        for form in page.forms
        if any(
            device.name == "Firefox, Linux" and ("device", device.id) in form.fields
            for device in of(house, phone)
        )
    ]
    assert phone.post("/me/devices", that.filled()).status == 303
    assert page_of(laptop) == ""
    assert page_of(tablet) == page_of(phone)
    gone = phone.post("/me/devices", that.filled())
    assert (gone.status, token(gone)) == (409, "who.no_device")
    others = next(form for form in phone.get("/me/devices").forms if ("device", "others") in form.fields)
    assert phone.post("/me/devices", others.filled()).status == 303
    assert page_of(tablet) == ""
    assert page_of(phone) != ""


def of(house: House, who: Local) -> list:
    public = page_of(who).removeprefix("/p/")
    return house.store.accounts.devices(house.store.accounts.person(public).id)


def test_nobody_signs_out_anothers_device(house: House) -> None:
    ann, mallory = house.visitor(), house.visitor()
    ann.start("rps")
    mallory.start("rps")
    [device] = of(house, ann)
    refused = mallory.post("/me/devices", [("key", "k" * 32), ("device", device.id)])
    assert token(refused) == "who.no_device"
    assert page_of(ann) != ""


def test_signed_out_everywhere_is_signed_out_here(house: House) -> None:
    here, there = house.visitor(), house.visitor()
    sign_up(here, "everywhere")
    sign_in(there, "everywhere")
    everywhere = next(form for form in here.get("/me/devices").forms if ("device", "all") in form.fields)
    cookie = session(here)
    assert here.post("/me/devices", everywhere.filled()).status == 303
    assert page_of(here) == page_of(there) == page_of(planted(house, cookie)) == ""


def test_the_form_that_made_a_guest_makes_nobody_them_once_they_have_signed_out(house: House) -> None:
    table, guest = house.visitor().start("strifebarge", seats="3").table, house.visitor()
    page = guest.get(table)
    guest.submit(page, "/join", name="Ann")
    assert "Ann (you)" in guest.get(table).words
    second = house.visitor()
    assert second.submit(page, "/join", name="Ann").status == 303  # whose first answer got lost
    assert "Ann (you)" in second.get(table).words
    guest.submit(guest.get("/me/out"), "/me/out")
    next_one = house.visitor()
    assert token(next_one.submit(page, "/join", name="Ann")) == "table.key_reused"
    assert "(you)" not in next_one.get(table).words
    assert not next_one.cookies


def test_a_guest_is_warned_before_they_sign_out(house: House) -> None:
    guest, member = house.visitor(), house.visitor()
    guest.start("rps")
    sign_up(member, "unwarned")
    assert "you lose your seats" in guest.get("/me/out").words
    assert "you lose your seats" not in member.get("/me/out").words
    cookie = session(guest)
    assert guest.submit(guest.get("/me/out"), "/me/out").status == 303
    assert page_of(guest) == page_of(planted(house, cookie)) == ""


def test_the_day_somebody_was_last_here_is_kept_by_what_they_do_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = house.visitor()
    who.start("rps")
    now = house.referee.now()
    monkeypatch.setattr(house.referee, "now", lambda: now + 2 * 86400)
    with house.unchanged():
        who.get("/me/devices")
    who.post("/prefer/theme", [("theme", "dark"), ("back", "/")])
    [device] = of(house, who)
    assert device.last_seen == now + 2 * 86400
    with house.unchanged():
        who.post("/prefer/theme", [("theme", "dark"), ("back", "/")])
