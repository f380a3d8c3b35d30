"""Passkeys, with an authenticator that Chromium plays itself: made, signed in with, and not to be forged."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import Person
from tests.support.servers import Site

Come = Callable[..., Person]


@pytest.fixture
def come(browser: Browser, site: Site) -> Iterator[Come]:
    """Makes people who know the site by a name: at a bare address there are no passkeys."""
    came: list[Person] = []

    def come(**how: Any) -> Person:
        came.append(
            Person(browser, site.url.replace("127.0.0.1", "localhost"), **{"javascript": True, **how})
        )
        return came[-1]

    yield come
    for each in came:
        assert not each.troubles
        each.close()


def keys_of(person: Person) -> Any:
    """The browser's own keeper of passkeys, which says yes to everything."""
    devtools = person.context.new_cdp_session(person.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    authenticator = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools, authenticator["authenticatorId"]


def with_a_key(come: Come) -> tuple[Person, dict[str, Any]]:
    """Somebody who plays and has made a passkey; and the passkey."""
    person = come()
    devtools, keeper = keys_of(person)
    person.open("/new/rps")
    person.press(person.page.locator("form.options button, main form button").first)
    person.open("/me/account")
    person.press("Add a passkey")
    assert person.page.url.endswith("/me/account")
    [key] = devtools.send("WebAuthn.getCredentials", {"authenticatorId": keeper})["credentials"]
    assert key["isResidentCredential"]
    return person, key


def address_of(person: Person) -> str:
    person.open("/p/me")
    link = person.page.locator("main a[href^='/p/']")
    return str(link.get_attribute("href")) if link.count() else ""


def forms(person: Person) -> list[str]:
    return [str(each.post_data) for each in person.sent if each.method == "POST" and "passkey" in each.url]


def again(person: Person, path: str, body: dict[str, str]) -> int:
    """The same form from this browser's own cookies, by hand."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return person.context.request.post(path, data=urlencode(body), headers=headers, max_redirects=0).status


def test_a_passkey_made_in_one_browser_signs_in_another_that_has_it(come: Come) -> None:
    phone, key = with_a_key(come)
    expect(phone.page.locator("#passkeys")).to_be_visible()
    laptop = come()
    devtools, keeper = keys_of(laptop)
    laptop.open("/sign-in")
    devtools.send("WebAuthn.addCredential", {"authenticatorId": keeper, "credential": key})
    laptop.press("Sign in with a passkey")
    assert address_of(laptop) == address_of(phone) != ""
    [form] = forms(laptop)
    # What was sent once gains nobody anything: its challenge is used up.
    thief = come()
    assert again(thief, "/sign-in/passkey", dict(parse_qsl(form, keep_blank_values=True))) == 403
    assert address_of(thief) == ""


def test_what_a_guest_plays_comes_along_and_no_second_key_is_made_where_one_is(come: Come) -> None:
    phone, key = with_a_key(come)
    guest = come()
    devtools, keeper = keys_of(guest)
    guest.open("/new/eights")
    guest.press(guest.page.locator("form.options button, main form button").first)
    table = guest.page.url
    guest.open("/sign-in")
    devtools.send("WebAuthn.addCredential", {"authenticatorId": keeper, "credential": key})
    guest.press("Sign in with a passkey")
    assert address_of(guest) == address_of(phone)
    phone.open("/games")
    expect(
        phone.page.locator(f"a[href='{table.partition('/g/')[1]}{table.partition('/g/')[2]}']")
    ).to_be_visible()
    guest.open("/me/account")
    guest.page.get_by_role("button", name="Add a passkey").click()
    expect(guest.page.locator("form[data-passkey] [role=alert]")).to_have_text(
        "You already have a passkey on this device."
    )


def test_a_passkey_proves_who_somebody_is_before_a_code_is_made(come: Come) -> None:
    person, _ = with_a_key(come)
    person.open("/me/code")
    person.press("Create a code")  # a passkey that was just made is a proof
    code = person.read(".spoken")
    person.open("/me/out")
    person.press("Sign out")
    person.open("/move")
    person.page.get_by_label("Code").fill(code)
    person.press("Continue here")
    person.open("/me/code")
    person.press("Create a code", status=403)
    person.press("Confirm with a passkey")
    assert person.page.url.endswith("/me/code")
    assert person.read(".spoken") != code


def test_a_removed_passkey_opens_nothing(come: Come) -> None:
    phone, key = with_a_key(come)
    laptop = come()
    devtools, keeper = keys_of(laptop)
    laptop.open("/sign-in")
    devtools.send("WebAuthn.addCredential", {"authenticatorId": keeper, "credential": key})
    phone.open("/me/account")
    phone.follow("Remove … passkey 1")
    phone.press("Remove passkey")
    assert "passkey 1" not in phone.read("main")
    laptop.press("Sign in with a passkey", status=403)
    assert "That passkey didn't work." in laptop.read("#notice")


def test_a_copy_of_a_key_that_counts_less_is_refused(come: Come) -> None:
    _, key = with_a_key(come)
    laptop = come()
    devtools, keeper = keys_of(laptop)
    laptop.open("/sign-in")
    devtools.send(
        "WebAuthn.addCredential", {"authenticatorId": keeper, "credential": {**key, "signCount": 50}}
    )
    laptop.press("Sign in with a passkey")
    copy = come()
    devtools, keeper = keys_of(copy)
    copy.open("/sign-in")
    devtools.send(
        "WebAuthn.addCredential", {"authenticatorId": keeper, "credential": {**key, "signCount": 7}}
    )
    copy.press("Sign in with a passkey", status=403)
    assert address_of(copy) == ""


@pytest.mark.parametrize(
    "field", ["challenge", "credential", "clientDataJSON", "authenticatorData", "signature"]
)
def test_nothing_of_it_can_be_changed(come: Come, field: str) -> None:
    _, key = with_a_key(come)
    laptop = come()
    devtools, keeper = keys_of(laptop)
    laptop.open("/sign-in")
    devtools.send("WebAuthn.addCredential", {"authenticatorId": keeper, "credential": key})
    caught: list[str] = []

    def hold(route: Any) -> None:
        caught.append(str(route.request.post_data))
        route.abort()

    laptop.page.route("**/sign-in/passkey", hold)
    with laptop.page.expect_event("requestfailed"):
        laptop.page.get_by_role("button", name="Sign in with a passkey").click()
    laptop.page.wait_for_timeout(500)  # in which the console may tell of it
    laptop.troubles.clear()
    body = dict(parse_qsl(caught[0], keep_blank_values=True))
    if field in body:
        body[field] = body[field][:-9] + "AAAAAAAA" + body[field][-1]
    else:
        credential = json.loads(body["credential"])
        text = credential["response"][field]
        credential["response"][field] = text[:20] + ("A" if text[20] != "A" else "B") + text[21:]
        body["credential"] = json.dumps(credential)
    assert again(laptop, "/sign-in/passkey", body) == 403
    assert address_of(laptop) == ""


def test_without_scripts_there_is_no_button_and_the_password_remains(come: Come) -> None:
    plain = come(javascript=False)
    plain.open("/sign-in")
    expect(plain.page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
    expect(plain.page.get_by_label("Password")).to_be_visible()
    plain.open("/me/account")
    plain.page.get_by_label("Username").fill("plain.person")
    plain.page.get_by_label("Password", exact=True).fill("blue whale in the bath")
    plain.page.get_by_label("Repeat password").fill("blue whale in the bath")
    plain.press("Create account")
    assert address_of(plain) != ""
