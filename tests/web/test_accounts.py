"""The same person in another browser: by name and password, or by a code; and never anybody else."""

import json
import re
from collections.abc import Callable

import pytest

from strifebarge.table import password as kept
from strifebarge.table.ports import Busy
from tests.support.visitor import Local, Page
from tests.web.house import House, token
from tests.web.markup import must_be_sound
from tests.web.test_states import saving

PASSWORD = "blue whale in the bath"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
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
OpenHouse = Callable[..., House]


def sign_up(who: Local, login: str, secret: str = PASSWORD) -> Page:
    page = who.get("/me/account")
    return who.submit(page, "/me/account", login=login, password=secret, again=secret)


def sign_in(who: Local, login: str, secret: str = PASSWORD, **more: str) -> Page:
    return who.submit(who.get("/sign-in"), "/sign-in", login=login, password=secret, **more)


def new_password(who: Local, before: str, after: str) -> Page:
    return who.submit(who.get("/me/account"), "/me/password", before=before, password=after, again=after)


def code_of(who: Local) -> str:
    """A code for another device, as it is shown."""
    page = who.follow(who.submit(who.get("/me/code"), "/me/code"))
    return re.search(r'class="spoken">([^<]+)<', page.text)[1]


def take(who: Local, code: str, **more: str) -> Page:
    return who.submit(who.get("/move"), "/move", c=code, **more)


def tables(who: Local) -> set[str]:
    return {link for link in who.get("/games").seen.links if link.startswith("/g/")}


def page_of(who: Local) -> str:
    """The address that others know them by; "" of nobody."""
    found = re.search(r'href="(/p/[0-9a-f]{16})"', who.follow(who.get("/p/me")).text)
    return found[1] if found else ""


def session(who: Local) -> str:
    return who.cookies.get("sb", "")


def planted(house: House, cookie: str) -> Local:
    """A browser with somebody's cookie in it."""
    other = house.visitor()
    other.cookies["sb"] = cookie
    return other


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
    if not known(house, "taken"):
        sign_up(house.visitor(), "taken")
    who = house.visitor()
    form = who.get("/me/account").form("/me/account")
    fields = {"login": "fresh", "password": PASSWORD, "again": PASSWORD} | changed
    with house.unchanged():
        refused = who.post("/me/account", form.filled(**fields))
    assert (refused.status, token(refused)) == (status, why)
    assert PASSWORD not in refused.text
    assert session(who) == ""


def known(house: House, login: str) -> bool:
    return house.referee.store.account(login) is not None


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
    if not known(house, "timed"):
        sign_up(house.visitor(), "timed")
    kept.holds("x", None)
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


def test_one_name_is_not_tried_from_many_addresses_either(open_house: OpenHouse) -> None:
    house = open_house(limit_sign_in=5)
    ann = house.visitor()
    sign_up(ann, "ann")
    code = code_of(ann)
    for _ in range(4):  # to make the account was one
        assert sign_in(house.visitor(), " Ann", "wrong whale").status == 403
    assert sign_in(house.visitor(), "ann").status == 429
    assert sign_in(house.visitor(), "beth", "wrong whale").status == 403
    assert take(house.visitor(), code).status == 303  # who is kept out so has another way in
    assert ann.get("/me/devices").status == 200


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
    monkeypatch.setattr(house.referee, "sign_in", busy)
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
        made_up = planted(house, "x" * 43)
        assert sign_in(made_up, "fixated").status == 303
        assert session(made_up) != "x" * 43
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


