"""The same person in another browser, by name and password; and never anybody else."""

import base64
import re

import pytest

from strifebarge.lib import hashing as kept
from strifebarge.tables.model.ports import Busy
from tests.web.house import House, OpenHouse, token
from tests.web.markup import must_be_sound
from tests.web.signing import (
    PASSWORD,
    code_of,
    new_password,
    page_of,
    planted,
    session,
    sign_in,
    sign_up,
    tables,
    take,
)
from tests.web.site.test_states import saving

PAGES = (
    "/me",
    "/me/account",
    "/me/devices",
    "/me/code",
    "/me/erase",
    "/me/out",
    "/sign-in",
    "/move",
    "/erased",
)


# -- the pages ------------------------------------------------------------------------------


def test_every_page_is_sound_for_strangers_guests_and_those_with_an_account(house: House) -> None:
    stranger, guest, member = (house.visitor() for _ in range(3))
    guest.start("rps", name="Gus")
    sign_up(member, "pages.member")
    code_of(guest)
    for who in (stranger, guest, member):
        with house.unchanged():
            for path in PAGES:
                page = who.get(path)
                must_be_sound(page)
                assert page.status == 200 or (who is stranger and token(page) == "who.not_known"), path
                assert page.headers["Cache-Control"] == "no-store"
    assert "/me" in stranger.get("/").seen.links


def test_no_script_is_on_any_page_but_those_that_ask_for_a_passkey(house: House) -> None:
    who = house.visitor()
    who.start("rps")
    for path in ("/", "/games", *PAGES):
        scripts = [link for link in who.get(path).seen.links if "passkey" in link]
        assert bool(scripts) is (path in ("/me/account", "/sign-in")), path


def test_what_is_saved_is_shown_and_nothing_taken_while_the_site_saves_space(open_house: OpenHouse) -> None:
    house = open_house()
    who = house.visitor()
    sign_up(who, "ann")
    page = who.get("/sign-in")
    house.app.extensions["settings"] = saving(house)
    with house.unchanged():
        assert who.submit(page, "/sign-in", login="ann", password=PASSWORD).status == 503
        assert who.get("/me/data.json").status == 200


# -- an account ---------------------------------------------------------------------------------


def test_a_guest_makes_an_account_and_is_the_same_person_anywhere(house: House) -> None:
    phone, laptop = house.visitor(), house.visitor()
    table = phone.start("strifebarge", name="Ann").table
    phone.post("/prefer/lang", [("lang", "de"), ("back", "/")])
    phone.post("/prefer/theme", [("theme", "dark"), ("back", "/")])
    phone.post("/prefer/view", [("view", "text"), ("back", "/")])
    assert sign_up(phone, "Ann.First").status == 303
    assert sign_in(laptop, "ann.first").status == 303
    assert table in tables(laptop)
    assert page_of(laptop) == page_of(phone) != ""
    page = laptop.get("/")
    assert '<html lang="de" dir="ltr" data-theme="dark">' in page.text
    laptop.post("/prefer/lang", [("lang", "en"), ("back", "/")])
    assert 'lang="en"' in laptop.get("/").text
    assert 'lang="de"' in phone.get("/").text  # where it was chosen
    laptop.get(f"{table}?view=board")
    assert 'name="view" value="" aria-pressed="true"' in laptop.get("/about").text


def test_a_stranger_can_make_one_too_and_a_form_sent_twice_makes_one(house: House) -> None:
    who = house.visitor()
    page = who.get("/me/account")
    fields = page.form("/me/account").filled(login="stranger", password=PASSWORD, again=PASSWORD)
    first, again = house.visitor(), house.visitor()
    assert [each.post("/me/account", fields).status for each in (first, again)] == [303, 303]
    assert page_of(first) == page_of(again) != ""
    assert first.post("/me/account", fields).status == 303


