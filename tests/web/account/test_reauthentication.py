"""Before what gives lasting access, or cannot be taken back, people prove again who they are."""

import re
from urllib.parse import urlsplit

import pytest

from strifebarge.web.account.passkeys import site as relying_party
from tests.support.passkeys import URL, Passkey, passkey_options
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Wall, token
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
    take,
)

LATER = 601.0  # seconds after which a proof is too old


@pytest.fixture
def site(open_house: OpenHouse) -> House:
    """A site where passkeys can be used and mail can be sent, with a clock that a test may set."""
    house = open_house(public_url=URL, smtp_url="smtp://127.0.0.1:1", secure=False)
    house.referee.now = Wall()  # type: ignore[method-assign]
    return house


def wait(house: House) -> None:
    """Let so much time pass that no proof is good any more."""
    house.referee.now.seconds(LATER)  # type: ignore[attr-defined]


def member(house: House, login: str = "ann") -> Local:
    """Somebody with a password, whose session alone proves nothing any more."""
    who = house.visitor()
    assert sign_up(who, login).status == 303
    wait(house)
    return who


def with_a_passkey(house: House) -> tuple[Local, Passkey]:
    """Somebody with a passkey alone, whose session alone proves nothing any more."""
    who, key = house.visitor(), Passkey.new()
    who.start("rps")
    page = who.get("/me/account")
    credential = key.made(passkey_options(page))
    assert who.submit(page, "/me/passkeys", credential=credential).status == 303
    wait(house)
    return who, key


# The forms that are asked about: the page, the end of the address, and what is filled in.
FORMS = {
    "code": ("/me/code", "/me/code", {}),
    "link": ("/me/link", "/me/link", {}),
    "mail": ("/notices", "/notices/add", {"way": "mail", "place": "ann@example.org"}),
    "feed": ("/notices", "/notices/feed", {}),
}


def ask(who: Local, what: str) -> Page:
    path, ending, fields = FORMS[what]
    page = who.get(path)
    if fields:
        form = next(
            each for each in page.forms if each.action.endswith(ending) and "place" in dict(each.fields)
        )
        return who.post(ending, form.filled(**fields))
    return who.submit(page, ending)


def must_ask(page: Page) -> None:
    assert (page.status, page.token) == (403, "who.prove")
    assert "Confirm it's you" in page.words
    must_be_sound(page)


# -- by password ----------------------------------------------------------------------------


@pytest.mark.parametrize("what", FORMS)
def test_a_session_alone_gets_no_lasting_access_and_a_password_carries_the_form_out(
    site: House, what: str
) -> None:
    who = member(site)
    with site.unchanged():
        question = ask(who, what)
        must_ask(question)
        wrong = who.submit(question, FORMS[what][1], proof="wrong whale")
        assert (wrong.status, token(wrong)) == (403, "who.wrong_password")
        assert "wrong whale" not in wrong.text
    before = session(who)
    done = who.submit(wrong, FORMS[what][1], proof=PASSWORD)
    assert done.status == 303
    assert session(who) != before  # a copy of the session proves nothing
    assert page_of(planted(site, before)) == ""
    text = who.follow(done).text
    assert {"code": "spoken", "link": "/open?t=", "mail": "ann@example.org", "feed": "/feed/"}[what] in text


@pytest.mark.parametrize("what", FORMS)
def test_a_proof_is_good_for_ten_minutes_and_for_this_session_alone(site: House, what: str) -> None:
    who, other = member(site), site.visitor()
    assert sign_in(who, "ann").status == 303
    assert take(other, code_of(who)).status == 303
    assert page_of(other) == page_of(who) != ""
    must_ask(ask(other, what))
    site.referee.now.seconds(LATER - 2)  # type: ignore[attr-defined]
    assert ask(who, what).status == 303
    site.referee.now.seconds(2)  # type: ignore[attr-defined]
    must_ask(ask(who, what))


def test_to_sign_in_to_sign_up_and_a_new_password_are_proofs(site: House) -> None:
    who = site.visitor()
    assert sign_up(who, "ann").status == 303
    assert ask(who, "code").status == 303
    wait(site)
    assert new_password(who, PASSWORD, "another whale").status == 303
    assert ask(who, "code").status == 303
    wait(site)
    before = session(who)
    assert sign_in(who, "ann", "another whale").status == 303  # who is signed in already
    assert session(who) != before
    assert ask(who, "code").status == 303


def test_guesses_of_ones_own_password_are_limited_and_hold_up_nobody_else(site: House) -> None:
    who, other = member(site), site.visitor(None)
    other.address = who.address
    question = ask(who, "code")
    answers = [who.submit(question, "/me/code", proof="wrong whale").status for _ in range(11)]
    assert answers == [403] * 10 + [429]
    assert who.submit(question, "/me/code", proof=PASSWORD).status == 429
    assert sign_in(other, "ann").status == 303
    assert ask(other, "code").status == 303


