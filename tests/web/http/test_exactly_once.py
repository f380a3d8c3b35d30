"""A form counts once, for the question it answers; whatever is refused says why and loses nothing."""

from pathlib import Path
from urllib.parse import urljoin

import pytest
import sqlalchemy

from games.strifebarge.rules import side, squares
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, opened, token
from tests.web.markup import parsed, text


def send(who: Local, page: Page, ending: str, **changed: str) -> Page:
    form = page.form(ending)
    return who.post(urljoin(page.path, form.action or page.path), form.filled(**changed))


def receipts(house: House) -> int:
    with house.engine.connect() as connection:
        return int(connection.scalar(sqlalchemy.text("SELECT count(*) FROM receipts")) or 0)


# -- the same form again ------------------------------------------------------------------


def test_the_same_form_again_gets_the_same_answer_and_does_nothing_on_both_databases(
    ready_url: str, tmp_path: Path
) -> None:
    with opened(ready_url, tmp_path) as house:
        party = house.fleet()
        player = party.to_move()
        page = player.get(party.table)
        shot = page.form("/turn").moves[0].value
        first = send(player, page, "/turn", move=shot)
        assert first.status == 303
        with house.unchanged():
            for _ in range(3):
                again = send(player, page, "/turn", move=shot)
                assert (again.status, again.location) == (303, first.location)


