"""Who may sit down: links that are taken back, and friends who are invited by name."""

import pytest

from strifebarge.tables.model.invitation import LASTS, MOST_INVITED, InvitedPerson
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.player import public_id
from strifebarge.tables.view.news import table_news
from tests.support.stub_hub import MARK
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, token
from tests.web.http.test_robots import ROBOTS
from tests.web.table.test_codes import ways_to_type


def opened(house: House, **options: str) -> tuple[Local, Page]:
    host = house.visitor()
    return host, host.start("strifebarge", **{"seats": "3", "name": "Ann", **options})


def link(page: Page) -> str:
    """The path of the invitation on a host's page."""
    value = page.seen.ids["link"]["value"]
    return value[value.index("/g/") :]


def renewed(host: Local, table: str) -> Page:
    assert host.submit(host.get(table), "/renew").status == 303
    return host.get(table)


def closed(page: Page) -> str:
    """Why nobody can sit down who sees this page."""
    return page.seen.ids.get("closed", {}).get("data-token", "")


# -- the link ---------------------------------------------------------------------------------


def test_an_invitation_is_a_link_a_code_a_drawing_and_a_mail(house: House) -> None:
    _, page = opened(house)
    assert link(page) == page.table
    assert f"{page.code[:4]}-{page.code[4:]}" in page.words
    assert f'aria-label="QR: http://localhost{page.table}" width="132" height="132"' in page.text
    assert any(each.startswith("mailto:?subject=") for each in page.seen.links)


def test_a_link_that_was_taken_back_seats_nobody_and_the_new_one_does(house: House) -> None:
    host, page = opened(house)
    early = house.visitor()
    form = early.get(page.table)
    now = renewed(host, page.table)
    assert link(now).startswith(f"{page.table}?i=")
    with house.unchanged():
        late = early.submit(form, "/join")
        assert (late.status, token(late)) == (410, "table.revoked")
        assert closed(early.get(page.table)) == "table.revoked"
        assert not early.get(page.table).has_form("/join")
    came = early.get(link(now))
    assert early.submit(came, "/join").status == 303
    assert early.get(page.table).has_form("/quit") or "Leave …" in early.get(page.table).words


def test_a_code_read_out_has_the_new_invitation_in_it(house: House) -> None:
    host, page = opened(house)
    now = renewed(host, page.table)
    code = link(now).partition("?i=")[2]
    spoken = f"{page.code[:4]}-{page.code[4:]}-{code[:4]}-{code[4:]}"
    assert spoken in now.words
    for typed in ways_to_type(spoken):
        answer = house.visitor().post("/code", [("code", typed)])
        assert (answer.status, answer.location) == (303, link(now)), typed


def test_the_code_of_an_invitation_is_as_hard_to_guess_as_that_of_a_table(house: House) -> None:
    host, page = opened(house)
    codes = {link(renewed(host, page.table)).partition("?i=")[2] for _ in range(20)}
    assert len(codes) == 20
    assert {len(tidy_code(each)) for each in codes} == {8}  # 40 bits


def test_each_renewal_kills_all_before_it(house: House) -> None:
    host, page = opened(house)
    links = [link(page)]
    for _ in range(25):
        links.append(link(renewed(host, page.table)))
    assert len(set(links)) == len(links)
    assert house.referee.views.status(page.code).invitation.generation == 25
    for dead in links[-10:-1]:
        assert closed(house.visitor().get(dead)) == "table.revoked"
    assert closed(house.visitor().get(links[0])) == "table.revoked"
    assert house.visitor().get(links[-1]).has_form("/join")


def test_five_sentences_for_five_kinds_of_links_each_with_a_way_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, page = opened(house)
    revoked = link(page)
    renewed(host, page.table)
    full_host, full = opened(house, seats="2")
    full_host.submit(full_host.get(f"{full.table}/settings"), "/settings", salvo="true")
    house.visitor().join(full.table)  # nobody is ready: it does not begin
    begun = house.fleet(2)
    _, old = opened(house)
    sentences = {}
    now = house.referee.now()
    for kind, path in (
        ("revoked", revoked),
        ("full", full.table),
        ("begun", begun.table),
        ("dead", old.table),
    ):
        if kind == "dead":
            monkeypatch.setattr(house.referee, "now", lambda: now + LASTS + 60)
        with house.unchanged():
            seen = house.visitor().get(path)
        assert seen.status == 200
        assert not seen.has_form("/join")
        sentences[kind] = closed(seen)
        if kind != "begun":
            assert "You can still watch here." in seen.words
            assert "/new/strifebarge" in seen.seen.links
        assert "invites you" not in seen.text
    unknown = house.visitor().get(f"{page.table}?i=ZZZZ")
    assert unknown.status == 404
    assert "That invitation doesn't exist." in unknown.words
    assert "Start a game" in unknown.words
    assert sentences == {
        "revoked": "table.revoked",
        "full": "table.full",
        "begun": "table.begun",
        "dead": "table.run_out",
    }
    assert "You're watching." in house.visitor().get(begun.table).words