@pytest.mark.parametrize(
    ("changed", "status", "why"),
    [
        ({"login": "x"}, 422, "who.wrong_login"),
        ({"login": "administrator"}, 422, "table.reserved_name"),
        ({"login": "TAKEN", "password": "their whale", "again": "their whale"}, 409, "who.login_taken"),
        ({"password": "short"}, 422, "who.not_alike"),
        ({"password": "short", "again": "short"}, 422, "who.weak"),
        ({"password": "password", "again": "password"}, 422, "who.common"),
        ({"password": "x" * 201, "again": "x" * 201}, 422, "who.too_long"),
        ({"again": None}, 422, "who.not_alike"),
        ({"key": ""}, 422, "table.no_key"),
    ],
)
def test_an_account_that_cannot_be_makes_nobody(
    house: House, changed: dict[str, str], status: int, why: str
) -> None:
    if not can_sign_in(house, "taken"):
        sign_up(house.visitor(), "taken")
    who = house.visitor()
    form = who.get("/me/account").form("/me/account")
    fields = {"login": "fresh", "password": PASSWORD, "again": PASSWORD} | changed
    with house.unchanged():
        refused = who.post("/me/account", form.filled(**fields))
    assert (refused.status, token(refused)) == (status, why)
    assert PASSWORD not in refused.text
    assert session(who) == ""


def can_sign_in(house: House, login: str) -> bool:
    return house.store.accounts.account(login) is not None


def test_there_is_one_account_to_a_person(house: House) -> None:
    who = house.visitor()
    sign_up(who, "only.one")
    page = who.get("/me/account")
    assert page.form("/me/password")
    fields = [("key", "k" * 32), ("login", "another"), ("password", PASSWORD), ("again", PASSWORD)]
    refused = who.post("/me/account", fields)
    assert (refused.status, token(refused)) == (409, "who.has_account")


# -- nobody learns or guesses -----------------------------------------------------------------