def test_a_link_that_is_there_is_not_shown_to_a_session_alone(site: House) -> None:
    who = site.visitor()
    sign_up(who, "ann")
    link = who.follow(ask(who, "link")).seen.ids["link"]["value"]
    wait(site)
    page = who.get("/me/link")
    must_be_sound(page)
    assert link not in page.text
    assert "/me/confirm?to=link" in page.seen.links
    question = who.get("/me/confirm?to=link")
    must_be_sound(question)
    shown = who.follow(who.submit(question, "/me/confirm", proof=PASSWORD))
    assert shown.path == "/me/link"
    assert shown.seen.ids["link"]["value"] == link
    wait(site)
    assert who.post("/me/link", who.get("/me/link").form("/me/link").filled(link="no")).status == 303
    assert site.visitor().get(f"/open?{urlsplit(link).query}").status == 410  # to end it was not asked about


@pytest.mark.parametrize("which", ["others", "all", "one"])
def test_a_session_alone_signs_out_no_other(site: House, which: str) -> None:
    owner, who = site.visitor(), site.visitor()
    sign_up(owner, "ann")
    take(who, code_of(owner))
    page = who.get("/me/devices")
    named = {dict(form.fields).get("device"): form for form in page.forms}
    [other] = {id for id in named if id not in (None, "others", "all")} - {this_device(who)}
    fields = named[other if which == "one" else which].filled()
    with site.unchanged():
        question = who.post("/me/devices", fields)
        must_ask(question)
    assert page_of(owner) != ""
    assert who.submit(question, "/me/devices", proof=PASSWORD).status == 303
    assert page_of(owner) == ""


def this_device(who: Local) -> str:
    """The id of somebody's own browser, which has a link where the others have a button."""
    own = [each for each in who.get("/me/devices").forms if "device" in each and not each.buttons]
    return own[0]["device"]


def test_what_is_kept_is_handed_out_after_a_proof_alone(site: House) -> None:
    who = member(site)
    question = who.follow(who.get("/me/data.json"))
    assert question.path == "/me/confirm?to=data"
    assert "login" not in question.text.partition("<form")[0]
    sent = who.submit(question, "/me/confirm", proof=PASSWORD)
    data = who.follow(sent)
    assert (data.path, data.status) == ("/me/data.json", 200)
    assert '"login": "ann"' in data.text


def test_passkeys_are_made_and_removed_after_a_proof_alone(site: House) -> None:
    who, first, second = member(site), Passkey.new(), Passkey.new()
    page = who.get("/me/account")
    must_be_sound(page)
    assert not page.has_form("/me/passkeys")
    page = who.follow(who.submit(who.get("/me/confirm?to=account"), "/me/confirm", proof=PASSWORD))
    assert page.path == "/me/account"
    options = passkey_options(page)
    assert who.submit(page, "/me/passkeys", credential=first.made(options)).status == 303
    page = who.get("/me/account")
    credential = second.made(passkey_options(page))
    wait(site)
    with site.unchanged():
        must_ask(who.submit(page, "/me/passkeys", credential=credential))
        must_ask(who.submit(question_of(who), "/me/passkeys/remove"))
    question = question_of(who)
    assert "You can still sign in with your username and password." in question.words
    answer = who.submit(question, "/me/passkeys/remove")
    assert who.submit(answer, "/me/passkeys/remove", proof=PASSWORD).status == 303
    assert who.follow(who.get(question.path)).path == "/me/account"  # it is gone
    assert "/me/passkeys/remove" not in who.get("/me/account").text


def question_of(who: Local, number: int = 0) -> Page:
    """The page that asks before a passkey is removed."""
    links = [link for link in who.get("/me/account").seen.links if "/me/passkeys/remove" in link]
    question = who.get(links[number])
    must_be_sound(question)
    return question


def test_passkeys_made_at_once_have_different_names_and_the_last_one_is_asked_about(site: House) -> None:
    who = site.visitor()
    who.start("rps")
    for _ in range(3):
        page = who.get("/me/account")
        credential = Passkey.new().made(passkey_options(page))
        assert who.submit(page, "/me/passkeys", credential=credential).status == 303
    names = re.findall(r'<span class="who">([^<]+)</span>', who.get("/me/account").text)
    assert len({*names}) == len(names) == 3
    for left in (2, 1):
        question = question_of(who)
        assert f"You can still sign in with {left} other passkey" in question.words
        assert who.submit(question, "/me/passkeys/remove").status == 303
    question = question_of(who)
    assert "Without it you're a guest" in question.words
    assert question.text.count("btn danger") == 1
    assert len(site.kept_of("passkeys")) == 1


# -- by passkey -----------------------------------------------------------------------------


def test_a_passkey_says_whether_it_was_used(site: House) -> None:
    who, key = with_a_passkey(site)
    assert "never used" in who.get("/me/account").words
    question = ask(who, "code")
    signed = key.signed(passkey_options(question), 1)
    assert who.submit(question, "/me/code", proof_credential=signed).status == 303
    words = who.get("/me/account").words
    assert "never used" not in words
    assert "last used on" in words