def test_a_session_from_before_there_were_devices_is_one_and_can_be_ended(house: House) -> None:
    from sqlalchemy import text

    who = house.visitor()
    who.start("rps")
    with house.app.test_request_context(headers={"Cookie": f"sb={session(who)}"}):
        store = house.app.session_interface.cache
        data = store.get(house.app.session_interface.key_prefix + session(who))
        player = data["p"]
        del data["d"]
        store.set(house.app.session_interface.key_prefix + session(who), data)
    with house.engine.begin() as connection:
        public = connection.scalar(text("SELECT public FROM players WHERE id = :id"), {"id": player})
        values = {"new": public, "who": player}
        connection.execute(text("UPDATE devices SET id = :new WHERE player = :who"), values)
    assert page_of(who) != ""
    other = house.visitor()
    take(other, code_of(who))
    page = other.get("/me/devices")
    form = next(each for each in page.forms if ("device", public) in each.fields)
    assert other.post("/me/devices", form.filled()).status == 303
    assert page_of(who) == ""


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
    return house.referee.store.devices(house.referee.store.person(public).id)


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


def test_a_guest_is_warned_before_they_sign_out(house: House) -> None:
    guest, member = house.visitor(), house.visitor()
    guest.start("rps")
    sign_up(member, "unwarned")
    assert "nobody can give you your seats back" in guest.get("/me/out").words
    assert "nobody can give you your seats back" not in member.get("/me/out").words
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
    assert device.seen == now + 2 * 86400
    with house.unchanged():
        who.post("/prefer/theme", [("theme", "dark"), ("back", "/")])


@pytest.mark.redis
def test_devices_are_signed_out_where_redis_keeps_the_sessions(open_house: OpenHouse, redis_url: str) -> None:
    house = open_house(redis_url=redis_url)
    here, there = house.visitor(), house.visitor()
    sign_up(here, "in.redis")
    sign_in(there, "in.redis")
    assert new_password(here, PASSWORD, "another whale").status == 303
    assert page_of(there) == ""
    assert page_of(here) != ""
    take(there, code_of(here))
    others = next(form for form in here.get("/me/devices").forms if ("device", "others") in form.fields)
    here.post("/me/devices", others.filled())
    assert page_of(there) == ""
    assert here.submit(here.get("/me/out"), "/me/out").status == 303
    assert page_of(here) == ""


# -- a guest turns out to be somebody ----------------------------------------------------------------


def test_what_a_guest_has_played_is_theirs_when_they_sign_in(house: House) -> None:
    member, friend = house.visitor(), house.visitor()
    mine = member.start("rps").table
    sign_up(member, "coming.back")
    guest = house.visitor()
    played = guest.start("rps", seats="2").table
    friend.join(played)
    guest.move(played, "throw rock")
    cookie = session(guest)
    assert "comes along" in guest.get("/sign-in").words
    assert sign_in(guest, "coming.back").status == 303
    assert tables(guest) == tables(member) == {mine, played}
    assert page_of(planted(house, cookie)) == ""
    friend.move(played, "throw scissors")
    assert member.get(played).over
    assert "(you)" in member.get(played).words


@pytest.mark.parametrize("way", ["password", "code"])
def test_where_both_sit_at_one_table_nothing_is_done_unless_it_shall_be_left(house: House, way: str) -> None:
    member, guest = house.visitor(), house.visitor()
    table = member.start("rps", seats="2").table
    sign_up(member, f"twice.{way}")
    guest.join(table)
    alone = guest.start("eights").table
    code = code_of(member)

    def enter(**more: str) -> Page:
        return sign_in(guest, f"twice.{way}", **more) if way == "password" else take(guest, code, **more)

    before = house.kept()
    refused = enter()
    assert house.kept() == {**before, "codes": house.kept()["codes"]}
    assert (refused.status, token(refused)) == (409, "who.twice")
    assert tables(guest) == {table, alone}
    ending = "/sign-in" if way == "password" else "/move"
    fields = {"login": f"twice.{way}", "password": PASSWORD} if way == "password" else {"c": code}
    assert guest.submit(refused, ending, leave="yes", **fields).status == 303
    assert page_of(guest) == page_of(member)
    assert tables(guest) == {table}