def test_a_link_to_a_game_that_has_begun_says_so_to_who_comes_by_it(house: House) -> None:
    host, page = opened(house, seats="2")
    path = link(renewed(host, page.table))
    guest, late = house.visitor(), house.visitor()
    guest.submit(guest.get(path), "/join")
    seen = late.get(path)
    assert closed(seen) == "table.begun"
    assert "The game has already started." in seen.words
    assert "You're watching." in seen.words


def test_who_sends_a_form_with_an_invitation_run_out_is_told_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, page = opened(house)
    guest = house.visitor()
    form = guest.get(page.table)
    now = house.referee.now()
    monkeypatch.setattr(house.referee, "now", lambda: now + LASTS + 60)
    with house.unchanged():
        answer = guest.submit(form, "/join")
        assert (answer.status, token(answer)) == (410, "table.run_out")
    assert "This invitation has expired" in host.get(page.table).words
    path = link(renewed(host, page.table))
    assert guest.submit(guest.get(path), "/join").status == 303


def test_only_the_host_takes_an_invitation_back(house: House) -> None:
    host, page = opened(house)
    guest = house.visitor()
    guest.join(page.table)
    assert not guest.get(page.table).has_form("/renew")
    for who in (guest, house.visitor()):
        with house.unchanged():
            answer = who.post(f"{page.table}/renew", [("key", "k" * 32)])
            assert answer.status == 403
    assert host.get(page.table).has_form("/renew")


def test_who_guesses_invitations_is_held_back(open_house) -> None:
    house = open_house(limit_codes=10)
    host, page = opened(house)
    path = link(renewed(host, page.table))
    guesser = house.visitor()
    for number in range(10):
        assert guesser.get(f"{page.table}?i=AA{number:02}").status == 404
    assert guesser.get(path).status == 429
    assert house.visitor().get(path).status == 200


def test_robots_that_look_at_a_renewed_invitation_take_nothing(house: House) -> None:
    host, page = opened(house)
    path = link(renewed(host, page.table))
    with house.unchanged():
        for agent in ROBOTS.values():
            seen = house.visitor().get(path, User_Agent=agent)
            assert seen.headers.get("Set-Cookie") is None
            assert "Ann invites you to StrifeBarge" in seen.text


def test_a_seat_left_free_in_the_game_is_taken_with_the_invitation_there_is(house: House) -> None:
    host, page = opened(house, seats="2")
    guest, heir = house.visitor(), house.visitor()
    guest.join(page.table)
    leave(guest, page.table, "free")
    renewed_page = renewed(host, page.table)
    assert closed(heir.get(page.table)) == "table.revoked"
    assert heir.submit(heir.get(link(renewed_page)), "/join").status == 303


# -- by name ------------------------------------------------------------------------------------


@pytest.fixture
def met(house: House) -> Party:
    """Two who have played."""
    return house.thrown("rock", "paper")


def person(page: Page) -> str:
    """The first one who may be invited by name."""
    return page.form("/ask").buttons[0].value


def ask(host: Local, table: str) -> Page:
    page = host.get(table)
    return host.submit(page, "/ask", page.form("/ask").buttons[0])


def test_who_has_played_with_me_finds_my_invitation_among_their_games_and_accepts(met: Party) -> None:
    host, friend = met.players
    page = host.start("strifebarge", seats="3")
    assert [button.face for button in page.form("/ask").buttons] == ["Guest Golf"]
    assert ask(host, page.table).status == 303
    assert "has not answered" in host.get(page.table).words
    with met.house.unchanged():
        mine = friend.get("/games")
    assert "Invitations" in mine.words
    assert "Invited by Guest Foxtrot" in mine.words
    assert friend.submit(mine, f"{page.table}/join").status == 303
    assert len(met.house.referee.views.status(page.code).free()) == 1
    assert "Invitations" not in friend.get("/games").words
    assert "has not answered" not in host.get(page.table).words


def test_an_invitation_by_name_may_be_declined_and_taken_back(met: Party) -> None:
    host, friend = met.players
    page = host.start("strifebarge", seats="3")
    ask(host, page.table)
    assert friend.submit(friend.get(page.table), "/decline").status == 303
    assert "Invitations" not in friend.get("/games").words
    assert "has declined" in host.get(page.table).words
    now = host.get(page.table)
    assert host.submit(now, "/unask", now.form("/unask").buttons[0]).status == 303
    assert ask(host, page.table).status == 303
    assert "Invitations" in friend.get("/games").words
    now = host.get(page.table)
    host.submit(now, "/unask", now.form("/unask").buttons[0])
    assert "Invitations" not in friend.get("/games").words
    with met.house.unchanged():
        answer = friend.post(f"{page.table}/decline", [("key", "k" * 32)])
        assert (answer.status, token(answer)) == (403, "table.not_asked")