@pytest.mark.parametrize("what", FORMS)
def test_who_has_a_passkey_alone_is_asked_for_that(site: House, what: str) -> None:
    who, key = with_a_passkey(site)
    question = ask(who, what)
    must_ask(question)
    assert "proof" not in [each.get("name") for form in question.forms for each in form.inputs]
    assert "Please turn on JavaScript" in question.words
    signed = key.signed(passkey_options(question), 1)
    assert who.submit(question, FORMS[what][1], proof_credential=signed).status == 303
    wait(site)
    question = ask(who, what)
    options = passkey_options(question)
    for wrong in (Passkey.new().signed(options, 1), "{}", signed):
        refused = who.submit(question, FORMS[what][1], proof_credential=wrong)
        assert (refused.status, token(refused)) == (403, "who.wrong_passkey")


def test_the_passkey_of_somebody_else_and_one_for_signing_in_prove_nothing(site: House) -> None:
    (ann, key), (_, other) = with_a_passkey(site), with_a_passkey(site)
    question = ask(ann, "code")
    keys, forged = site.kept_of("passkeys"), other.signed(passkey_options(question), 1)
    assert ann.submit(question, "/me/code", proof_credential=forged).status == 403
    assert site.kept_of("passkeys") == keys
    page = ann.get("/sign-in")
    signed = key.signed(passkey_options(page), 1)
    challenge = page.form("/sign-in/passkey")["challenge"]
    question = ask(ann, "code")
    refused = ann.submit(question, "/me/code", proof_challenge=challenge, proof_credential=signed)
    assert token(refused) == "who.wrong_passkey"


def test_who_has_a_passkey_alone_is_asked_before_a_password_and_the_end(
    site: House,
) -> None:
    who, key = with_a_passkey(site)
    fields = {"login": "ann", "password": PASSWORD, "again": PASSWORD}
    with site.unchanged():
        question = who.submit(who.get("/me/account"), "/me/account", **fields)
        must_ask(question)
        assert PASSWORD not in question.text
    question = who.submit(who.get("/me/erase"), "/me/erase", sure="yes")
    must_ask(question)
    gone = who.submit(question, "/me/erase", proof_credential=key.signed(passkey_options(question), 1))
    assert who.follow(gone).path == "/erased"
    assert page_of(who) == ""


def test_signing_in_by_passkey_is_a_proof(site: House) -> None:
    who, key = with_a_passkey(site)
    page = who.get("/sign-in")
    answer = who.submit(page, "/sign-in/passkey", credential=key.signed(passkey_options(page), 1))
    assert answer.status == 303
    assert ask(who, "link").status == 303


def test_passkeys_are_for_the_host_as_browsers_write_it(open_house: OpenHouse) -> None:
    app = open_house().app
    with app.test_request_context("/", base_url="https://xn--mller-kva.example:443"):
        assert relying_party() == ("xn--mller-kva.example", "https://xn--mller-kva.example")


def test_where_passkeys_cannot_be_used_the_page_says_so(open_house: OpenHouse, site: House) -> None:
    who, _ = with_a_passkey(site)
    site.app.extensions["settings"] = open_house(public_url="https://192.0.2.7").app.extensions["settings"]
    question = ask(who, "code")
    must_ask(question)
    assert "passkeys don't work at this address" in question.words


# -- by nothing -------------------------------------------------------------------------------


def test_a_guest_is_told_that_nothing_can_be_asked(site: House) -> None:
    guest = site.visitor()
    guest.start("rps")
    for path in ("/me/code", "/me/link"):
        assert "anyone who uses this browser can do this" in guest.get(path).words
        assert guest.submit(guest.get(path), path).status == 303
    assert guest.follow(guest.get("/me/confirm?to=data")).status == 200
    who = member(site)
    assert "anyone who uses this browser can do this" not in who.get("/me/code").words


@pytest.mark.parametrize("to", ["", "nowhere", "https://example.com", "/me/erase", "\0", "data"])
def test_a_proof_leads_to_pages_of_ours_alone(site: House, to: str) -> None:
    who = member(site)
    answer = who.submit(who.get("/me/confirm"), "/me/confirm", proof=PASSWORD, to=to)
    assert answer.location == ("/me/data.json" if to == "data" else "/me")
    stranger = site.visitor()
    assert stranger.get("/me/confirm").status == 403


def test_the_form_that_comes_with_the_question_is_the_one_that_was_sent(site: House) -> None:
    who = member(site)
    odd = {"way": "mail", "place": '"><script>alert(1)</script>@example.org', "more": "1"}
    fields = [("key", "k" * 32), *odd.items(), ("more", "2"), ("password", "secret"), ("proof", "")]
    question = who.post("/notices/add", fields)
    must_ask(question)
    form = question.form("/notices/add")
    carried = [pair for pair in form.fields if pair[0] != "proof"]
    assert carried == [("key", "k" * 32), *odd.items(), ("more", "2")]
    assert not re.search("<script>alert", question.text)