def test_every_act_pressed_twice_leads_to_the_same_place_and_leaves_one_receipt(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    host.start("rps")
    guest.start("rps")

    def twice(who: Local, page: Page, ending: str, **changed: str) -> Page:
        before = receipts(house)
        first = send(who, page, ending, **changed)
        again = send(who, page, ending, **changed)
        assert (first.status, again.status) == (303, 303), (ending, first.words, again.words)
        assert first.location == again.location
        assert receipts(house) == before + 1, ending
        return first

    table = twice(host, host.get("/new/strifebarge"), "/new/strifebarge", seats="4").table
    twice(guest, guest.get(table), "/join", name="Guest")
    twice(host, host.get(table), "/remove")
    guest.join(table)
    twice(host, host.get(table), "/begin")
    mover = next(who for who in (host, guest) if who.get(table).my_turn)
    page = mover.get(table)
    twice(mover, page, "/turn", move=page.form("/turn").moves[0].value)
    twice(guest, guest.get(f"{table}/quit"), "/quit", how="resign")
    assert host.get(table).over
    again = twice(host, host.get(table), "/rematch").table
    twice(guest, guest.get(again), "/ready")


def test_the_same_key_with_another_move_is_refused(house: House) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    one, other = (button.value for button in page.form("/turn").moves[:2])
    assert send(player, page, "/turn", move=one).status == 303
    with house.unchanged():
        refused = send(player, page, "/turn", move=other)
        assert (refused.status, refused.token) == (409, "game.stale")


def test_the_same_key_for_another_act_another_table_or_by_another_is_refused(house: House) -> None:
    party, elsewhere = house.fleet(), house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    key, shot = page.form("/turn")["key"], page.form("/turn").moves[0].value
    assert send(player, page, "/turn", move=shot).status == 303
    other = next(who for who in party.players if who is not player)
    with house.unchanged():
        assert (
            player.post(f"{party.table}/quit", [("key", key), ("how", "resign")]).token == "table.key_reused"
        )
        stranger = elsewhere.to_move()
        assert send(stranger, stranger.get(elsewhere.table), "/turn", key=key, move=shot).status == 409
        assert send(other, other.get(party.table), "/turn", key=key, move=shot).status == 409


def test_a_start_with_the_same_key_and_other_choices_is_refused(house: House) -> None:
    who = house.visitor()
    who.start("rps")
    page = who.get("/new/rps")
    assert send(who, page, "/new/rps", best_of="3").status == 303
    with house.unchanged():
        refused = send(who, page, "/new/rps", best_of="5")
        assert refused.status == 409
        assert "already used" in refused.words


# -- a stranger's form, twice without a cookie -------------------------------------------------


def count(house: House, kind: str) -> int:
    return len(house.kept()[kind])


def test_a_stranger_who_presses_start_twice_without_a_cookie_is_one_person_at_one_table(house: House) -> None:
    who = house.visitor()
    other_tab = who.copy()
    page = who.get("/new/rps")
    players, tables = count(house, "players"), count(house, "tables")
    first, second = send(who, page, "/new/rps"), send(other_tab, page, "/new/rps")
    assert (first.status, second.status) == (303, 303)
    assert first.location == second.location
    assert (count(house, "players"), count(house, "tables")) == (players + 1, tables + 1)
    for tab in (who, other_tab):
        assert "(you)" in tab.get(first.table).words


def test_a_stranger_who_presses_join_twice_without_a_cookie_sits_once(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="3").table
    who = house.visitor()
    other_tab = who.copy()
    page = who.get(table)
    players = count(house, "players")
    assert [send(tab, page, "/join", name="Ann").status for tab in (who, other_tab)] == [303, 303]
    assert count(house, "players") == players + 1
    seen = other_tab.get(table)
    assert seen.words.count("Ann") == 1
    assert "1 of 3 seats free." in seen.words
    assert "(you)" in seen.words


# -- refused ---------------------------------------------------------------------------------------


def must_be_refused(page: Page, status: int, why: str) -> None:
    assert (page.status, token(page)) == (status, why), page.words[:300]


def test_a_form_that_answers_an_older_question_shows_the_board_as_it_is_now(house: House) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    first, second = (button.value for button in page.form("/turn").moves[:2])
    send(player, page, "/turn", move=first)
    other = party.to_move()
    answer = other.get(party.table)
    other.submit(answer, "/turn", answer.form("/turn").moves[0])
    with house.unchanged():
        stale = send(player, page, "/turn", key="b" * 32, move=second)
    must_be_refused(stale, 409, "game.stale")
    [attempt] = [text(each) for each in parsed(stale).iter("q") if each.get("class") == "attempt"]
    assert attempt == f"Fire at {second.removeprefix('fire ')}"
    assert stale.my_turn
    assert stale.form("/turn")["asked"] == player.get(party.table).form("/turn")["asked"]
    fresh = stale.form("/turn")
    assert player.submit(stale, "/turn", fresh.moves[0]).status == 303


def test_not_your_turn_and_not_your_table(house: House) -> None:
    party = house.fleet()
    mover = party.to_move()
    form = mover.get(party.table).form("/turn")
    shot = form.moves[0]
    waiting = next(who for who in party.players if who is not mover)
    elsewhere = house.fleet().players[0]
    with house.unchanged():
        path = f"{party.table}/turn"
        must_be_refused(waiting.post(path, form.filled(shot)), 409, "game.not_your_turn")
        must_be_refused(elsewhere.post(path, form.filled(shot)), 403, "table.not_seated")
        must_be_refused(house.visitor().post(path, form.filled(shot)), 403, "table.not_seated")


def test_after_the_end_and_before_the_beginning_nothing_is_played(house: House) -> None:
    party = house.thrown("rock", "paper")
    fields = [("key", "e" * 32), ("asked", "0"), ("move", "throw rock")]
    host = house.visitor()
    opened_table = host.start("rps").table
    with house.unchanged():
        for act in ("/turn", "/undo"):
            must_be_refused(party.players[0].post(party.table + act, fields), 409, "game.game_over")
            must_be_refused(host.post(opened_table + act, fields), 409, "table.not_begun")
        quitting = party.players[0].post(f"{party.table}/quit", [("key", "e" * 32), ("how", "resign")])
        assert quitting.status == 409
        must_be_refused(host.post(f"{opened_table}/rematch", [("key", "e" * 32)]), 409, "table.not_over")
        for act in ("/begin", "/remove", "/ready", "/join"):
            answer = host.post(party.table + act, [("key", "e" * 32)])
            assert answer.status in (403, 409), (act, answer.status)


def test_there_is_nothing_to_take_back_before_the_first_move(house: House) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    assert not page.has_form("/undo")
    with house.unchanged():
        fields = [("key", "u" * 32), ("asked", page.form("/turn")["asked"])]
        must_be_refused(player.post(f"{party.table}/undo", fields), 409, "game.nothing_to_undo")


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("fire Z99", "strifebarge.no_such_square"),
        ("fire", None),
        ("", None),
        ("sing", None),
        ("fire A1 A2", None),
        ("resign", None),
        ("undo", None),
        ("leave", None),
        ("hold-fire", None),
        ("x" * 5000, None),
        ('{"do": "fire"}', None),
    ],
)
def test_what_the_rules_refuse_is_a_422_with_a_token_and_the_board(
    house: House, move: str, why: str | None
) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    with house.unchanged():
        refused = send(player, page, "/turn", move=move)
    must_be_refused(refused, 422, why or token(refused))
    assert token(refused)
    assert refused.my_turn
    assert refused.form("/turn")["key"] != page.form("/turn")["key"]


