"""One device that is passed round: everybody sees their own, and between two of them there is a curtain."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from strifebarge.tables.model.table import TableRefusal
from tests.support.visitor import Button, Local, Page
from tests.web.house import House, Party, leave, token

CARD = re.compile(r"(?:10|[2-9]|jack|queen|king|ace) of (?:hearts|spades|diamonds|clubs)")
LOOKS = [
    "",
    "?view=text",
    "?view=board",
    "/at/0",
    "/log",
    "/log.txt",
    "/talk",
    "/status",
    "/sure?move=draw",
    "/quit",
]


def together(house: House, game: str, seats: str = "2", others: str = "Ben", **options: str) -> Party:
    """All play at the device of the one who opened the table."""
    ann = house.visitor()
    page = ann.start(game, seats=seats, devices="one", name="Ann", others=others, **options)
    return Party(house, page.table, [ann])


def covered(page: Page) -> bool:
    return page.has_form("/uncover")


def lift(who: Local, table: str, seat: int | None = None) -> Page:
    """Somebody says that they are looking: who the curtain asks for first, or another."""
    page = who.get(table)
    button = next(each for each in confirm_buttons(page) if seat is None or each.value == str(seat))
    return who.follow(who.submit(page, "/uncover", button))


def confirm_buttons(page: Page) -> list[Button]:
    """The people who may lift the curtain."""
    return [button for form in page.forms if form.action.endswith("/uncover") for button in form.buttons]


def cards(page: Page) -> set[str]:
    return set(CARD.findall(page.words))


def public(party: Party, ending: str = "") -> set[str]:
    return cards(party.house.visitor().get(party.table + ending))


# -- games with secrets ---------------------------------------------------------------------


def test_the_game_begins_at_once_behind_a_curtain_for_the_first(house: House) -> None:
    party = together(house, "eights", "3", "Ben, Cleo")
    page = party.players[0].get(party.table)
    assert covered(page)
    assert "Pass the device to Ann. I'm Ann, show my page" in page.words
    assert cards(page) <= public(party)
    assert not page.has_form("/turn")
    assert page.headers["Cache-Control"] == "no-store"


def test_what_each_sees_is_their_own_and_what_the_curtain_shows_is_nobodys(house: House) -> None:
    party, chance = together(house, "eights", "3", "Ben, Cleo"), Random(1)
    ann, held, moves = party.players[0], dict[str, set[str]](), 0
    while moves < 60:
        page = ann.get(party.table)
        if page.over:
            break
        if covered(page):
            for ending in LOOKS:
                look = ann.follow(ann.get(party.table + ending))
                assert look.status == 200
                assert cards(look) <= public(party) | public(party, "/log") | public(party, "/at/0"), ending
                assert look.headers["Cache-Control"] == "no-store"
            page = lift(ann, party.table)
        assert page.my_turn
        public_words = public(party) | public(party, "/log")
        mine = page.form("/turn")["key"][-1]
        others = set[str]().union(*(each for seat, each in held.items() if seat != mine)) - public_words
        for ending in ("", "?view=text", "?view=board", "/log", "/talk"):
            assert not cards(ann.get(party.table + ending)) & others, ending
        held[mine] = cards(page) - public_words
        assert ann.submit(page, "/turn", chance.choice(page.form("/turn").moves)).status == 303
        moves += 1
    assert moves > 8
    assert len(held) == 3


def test_the_log_and_history_are_those_of_whoever_is_looking(house: House) -> None:
    party = together(house, "eights", draw="by_hand")
    ann = party.players[0]
    first = lift(ann, party.table)
    assert ann.submit(first, "/turn", next(b for b in first.form("/turn").moves if b.value == "draw")).status
    own = cards(ann.get(f"{party.table}/at/0")) - public(party, "/at/0")
    assert len(own) >= 5
    while not covered(ann.get(party.table)):
        page = ann.get(party.table)
        assert ann.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    assert cards(ann.get(f"{party.table}/at/0")) == public(party, "/at/0")
    assert cards(ann.get(f"{party.table}/log")) == public(party, "/log")
    lift(ann, party.table)
    other = cards(ann.get(f"{party.table}/at/0")) - public(party, "/at/0")
    assert other
    assert not other & own


def test_every_handing_over_changes_the_cookie_so_that_no_browser_keeps_what_was_seen(house: House) -> None:
    party = together(house, "strifebarge")
    ann, cookies = party.players[0], set[str]()
    for _ in range(4):
        page = lift(ann, party.table)
        assert ann.cookies["seat"] not in cookies
        cookies.add(ann.cookies["seat"])
        answer = ann.submit(page, "/turn", page.form("/turn").moves[0])
        assert answer.status == 303
        changed = [line for line in answer.headers.get_all("Set-Cookie") if line.startswith("seat=")]
        assert len(changed) == 1
        assert ann.cookies["seat"].startswith(f"{party.code}..")
        assert ann.cookies["seat"] not in cookies
        assert "HttpOnly" in changed[0]  # or else Chromium takes no notice
        assert covered(ann.get(party.table))


def test_what_a_browser_still_has_of_the_last_seat_shows_nothing(house: House) -> None:
    party = together(house, "strifebarge")
    ann = party.players[0]
    page = lift(ann, party.table)
    old = ann.cookies["seat"]
    ann.submit(page, "/turn", page.form("/turn").moves[0])
    ann.cookies["seat"] = old  # the answer to the form was lost on its way
    assert covered(ann.get(party.table))
    assert ann.cookies["seat"].startswith(f"{party.code}..")


def test_the_page_may_be_covered_by_hand_and_lifted_by_either(house: House) -> None:
    party = together(house, "strifebarge")
    ann = party.players[0]
    page = lift(ann, party.table)
    assert ann.submit(page, "/cover").status == 303
    assert covered(ann.get(party.table))
    assert lift(ann, party.table).my_turn


def test_a_choice_of_the_same_question_is_behind_the_curtain_too(house: House) -> None:
    party = together(house, "rps", "2")
    ann = party.players[0]
    page = lift(ann, party.table)
    assert ann.submit(page, "/turn", move="throw rock").status == 303
    page = ann.get(party.table)
    assert "I'm Ben, show my page" in page.words
    assert "I am Ann" not in page.words
    page = lift(ann, party.table)
    assert page.my_turn
    assert "You have chosen" not in page.words
    assert page.text.count("rock") == ann.get(party.table).text.count("rock")
    for hidden in ("paper", "scissors"):  # it is offered as the others are, and that is all
        assert page.text.count(f'"throw {hidden}"') == page.text.count('"throw rock"') == 1
    assert ann.submit(page, "/turn", move="throw paper").status == 303
    assert "Ben won." in ann.get(party.table).words


def test_put_aside_nobody_sees_anything_and_one_press_speaks_for_the_device(house: House) -> None:
    party = together(house, "eights")
    ann = party.players[0]
    page = lift(ann, party.table)
    assert ann.submit(page, "/suspend").status == 303
    page = ann.get(party.table)
    assert "Ann suspended the game." in page.words
    assert cards(page) <= public(party)
    assert ann.submit(page, "/ready").status == 303
    assert covered(ann.get(party.table)) or ann.get(party.table).my_turn


def test_notes_belong_to_the_seat_and_not_to_the_device(house: House) -> None:
    party = together(house, "strifebarge")
    ann = party.players[0]
    page = lift(ann, party.table)
    assert ann.submit(page, "/note", note="Ben is at K9").status == 303
    page = ann.get(party.table)
    assert "Ben is at K9" in page.text
    ann.submit(page, "/turn", page.form("/turn").moves[0])
    page = lift(ann, party.table)
    assert "Ben is at K9" not in page.text
    party.players[0].submit(page, "/turn", page.form("/turn").moves[0])
    assert "Ben is at K9" in lift(ann, party.table).text


# -- the form says which seat -------------------------------------------------------------------


def test_a_form_counts_for_the_seat_it_was_made_for_and_no_other(house: House) -> None:
    party = together(house, "strifebarge")
    ann = party.players[0]
    page = lift(ann, party.table)
    form = page.form("/turn")
    assert form["key"].endswith(".seat0")
    button, plain = form.moves[0], form["key"].removesuffix(".seat0")
    with house.unchanged():
        for key, status, why in (
            (plain, 422, "table.which_seat"),
            (plain + ".seat1", 409, "game.not_your_turn"),
            (plain + ".seat7", 403, "table.not_your_seat"),
        ):
            answer = ann.submit(page, "/turn", button, key=key)
            assert (answer.status, token(answer)) == (status, why)
    assert ann.submit(page, "/turn", button).status == 303
    assert ann.submit(page, "/turn", button).status == 303  # the same once more
    assert house.referee.views.status(party.code).position.number == 1


def test_an_old_page_of_another_seat_moves_nobody(house: House) -> None:
    party = together(house, "strifebarge")
    ann = party.players[0]
    first = lift(ann, party.table)
    ann.submit(first, "/turn", first.form("/turn").moves[0])
    lift(ann, party.table)
    with house.unchanged():
        answer = ann.submit(first, "/turn", first.form("/turn").moves[1], key="k" * 32 + ".seat0")
        assert (answer.status, token(answer)) == (409, "game.not_your_turn")


def test_nobody_lifts_the_curtain_of_another_device(house: House) -> None:
    party = together(house, "strifebarge")
    stranger = house.visitor()
    stranger.start("rps")
    for who, status in ((stranger, 403), (house.visitor(), 403)):
        with house.unchanged():
            answer = who.post(f"{party.table}/uncover", [("key", "k" * 32), ("seat", "0")])
            assert answer.status == status
            page = who.get(party.table)
            assert not page.my_turn
            assert not covered(page)
        who.cookies["seat"] = f"{party.code}.0.forged"
        assert not who.get(party.table).my_turn
    with house.unchanged():
        assert party.players[0].get(f"{party.table}/uncover").status == 405


# -- games without secrets ----------------------------------------------------------------------


def test_a_game_without_secrets_needs_no_curtain(house: House) -> None:
    party = together(house, "chess", "")
    ann = party.players[0]
    for move in ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"):
        page = ann.get(party.table)
        assert page.my_turn
        assert not page.has_form("/cover")
        assert ann.submit(page, "/turn", move=f"move {move}").status == 303
    page = ann.get(party.table)
    assert "Ann won." in page.words
    again = ann.follow(ann.submit(page, "/rematch"))
    assert again.my_turn


def test_the_mover_takes_back_although_it_is_the_next_ones_turn_at_the_device(
    house: House, tmp_path: Path
) -> None:
    party = together(house, "chess", "")
    ann = party.players[0]
    ann.submit(ann.get(party.table), "/turn", move="move e2e4")
    page = ann.get(party.table)
    assert "Undo Ann's move" in page.words
    assert ann.submit(page, "/undo").status == 303
    again = ann.submit(page, "/undo", key="u" * 32 + ".seat0")
    assert (again.status, token(again)) == (409, "game.nothing_to_undo")
    assert "You undid the last move." in ann.get(party.table).words
    for move in ("d2d4", "d7d5"):
        stale = ann.get(party.table)
        ann.submit(stale, "/turn", move=f"move {move}")
    page = ann.get(party.table)
    assert "Undo Ben's move" in page.words
    ann.submit(page, "/turn", move="move c2c4")
    old = ann.submit(page, "/undo")  # since then somebody has acted
    assert (old.status, token(old)) == (409, "game.nothing_to_undo")
    assert ann.submit(ann.get(party.table), "/undo").status == 303
    assert house.referee.views.status(party.code).position.waiting == [0]
    ann.submit(ann.get(f"{party.table}/resign"), "/quit")
    page = ann.get(party.table)
    assert page.over
    record = ann.get(f"{party.table}/record.json").body
    assert [move["action"]["do"] for move in json.loads(record)["moves"][:2]] == ["move", "undo"]
    (tmp_path / "game.json").write_bytes(record)
    command = [sys.executable, "-m", "strifebarge.verify", str(tmp_path / "game.json")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.stdout.startswith("It holds"), result.stderr


def test_elsewhere_or_by_a_clock_a_move_that_was_made_is_made(house: House) -> None:
    away = house.gathered("chess")
    away.players[0].submit(away.players[0].get(away.table), "/turn", move="move e2e4")
    ann = house.visitor()
    clocked = ann.start("chess", devices="one", pace="days-3").table
    ann.cookies["sure"] = "no"
    ann.submit(ann.get(clocked), "/turn", move="move e2e4")
    for who, table, key in ((away.players[0], away.table, ""), (ann, clocked, ".seat0")):
        assert not who.get(table).has_form("/undo")
        number = house.referee.views.status(table.removeprefix("/g/")).position.number
        with house.unchanged():
            refused = who.post(f"{table}/undo", [("key", "k" * 32 + key), ("asked", str(number))])
            assert (refused.status, token(refused)) == (409, "game.nothing_to_undo")


# -- who sits where -----------------------------------------------------------------------------


def test_two_at_one_device_and_one_elsewhere(house: House) -> None:
    ann, cleo = house.visitor(), house.visitor()
    page = ann.start("eights", seats="3", devices="some", name="Ann")
    assert ann.submit(page, "/beside", name="Ben").status == 303
    cleo.join(page.table, "Cleo")
    party = Party(house, page.table, [ann, cleo])
    seen = cleo.get(party.table)
    assert "one shared device" in seen.words
    for _ in range(12):
        now = ann.get(party.table)
        if covered(now) and "Pass the device to" in now.words and "Waiting for Cleo" not in now.words:
            now = lift(ann, party.table)
        if now.my_turn and now.has_form("/turn"):
            ann.submit(now, "/turn", now.form("/turn").moves[0])
        elif (theirs := cleo.get(party.table)).my_turn:
            assert cards(ann.get(party.table)) & (cards(theirs) - public(party)) == set()
            cleo.submit(theirs, "/turn", theirs.form("/turn").moves[0])
    assert house.referee.views.status(party.code).position.number >= 8


def test_while_somebody_elsewhere_moves_the_page_is_the_last_ones_or_covered(house: House) -> None:
    ann, cleo = house.visitor(), house.visitor()
    page = ann.start("strifebarge", seats="3", devices="some", name="Ann")
    ann.submit(page, "/beside", name="Ben")
    cleo.join(page.table, "Cleo")
    for seat in (0, 1):
        now = lift(ann, page.table, seat)
        assert ann.submit(now, "/turn", now.form("/turn").moves[0]).status == 303
    waiting = ann.get(page.table)
    assert "Waiting for Guest" not in waiting.words
    assert "Waiting for" in waiting.words
    assert "Cleo" in waiting.words
    assert ann.submit(waiting, "/cover").status == 303
    covering = ann.get(page.table)
    assert [button.value for button in confirm_buttons(covering)] == ["0", "1"]
    assert not lift(ann, page.table, 0).my_turn


def test_only_where_a_device_is_passed_round_has_anybody_two_seats(house: House) -> None:
    ann = house.visitor()
    page = ann.start("strifebarge", seats="3")
    assert not page.has_form("/beside")
    with house.unchanged():
        answer = ann.post(f"{page.table}/beside", [("key", "k" * 32), ("name", "Ben")])
        assert (answer.status, token(answer)) == (409, "table.one_seat")
    assert ann.post(f"{page.table}/join", [("key", "j" * 32)]).status == 303
    assert len(house.referee.views.status(page.code).free()) == 2


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"devices": "two"}, "table.wrong_devices"),
        ({"devices": "one", "afterwards": "rated"}, "table.shared_is_quiet"),
        ({"devices": "some", "afterwards": "public"}, "table.shared_is_quiet"),
        ({"devices": "one", "others": "Ben,Cleo,Dan"}, "table.full"),
        ({"devices": "one", "name": "Ann", "others": "Ann"}, "table.name_taken"),
        ({"devices": "some", "others": "x" * 21}, "table.wrong_name"),
    ],
)
def test_what_cannot_be_is_refused_with_its_own_sentence(
    house: House, fields: dict[str, str], why: str
) -> None:
    ann = house.visitor()
    with house.unchanged():
        answer = ann.submit(ann.get("/new/strifebarge"), "/new/strifebarge", seats="2", **fields)
        assert answer.status in (409, 422)
        assert TableRefusal[why.removeprefix("table.").upper()].sentence.partition("{")[0] in answer.words


def test_a_table_counts_once_among_those_that_wait_for_me(house: House) -> None:
    party = together(house, "rps", "2")
    assert "My games 1 your move" in party.players[0].get("/games").words


def test_one_of_them_may_leave_and_the_others_play_on(house: House) -> None:
    party = together(house, "strifebarge", "3", "Ben, Cleo")
    ann = party.players[0]
    assert ann.follow(ann.get(f"{party.table}/quit")).has_form("/uncover")
    lift(ann, party.table)
    assert leave(ann, party.table, "resign").status == 303
    page = ann.get(party.table)
    assert "I'm Ben, show my page" in page.words
    assert "I am Ann" not in page.words


def test_who_sits_at_one_device_agrees_and_leaves_together_before_the_game(house: House) -> None:
    ann = house.visitor()
    page = ann.start("strifebarge", seats="3", devices="some", others="Ben", name="Ann")
    assert ann.submit(ann.get(f"{page.table}/settings"), "/settings", salvo="true").status == 303
    chairs = house.referee.views.status(page.code).chairs
    assert not any(chair.ready for chair in chairs)
    assert ann.submit(ann.get(page.table), "/ready").status == 303
    assert [chair.ready for chair in house.referee.views.status(page.code).chairs] == [True, True, False]
    assert leave(ann, page.table, "free").status == 303
    assert len(house.referee.views.status(page.code).free()) == 3