def test_what_was_wrong_is_not_said_nor_seen(house: House) -> None:
    sign_up(house.visitor(), "enumerated")
    answers = []
    for login in ("enumerated", "enumarated"):
        who = house.visitor()
        answer = sign_in(who, login, "wrong whale in it")
        assert (answer.status, token(answer)) == (403, "who.wrong_sign_in")
        assert session(who) == ""
        body = re.sub(r'"[0-9a-f]{32}"|data-passkey="[^"]*"|name="challenge" value="[^"]*"', "", answer.text)
        answers.append(body.replace(login, "…"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("login", ["timed", "nobody", "", "x" * 5000, "no name at all", "\0", "タイマー"])
def test_whoever_it_is_one_password_is_reckoned(
    house: House, monkeypatch: pytest.MonkeyPatch, login: str
) -> None:
    """The time that takes is nearly all of the answer's."""
    if not can_sign_in(house, "timed"):
        sign_up(house.visitor(), "timed")
    kept.verify_secret("x", None)
    reckoned = []
    whole = kept.HASHER.verify

    class Counting:
        def verify(self, hash: str, password: str) -> bool:
            reckoned.append(hash.rpartition("$")[0].rpartition("$")[0])
            return whole(hash, password)

    monkeypatch.setattr(kept, "HASHER", Counting())
    who = house.visitor()
    form = who.get("/sign-in").form("/sign-in")
    assert who.post("/sign-in", form.filled(login=login, password="wrong whale")).status == 403
    assert reckoned == ["$argon2id$v=19$m=19456,t=2,p=1"]


def test_one_address_may_try_only_so_often_and_others_go_on(open_house: OpenHouse) -> None:
    house = open_house(limit_sign_in=5)
    sign_up(house.visitor(), "ann")
    guesser, other = house.visitor(), house.visitor()
    for number in range(5):
        assert sign_in(guesser, f"name{number}", "wrong whale").status == 403
    refused = sign_in(guesser, "ann")
    assert (refused.status, token(refused)) == (429, "web.too_fast")
    assert refused.headers["Retry-After"]
    assert sign_in(other, "ann").status == 303


def guess(house: House, login: str, times: int) -> list[int]:
    """Wrong passwords, each from another address; the statuses of the answers."""
    return [sign_in(house.visitor(), login, "wrong whale").status for _ in range(times)]


def test_ten_wrong_guesses_from_anywhere_lock_nobody_out(open_house: OpenHouse) -> None:
    house = open_house()
    sign_up(house.visitor(), "ann")
    assert guess(house, " Ann", 10) == [403] * 10
    guesser = house.visitor()
    assert [sign_in(guesser, "ann", "wrong whale").status for _ in range(10)] == [403] * 10
    assert sign_in(guesser, "ann").status == 429
    assert sign_in(house.visitor(), "ann").status == 303


def test_one_name_is_not_tried_from_many_addresses_for_long(open_house: OpenHouse) -> None:
    house = open_house(limit_sign_in=2)
    ann = house.visitor()
    sign_up(ann, "ann")
    code = code_of(ann)
    assert guess(house, "ann", 25) == [403] * 20 + [429] * 5
    refused = sign_in(house.visitor(), "ann")
    assert (refused.status, token(refused)) == (429, "who.guarded")
    assert "60 minutes" in refused.words
    assert int(refused.headers["Retry-After"]) > 3500
    assert sign_in(house.visitor(), "beth", "wrong whale").status == 403
    assert take(house.visitor(), code).status == 303  # who is kept out so has another way in
    assert ann.get("/me/devices").status == 200


def test_the_right_password_opens_where_one_is_known_whatever_others_try(open_house: OpenHouse) -> None:
    house = open_house(limit_sign_in=2)
    ann, other = house.visitor(), house.visitor()
    sign_up(ann, "ann")
    sign_up(other, "beth")
    for who in (ann, other):
        assert who.submit(who.get("/me/out"), "/me/out").status == 303
    assert session(ann) == ""
    neighbour = house.visitor(ann.address)
    tried = [sign_in(neighbour, f"name{number}", "wrong whale").status for number in range(3)]
    assert tried[-1] == 429
    guess(house, "ann", 20)
    assert sign_in(other, "ann").status == 429  # a browser that is known for another name
    assert sign_in(ann, "ann", "wrong whale").status == 403
    assert sign_in(ann, "ANN").status == 303
    ann.submit(ann.get("/me/out"), "/me/out")
    refused = sign_in(ann, "ann", "wrong whale")
    assert (refused.status, token(refused)) == (429, "web.too_fast")  # nobody guesses for long there either


@pytest.mark.parametrize("secure", [False, True])
def test_the_cookie_of_a_known_browser_tells_no_name_and_opens_nothing(
    open_house: OpenHouse, secure: bool
) -> None:
    house = open_house(secure=secure)
    ann = house.visitor()
    answer = sign_up(ann, "ann.elk")
    [line] = [each for each in answer.headers.get_all("Set-Cookie") if "known=" in each]
    assert line.startswith("__Host-known=" if secure else "known=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(re.split("; *", line))
    assert ("Secure" in line) is secure
    name, _, value = line.partition(";")[0].partition("=")
    assert "elk" not in str(base64.urlsafe_b64decode(value.split(".")[0] + "=="))
    thief = house.visitor()
    thief.cookies[name] = value
    assert page_of(thief) == ""
    assert sign_in(thief, "ann.elk", "wrong whale").status == 403


@pytest.mark.parametrize("planted", ["", "x", "a.b.c", "W10.x.y", "x" * 5000, "\udcff"])
def test_no_browser_is_known_by_a_cookie_that_is_not_ours(open_house: OpenHouse, planted: str) -> None:
    house = open_house(limit_sign_in=1)
    sign_up(house.visitor(), "ann")
    guess(house, "ann", 10)
    who = house.visitor()
    form = who.get("/sign-in").form("/sign-in")
    who.cookies["known"] = planted.encode("utf-8", "surrogateescape").decode("latin-1")
    assert who.post("/sign-in", form.filled(login="ann", password=PASSWORD)).status == 429


def test_names_that_nobody_has_are_guarded_alike(open_house: OpenHouse) -> None:
    house = open_house(limit_sign_in=1)
    sign_up(house.visitor(), "ann")
    answers = {}
    for login in ("ann", "nobody"):
        guess(house, login, 10)
        refused = sign_in(house.visitor(), login)
        answers[login] = refused.status, refused.lasting_words
    assert answers["ann"] == answers["nobody"]


def test_a_password_is_nowhere_but_in_its_hash(house: House) -> None:
    who = house.visitor()
    sign_up(who, "hashed.only", "a secret whale 77")
    sign_in(house.visitor(), "hashed.only", "a secret whale 77")
    assert "a secret whale 77" not in str(house.kept())
    assert "argon2id" in str(house.kept()["accounts"])


def test_a_password_is_on_no_page_even_where_the_same_form_is_offered_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        raise Busy

    who = house.visitor()
    page = who.get("/sign-in")
    monkeypatch.setattr(house.app.extensions["services"].accounts, "sign_in", busy)
    answer = who.submit(page, "/sign-in", login="ann", password=PASSWORD)
    assert answer.status == 503
    assert PASSWORD not in answer.text
    assert "/sign-in?" in answer.seen.links
    for path in ("/me/password", "/.well-known/change-password"):
        assert who.follow(who.get(path)).path == "/me/account"


# -- sessions -----------------------------------------------------------------------------------


def test_a_session_that_somebody_planted_gains_them_nothing(house: House) -> None:
    ann, mallory, victim = (house.visitor() for _ in range(3))
    ann.start("rps")
    sign_up(ann, "fixated")
    mallory.start("eights")
    cookie = session(mallory)
    for way in ("password", "code"):
        victim = planted(house, cookie)
        code = code_of(ann)
        assert (sign_in(victim, "fixated") if way == "password" else take(victim, code)).status == 303
        assert session(victim) != cookie
        assert page_of(victim) == page_of(ann)
        assert page_of(planted(house, cookie)) == ""
        invented = planted(house, "x" * 43)
        assert sign_in(invented, "fixated").status == 303
        assert session(invented) != "x" * 43
        assert page_of(planted(house, "x" * 43)) == ""


def test_a_new_password_ends_all_other_sessions_and_renews_this_one(house: House) -> None:
    here, there, stolen = (house.visitor() for _ in range(3))
    sign_up(here, "changing")
    sign_in(there, "changing")
    stolen.cookies = dict(here.cookies)
    assert page_of(stolen) == page_of(there) == page_of(here)
    page = here.get("/me/account")
    fields = page.form("/me/password").filled(
        before=PASSWORD, password="another whale", again="another whale"
    )
    assert here.post("/me/password", fields).status == 303
    assert page_of(there) == page_of(stolen) == ""
    assert page_of(here) != ""
    assert here.post("/me/password", fields).status == 303  # the same form once more
    assert sign_in(there, "changing").status == 403
    assert sign_in(there, "changing", "another whale").status == 303


def test_only_who_knows_the_old_password_sets_a_new_one(house: House) -> None:
    here, there = house.visitor(), house.visitor()
    sign_up(here, "careful")
    sign_in(there, "careful")
    with house.unchanged():
        refused = new_password(here, "wrong whale", "another whale")
        assert (refused.status, token(refused)) == (403, "who.wrong_password")
        assert token(new_password(here, PASSWORD, "short")) == "who.weak"
        nobody = house.visitor().post("/me/password", [("key", "k" * 32)])
        assert (nobody.status, token(nobody)) == (403, "who.not_known")
    assert page_of(there) != ""