def test_a_shot_at_ones_own_ship_or_a_square_shot_at_before_is_refused_by_its_rule(house: House) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    offered = {button.value.removeprefix("fire ") for button in page.form("/turn").moves}
    own = set(squares(side("close", 2))) - offered
    assert len(own) == 10
    with house.unchanged():
        for square in own:
            must_be_refused(player.move(party.table, f"fire {square}"), 422, "strifebarge.own_ship")
    shot = page.form("/turn").moves[0]
    player.submit(page, "/turn", shot)
    other = party.to_move()
    with house.unchanged():
        assert other.move(party.table, shot.value).token in (
            "strifebarge.already_shot",
            "strifebarge.own_ship",
        )


def salvo(house: House) -> Party:
    return house.gathered("strifebarge", 2, salvo="true")


def test_the_ticks_of_a_refused_salvo_are_kept(house: House) -> None:
    party = salvo(house)
    player = party.to_move()
    page = player.get(party.table)
    form = page.form("/turn")
    squares = [each["value"] for each in form.inputs if each.get("name") == "squares"][:2]
    with house.unchanged():
        refused = player.submit(page, "/turn", form.buttons[0], squares=squares)
    must_be_refused(refused, 422, "strifebarge.wrong_salvo")
    ticked = [value for name, value in refused.form("/turn").fields if name == "squares"]
    assert sorted(ticked) == sorted(squares)
    another = next(
        each["value"]
        for each in refused.form("/turn").inputs
        if each.get("name") == "squares" and "checked" not in each and "disabled" not in each
    )
    accepted = player.submit(refused, "/turn", refused.form("/turn").buttons[0], squares=[*squares, another])
    assert accepted.status == 303, accepted.words


def test_a_choice_may_be_changed_until_everybody_has_chosen_and_counts_once(house: House) -> None:
    party = house.gathered("rps")
    one, other = party.players
    for hand in ("rock", "rock", "scissors"):
        assert one.move(party.table, f"throw {hand}").status == 303
    assert "You have chosen." in one.get(party.table).words
    other.move(party.table, "throw paper")
    words = one.get(party.table).words
    assert "You throw scissors" in words
    assert "You throw rock" not in words


def test_one_who_has_left_for_good_does_nothing_more(house: House) -> None:
    party = house.fleet(3)
    gone = party.players[0]
    form = gone.get(party.table)
    leave(gone, party.table, "resign")
    with house.unchanged():
        fields = [("key", "g" * 32), ("asked", "0"), ("move", "fire A1")]
        assert gone.post(f"{party.table}/turn", fields).status == 409
        assert gone.post(f"{party.table}/undo", fields).status == 409
        assert gone.post(f"{party.table}/quit", [("key", "g" * 32), ("how", "free")]).status == 403
    assert form.status == 200