def test_an_invitation_by_name_may_come_with_a_message(met: Party) -> None:
    host, friend = met.players
    page = host.get(host.start("strifebarge", seats="3").table)
    button = page.form("/ask").buttons[0]
    long = host.submit(page, "/ask", button, message="x" * 301)
    assert (long.status, token(long)) == (422, "table.too_long")
    assert host.submit(page, "/ask", button, message="Come  <b>over</b>").status == 303
    assert "Come <b>over</b>" in friend.get("/games").words


def test_who_is_invited_by_name_needs_no_link(met: Party) -> None:
    host, friend = met.players
    page = host.start("strifebarge", seats="3")
    ask(host, page.table)
    renewed(host, page.table)
    assert friend.get(page.table).has_form("/join")
    assert closed(met.house.visitor().get(page.table)) == "table.revoked"
    assert friend.submit(friend.get(page.table), "/join").status == 303


def test_strangers_cannot_be_invited_by_name(met: Party) -> None:
    host, _ = met.players
    page = host.start("strifebarge", seats="3")
    stranger = met.house.visitor()
    stranger.start("rps")
    with met.house.unchanged():
        for id in ("", "0" * 16):
            answer = host.post(f"{page.table}/ask", [("key", "k" * 32), ("person", id)])
            assert (answer.status, token(answer)) == (403, "table.not_met")
        answer = stranger.post(f"{page.table}/ask", [("key", "k" * 32), ("person", "0" * 16)])
        assert (answer.status, token(answer)) == (403, "table.not_seated")


def test_who_sits_here_or_finds_no_seat_is_not_invited(met: Party) -> None:
    host, friend = met.players
    page = host.start("strifebarge", seats="3")
    visitor = person(page)
    friend.join(page.table)
    with met.house.unchanged():
        answer = host.post(f"{page.table}/ask", [("key", "k" * 32), ("person", visitor)])
        assert (answer.status, token(answer)) == (409, "table.already_here")
    full = host.start("strifebarge", seats="2")
    met.house.visitor().join(full.table)
    with met.house.unchanged():
        answer = host.post(f"{full.table}/ask", [("key", "k" * 32), ("person", visitor)])
        assert (answer.status, token(answer)) == (409, "table.begun")


def test_a_table_invites_only_so_many(met: Party) -> None:
    host, _ = met.players
    page = host.start("strifebarge", seats="3")
    with met.house.referee.store.change(page.code) as change:
        for number in range(MOST_INVITED):
            change.table.invited[f"somebody {number}"] = InvitedPerson("", "", "", 0)
    answer = ask(host, page.table)
    assert (answer.status, token(answer)) == (409, "table.asked_enough")


def test_who_is_not_read_does_not_invite(met: Party) -> None:
    host, friend = met.players
    host.submit(host.get(f"{met.table}/talk"), "/say", text="Once more!")
    page = friend.get(f"{met.table}/talk")
    form = next(form for form in page.forms if form.action.endswith("/strike"))
    friend.post(f"{met.table}/mute", form.filled())
    table = host.start("strifebarge", seats="3").table
    ask(host, table)
    assert "Invitations" not in friend.get("/games").words


def test_who_is_invited_is_nobody_elses_business(met: Party) -> None:
    host, _ = met.players
    page = host.start("strifebarge", seats="3")
    ask(host, page.table)
    seen = met.house.visitor().get(page.table)
    assert "Invited" not in seen.words
    assert person(page) not in seen.text


def test_an_invitation_by_name_changes_the_version_for_players_alone(met: Party) -> None:
    host, friend = met.players
    page, stranger = host.start("strifebarge", seats="3"), met.house.visitor()

    def versions() -> tuple[str, str, str]:
        news = table_news(met.house.referee.store.table(page.code), MARK)
        [own] = news.etags.values()
        return host.get(f"{page.table}/version").text, own, stranger.get(f"{page.table}/version").text

    seen = [versions()]
    ask(host, page.table)
    seen.append(versions())
    friend.submit(friend.get(page.table), "/decline")
    seen.append(versions())
    now = host.get(page.table)
    host.submit(now, "/unask", now.form("/unask").buttons[0])
    seen.append(versions())
    polled, streamed, public = zip(*seen, strict=True)
    assert len({*polled}) == len({*streamed}) == 3  # at the end nobody is invited, as at the beginning
    assert len({*public}) == 1


def test_to_be_invited_tells_nobody_where_ones_page_is(met: Party) -> None:
    host, friend = met.players
    page = host.start("strifebarge", seats="3")
    mine = public_id(met.house.referee.views.status(met.code).chairs[1].player)
    assert mine in friend.get("/p/me").text + friend.follow(friend.get("/p/me")).path
    assert mine not in page.text
    ask(host, page.table)
    assert mine not in host.get(page.table).text
