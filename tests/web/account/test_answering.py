"""A move by a link in a letter: it opens and does not play, and its form plays one move once."""

import re

import pytest

from tests.web.house import Party, leave
from tests.web.signing import PASSWORD, code_of, new_password, sign_in, sign_up, take
from tests.web.town import Town, choose, link_in, moves, play_on


@pytest.fixture
def linked(town: Town) -> tuple[Party, str]:
    """Crazy Eights, and the link by which the one to move may do so."""
    party = town.house.gathered("eights")
    mover = party.to_move()
    waiter = next(player for player in party.players if player is not mover)
    town.by_mail(waiter, answers=True)
    play_on(party, mover)
    [(_, message)] = town.wait()
    return party, link_in(message.text, f"{party.table}/answer")


def test_a_link_opens_a_page_that_plays_one_move_for_whoever_has_it(
    town: Town, linked: tuple[Party, str]
) -> None:
    party, link = linked
    stranger = town.house.visitor()
    before = town.house.referee.views.status(party.code).position.number
    with town.house.unchanged():
        for _ in range(3):
            page = stranger.get(link)
            assert page.status == 200
    form = page.form("/answer")
    button = form.moves[0]
    assert stranger.submit(page, "/answer", button).status == 303
    after = town.house.referee.views.status(party.code).position.number
    assert after > before
    with town.house.unchanged():  # a second press is the same move
        assert stranger.submit(page, "/answer", button).status == 303
        other = stranger.post(f"{party.table}/answer", [("t", link.partition("?t=")[2]), ("move", "draw")])
        assert (other.status, other.token) == (409, "game.stale")
        assert stranger.get(link).status == 410
    assert not stranger.get(party.table).my_turn


def test_what_a_link_does_not_allow_is_refused_and_leaves_no_trace(
    town: Town, linked: tuple[Party, str]
) -> None:
    party, link = linked
    stranger, t = town.house.visitor(), link.partition("?t=")[2]
    with town.house.unchanged():
        wrong = stranger.post(f"{party.table}/answer", [("t", t), ("move", "play ZZ")])
        assert wrong.status == 422
        assert wrong.form("/answer").moves
        for broken in (t[:-1], t + "x", "", "a.b", town.house.app.extensions["settings"].secret_keys[0]):
            assert stranger.get(f"{party.table}/answer?t={broken}").status == 410
            assert stranger.post(f"{party.table}/answer", [("t", broken), ("move", "draw")]).status == 410
    other = town.house.gathered("eights")
    assert stranger.get(f"{other.table}/answer?t={t}").status == 410
    assert stranger.get(f"/g/{party.code.lower()}/answer?t={t}").status == 200
    for path in ("", "/quit", "/settings"):
        assert "Draw" not in [form.moves for form in stranger.get(party.table + path).forms]


def test_a_link_dies_with_its_question_and_with_its_seat(town: Town, linked: tuple[Party, str]) -> None:
    party, link = linked
    mover = party.to_move()
    leave(mover, party.table, "free")
    assert town.house.visitor().get(link).status == 410
    with town.house.unchanged():
        fields = [("t", link.partition("?t=")[2]), ("move", "draw")]
        assert town.house.visitor().post(f"{party.table}/answer", fields).status == 410


@pytest.mark.parametrize("how", ["switched off", "everywhere", "others", "password", "erased", "moved"])
def test_a_link_dies_with_all_that_is_to_keep_others_out(
    town: Town, linked: tuple[Party, str], how: str
) -> None:
    party, link = linked
    mover, stranger = party.to_move(), town.house.visitor()
    assert stranger.get(link).status == 200
    if how in ("password", "others", "everywhere"):
        sign_up(mover, f"answers.{how}")
        sign_in(town.house.visitor(), f"answers.{how}")
    match how:
        case "switched off":
            assert choose(mover).status == 303
            assert choose(mover, answers="yes").status == 303  # what comes now has links of its own
        case "everywhere" | "others":
            which = "all" if how == "everywhere" else "others"
            form = next(each for each in mover.get("/me/devices").forms if ("device", which) in each.fields)
            assert mover.post("/me/devices", form.filled()).status == 303
        case "password":
            assert new_password(mover, PASSWORD, "another whale").status == 303
        case "erased":
            assert mover.submit(mover.get("/me/erase"), "/me/erase", sure="yes").status == 303
        case "moved":
            elsewhere = town.house.visitor()
            elsewhere.start("rps")
            assert take(mover, code_of(elsewhere)).status == 303
    with town.house.unchanged():
        assert stranger.get(link).status == 410
        fields = [("t", link.partition("?t=")[2]), ("move", "draw")]
        assert stranger.post(f"{party.table}/answer", fields).status == 410


def test_the_same_wishes_once_more_leave_a_link_as_it_is(town: Town, linked: tuple[Party, str]) -> None:
    party, link = linked
    assert choose(party.to_move(), answers="yes").status == 303
    assert town.house.visitor().get(link).status == 200


def test_one_of_several_in_a_seat_has_a_link_until_they_leave_it(town: Town) -> None:
    house = town.house
    host, guest, beside = house.visitor(), house.visitor(), house.visitor()
    table = host.start("chess").table
    beside.submit(beside.get(house.link(host, table, "beside")), "/seat", name="Dora")
    guest.join(table)
    party = Party(house, table, [host, guest])
    town.by_mail(beside, answers=True)
    moves(party, "e4", "e5")
    [(_, message)] = town.wait()
    link, stranger = link_in(message.text, f"{party.table}/answer"), house.visitor()
    assert "Dora" in stranger.get(link).words
    leave(beside, table, "free")
    assert stranger.get(link).status == 410


def test_a_page_behind_a_link_shows_what_that_seat_may_see(town: Town, linked: tuple[Party, str]) -> None:
    party, link = linked
    mover = party.to_move()
    own = {each.value for each in mover.get(party.table).form("/turn").moves}
    shown = {each.value for each in town.house.visitor().get(link).form("/answer").moves}
    assert shown == own


def test_a_piece_is_picked_up_on_the_page_behind_a_link(town: Town) -> None:
    party = town.house.gathered("chess")
    town.by_mail(party.players[1], answers=True)
    moves(party, "e4")
    [(_, message)] = town.wait()
    stranger = town.house.visitor()
    link = link_in(message.text, f"{party.table}/answer")
    page = stranger.get(link)
    picks = re.findall(r'href="([^"]*/answer\?[^"]*pick=e7[^"]*)"', page.text)
    picked = stranger.get(picks[0].replace("&amp;", "&").partition("#")[0])
    button = next(each for each in picked.form("/answer").moves if "e5" in each.value)
    assert stranger.submit(picked, "/answer", button).status == 303
    assert town.house.referee.views.status(party.code).position.number == 2