def test_who_has_an_account_and_signs_in_to_another_changes_and_mixes_nothing(house: House) -> None:
    one, other = house.visitor(), house.visitor()
    first, second = one.start("rps").table, other.start("rps").table
    sign_up(one, "first.account")
    sign_up(other, "second.account")
    assert sign_in(one, "second.account").status == 303
    assert tables(one) == {second}
    assert sign_in(one, "first.account").status == 303
    assert tables(one) == {first}


# -- take it along, or be erased -----------------------------------------------------------------------


def test_my_data_is_all_that_is_mine_and_no_secret_of_anybody(house: House) -> None:
    party = house.fleet()
    mine, theirs = party.players
    sign_up(mine, "my.data")
    for who, words in ((mine, "what I said"), (theirs, "what they said")):
        who.submit(who.get(party.table), "/say", text=words)
        who.submit(who.get(party.table), "/note", note=f"{words} in private")
    party.to_move().move(party.table, "fire A1")
    over = house.thrown("rock", "paper")
    mine.submit(mine.get("/me"), "/me/name", name="Änne")
    page = mine.get("/me/data.json")
    assert page.headers["Content-Type"].startswith("application/json")
    assert "attachment" in page.headers["Content-Disposition"]
    data = json.loads(page.body)
    assert (data["me"]["name"], data["me"]["login"]) == ("Änne", "my.data")
    [table] = data["tables"]
    assert (table["id"], table["my_seats"]) == (party.code, [0])
    assert len(table["log"]) >= 1
    assert [line["text"] for line in data["said"]] == ["what I said"]
    assert [note["text"] for note in data["notes"]] == ["what I said in private"]
    kept_table = house.referee.status(party.code)
    secrets = [kept_table.seed, session(mine), "argon2", "they said in private", over.code]
    secrets += [chair.player for chair in kept_table.chairs]
    assert not [each for each in secrets if each in page.text]
    finished = json.loads(over.players[0].get("/me/data.json").body)["tables"]
    assert finished[0]["record"]["moves"][0]["action"] == {"do": "throw", "hand": "rock"}


def test_erasing_asks_once_more_and_for_the_password(house: House) -> None:
    party = house.fleet()
    mine, theirs = party.players
    mine.submit(mine.get("/me"), "/me/name", name="Zebedee")
    sign_up(mine, "zebedee")
    page = mine.get("/me/erase")
    with house.unchanged():
        assert token(mine.submit(page, "/me/erase", password=PASSWORD)) == "who.not_sure"
        assert (
            token(mine.submit(page, "/me/erase", sure="yes", password="wrong whale")) == "who.wrong_password"
        )
    cookie = session(mine)
    done = mine.submit(page, "/me/erase", sure="yes", password=PASSWORD)
    assert (done.status, done.location) == (303, "/erased")
    assert mine.submit(page, "/me/erase", sure="yes", password=PASSWORD).location == "/erased"
    assert page_of(mine) == page_of(planted(house, cookie)) == ""
    assert "Zebedee" not in str(house.kept())
    assert sign_in(house.visitor(), "zebedee").status == 403
    assert theirs.get(party.table).over
    assert theirs.get(f"{party.table}/at/0").status == 200
    assert sign_up(house.visitor(), "zebedee").status == 303


def test_a_guest_is_erased_too_and_their_record_is_a_former_players(house: House) -> None:
    mine, theirs = house.visitor(), house.visitor()
    table = mine.start("rps", name="Zoe", afterwards="public").table
    theirs.join(table)
    for who, hand in ((mine, "rock"), (theirs, "paper")):
        who.move(table, f"throw {hand}")
    old = page_of(mine)
    assert "Zoe" in theirs.get(old).words
    assert mine.submit(mine.get("/me/erase"), "/me/erase", sure="yes").status == 303
    assert theirs.get(old).status == 404
    record = theirs.get(f"/r/{house.referee.status(table.removeprefix('/g/')).record}")
    assert "Zoe" not in record.words
    assert "Guest Foxtrot" in record.words
    [former] = {link for link in record.seen.links if link.startswith("/p/")} - {page_of(theirs)}
    assert "Former player" in theirs.get(former).words
