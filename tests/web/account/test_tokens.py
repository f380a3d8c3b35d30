"""Tokens for programs: made under "You", shown once, kept as a hash, revoked, and ended with their person."""

import re

from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Wall, token
from tests.web.signing import PASSWORD, new_password, sign_in, sign_up

SCOPES = ("read", "play", "table")


def make(visitor: Local, name: str = "Bot", scopes: tuple[str, ...] = SCOPES, **fields: str) -> Page:
    key = re.search(r'name="key" value="([^"]+)"', visitor.get("/me/tokens").text)
    assert key
    chosen = [("scope", each) for each in scopes]
    return visitor.post("/me/tokens", [("key", fields.get("key", key[1])), ("name", name), *chosen])


def token_in(page: Page) -> str:
    match = re.search(r'value="(sbt_[A-Za-z0-9_-]{43})"', page.text)
    assert match, page.text
    return match[1]


def somebody(house: House) -> Local:
    ann = house.visitor()
    ann.start("rps", name="Ann")
    return ann


def test_a_token_is_shown_once_and_kept_as_a_hash(house: House) -> None:
    ann = somebody(house)
    token = token_in(make(ann, "My bot"))
    page = ann.get("/me/tokens")
    assert "My bot" in page.text
    assert token not in page.text
    assert not [row for rows in house.kept().values() for row in rows if token in repr(row)]
    entry = house.services.accounts.tokens.look_up(token)
    assert entry is not None
    assert [*entry[0].scopes] == [*SCOPES]
    assert entry[1].name == "Ann"


def test_a_token_says_whether_it_was_used(house: House) -> None:
    ann = somebody(house)
    token = token_in(make(ann))
    assert "never used" in ann.get("/me/tokens").words
    assert house.services.accounts.tokens.look_up(token)
    words = ann.get("/me/tokens").words
    assert "never used" not in words
    assert "last used on" in words


def test_the_same_form_again_makes_no_second_token(house: House) -> None:
    ann = somebody(house)
    key = "the-key-of-one-form-0001"
    one, other = token_in(make(ann, key=key)), token_in(make(ann, key=key))
    assert one == other
    assert ann.get("/me/tokens").text.count("/me/tokens/revoke") == 1


def test_a_revoked_token_is_nobody_and_its_form_makes_it_no_more(house: House) -> None:
    ann = somebody(house)
    key = "the-key-of-one-form-0002"
    new_token = token_in(make(ann, key=key))
    page = ann.get("/me/tokens")
    assert ann.submit(page, "/me/tokens/revoke").status == 303
    assert house.services.accounts.tokens.look_up(new_token) is None
    again = make(ann, key=key)
    assert (again.status, token(again)) == (409, "table.key_reused")
    assert house.services.accounts.tokens.look_up(new_token) is None


def test_what_is_no_token_is_refused_in_words(house: House) -> None:
    ann = somebody(house)
    with house.unchanged():
        assert token(make(ann, " ")) == "who.wrong_token_name"
        assert token(make(ann, "x" * 41)) == "who.wrong_token_name"
        assert token(make(ann, "Bot", ())) == "who.no_scope"
        assert token(make(ann, "Bot", ("everything",))) == "who.no_scope"
        assert house.visitor().get("/me/tokens").status == 403
    for _ in range(20):
        assert make(ann).status == 200
    assert token(make(ann)) == "who.too_many_tokens"


def test_nobody_revokes_the_token_of_another(house: House) -> None:
    ann, ben = somebody(house), somebody(house)
    token, form = token_in(make(ann)), ann.get("/me/tokens").form("/me/tokens/revoke")
    make(ben)
    assert ben.submit(ben.get("/me/tokens"), "/me/tokens/revoke", token=form["token"]).status == 303
    assert house.services.accounts.tokens.look_up(token) is not None


def test_a_session_alone_makes_no_token_and_the_password_carries_the_form_out(open_house: OpenHouse) -> None:
    house = open_house()
    house.referee.now = wall = Wall()  # type: ignore[method-assign]
    ann = house.visitor()
    sign_up(ann, "ann.proves")
    wall.seconds(601)
    with house.unchanged():
        question = make(ann)
    assert (question.status, question.token) == (403, "who.prove")
    token_in(ann.submit(question, "/me/tokens", proof=PASSWORD))


def test_tokens_end_with_a_new_password_and_when_a_guest_becomes_somebody(house: House) -> None:
    """A browser with a planted guest's session gains nothing: the guest's token does not come along."""
    ann, guest = somebody(house), somebody(house)
    token = token_in(make(ann))
    sign_up(ann, "ann.token")
    planted = token_in(make(guest))
    sign_in(guest, "ann.token")
    assert house.services.accounts.tokens.look_up(planted) is None
    assert house.services.accounts.tokens.look_up(token) is not None
    new_password(ann, PASSWORD, "another sentence nobody thinks of")
    assert house.services.accounts.tokens.look_up(token) is None
