"""After the game: the result, the opened seed, looking back, the record, and once more."""

import re
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
import pytest

from strifebarge.results.record import Record, WrongRecord
from strifebarge.results.replaying import replay
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, play_out, token
from tests.web.markup import elements, main, must_be_sound, text

HASH = re.compile(r"\b[0-9a-f]{64}\b")


@pytest.fixture(scope="module")
def finished(house: House) -> Party:
    """A game of Crazy Eights by three, played to its end."""
    party = house.gathered("eights", 3)
    play_out(party, Random(12))
    return party


@pytest.fixture(scope="module")
def sunk(house: House) -> Party:
    """A game of StrifeBarge by three that ended early."""
    party = house.fleet(3)
    chance = Random(5)
    for _ in range(9):
        mover = party.to_move()
        page = mover.get(party.table)
        mover.submit(page, "/turn", chance.choice(page.form("/turn").moves))
    leave(party.players[1], party.table, "resign")
    leave(party.players[0], party.table, "resign")
    return party


def players(page: Page) -> str:
    [seats] = [each for each in elements(must_be_sound(page)) if each.get("class") == "seats"]
    return text(seats)


def test_looking_back_shows_the_players_as_they_were_then(house: House, sunk: Party) -> None:
    for viewer, who in sunk.viewers.items():
        end, start = who.get(sunk.table), who.get(f"{sunk.table}/at/0")
        assert players(end).count("left") == 2, viewer
        assert "left" not in players(start)
        assert players(start).count("to move") == 1
        assert players(start).index("to move") < players(start).index("Guest Golf")


def test_the_first_and_the_last_position_have_all_buttons_too(house: House, sunk: Party) -> None:
    newest = house.referee.views.status(sunk.code).position.number
    greyed = {0: ["First", "Previous"], 1: [], newest: ["Next", "Last"]}
    for number, names in greyed.items():
        tree = must_be_sound(house.visitor().get(f"{sunk.table}/at/{number}"))
        [buttons] = [each for each in elements(tree) if each.get("class") == "acts history"]
        assert [text(each) for each in buttons][:4] == ["First", "Previous", "Next", "Last"]
        assert [text(each) for each in buttons if each.get("aria-disabled")] == names


def test_ships_are_counted_from_the_first_position_to_the_last(house: House, sunk: Party) -> None:
    for path in (sunk.table, f"{sunk.table}/at/0", f"{sunk.table}/at/0?as=seen"):
        assert "3 ships afloat" in players(house.visitor().get(path))


# -- the result ----------------------------------------------------------------------------


def test_winner_loser_and_spectator_see_the_same_places_and_why(house: House, sunk: Party) -> None:
    for viewer, who in sunk.viewers.items():
        page = who.get(sunk.table)
        tree = must_be_sound(page)
        assert page.over
        won = "You won!" if who is sunk.players[2] else "Guest Juliett won."
        assert f"Game over. {won}" in page.words
        assert text(main(tree)).count(won) == 1
        [places] = [each for each in elements(tree) if each.get("class") == "places"]
        rows = [text(row).replace(" (you)", "") for row in places.find("tbody")]
        assert rows == ["1 Guest Juliett", "2 Guest Foxtrot", "3 Guest Golf"], viewer
        assert page.has_form("/rematch") == (who in sunk.players)
        assert not page.has_form("/turn")
        assert f"{sunk.table}/record.json" in page.seen.links


def test_everybody_is_told_why_it_ended_so(house: House) -> None:
    party = house.thrown("rock", "paper")
    loser, winner = (player.get(party.table).words for player in party.players)
    assert "Throws won: you 0, Guest Golf 1." in loser
    assert "Throws won: Guest Foxtrot 0, you 1." in winner
    assert "Throws won: Guest Foxtrot 0, Guest Golf 1." in house.visitor().get(party.table).words


def test_the_seed_opened_at_the_end_is_the_one_promised_at_the_start(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    page = host.start("rps")
    [promised] = HASH.findall(page.text)
    table = page.table
    guest.join(table)
    for player in (host, guest):
        assert HASH.findall(player.get(table).text) == [promised]
    host.move(table, "throw rock")
    guest.move(table, "throw paper")
    for who in (host, guest, house.visitor()):
        seed, shown = HASH.findall(who.get(table).text)
        assert shown == promised
        assert sha256(seed.encode()).hexdigest() == promised


# -- looking back ------------------------------------------------------------------------------


def newest(party: Party) -> int:
    return party.house.referee.views.status(party.code).position.number


def hidden_squares(party: Party, seat: int) -> list[str]:
    table = party.house.referee.views.show(None, party.code)
    return [square for ship in table.position.game.seats[seat].fleet if ship for square in ship.squares]


def test_every_position_can_be_looked_at_by_everybody_while_the_game_runs_and_after(house: House) -> None:
    party = house.gathered("eights", 2)
    chance = Random(3)
    for _ in range(6):
        mover = party.to_move()
        page = mover.get(party.table)
        mover.submit(page, "/turn", chance.choice(page.form("/turn").moves))
    look_at_everything(party)
    leave(party.players[0], party.table, "resign")
    look_at_everything(party)


def look_at_everything(party: Party) -> None:
    last = newest(party)
    for who in party.viewers.values():
        for number in range(last + 1):
            page = who.get(f"{party.table}/at/{number}")
            assert page.status == 200
            assert f"Move {number} of {last}" in page.words
            assert not [form for form in page.forms if form.method == "POST" and form.action != "/prefer"]
        for beyond in (last + 1, 10**6, 10**30):
            refused = who.get(f"{party.table}/at/{beyond}")
            assert (refused.status, refused.headers["Cache-Control"]) == (404, "no-store")


@pytest.mark.parametrize("game", ["strifebarge", "rps", "eights", "chess"])
def test_a_page_that_looks_back_has_no_buttons_that_move(house: House, game: str) -> None:
    party = house.gathered(game)
    mover = party.to_move()
    assert 'name="move"' not in mover.get(f"{party.table}/at/0").text


def test_an_open_table_has_no_positions(house: House) -> None:
    table = house.visitor().start("rps").table
    assert house.visitor().get(f"{table}/at/0").status == 404


def board_of(who: Local, path: str) -> str:
    page = who.get(path).text
    return page[page.index('<section id="board"') : page.index('<div class="plate below')]


def test_afterwards_everything_is_shown_or_only_what_one_saw(house: House) -> None:
    party = house.gathered("eights", 2)
    mover = party.to_move()
    page = mover.get(party.table)
    mover.submit(page, "/turn", page.form("/turn").moves[0])
    before = {who: board_of(who, f"{party.table}/at/0") for who in party.players}
    stranger = board_of(house.visitor(), f"{party.table}/at/0")
    leave(party.players[0], party.table, "resign")
    opened = {board_of(who, f"{party.table}/at/0") for who in (*party.players, house.visitor())}
    for who in party.players:
        assert board_of(who, f"{party.table}/at/0?as=seen") == before[who]
        assert board_of(who, f"{party.table}/at/0") != before[who]
    assert board_of(house.visitor(), f"{party.table}/at/0?as=seen") == stranger
    assert stranger not in opened


def test_while_the_game_runs_as_seen_shows_no_more_and_no_less(house: House) -> None:
    party = house.gathered("eights", 2)
    for who in (*party.players, house.visitor()):
        plain, seen = (board_of(who, f"{party.table}/at/0{end}") for end in ("", "?as=seen"))
        assert plain == seen


def test_the_whole_log_tells_of_every_move(house: House, finished: Party, sunk: Party) -> None:
    for party in (finished, sunk):
        page = house.visitor().get(f"{party.table}/log")
        [log] = [each for each in elements(must_be_sound(page)) if each.get("class") == "log whole"]
        numbers = [int(text(line.find("a"))) for line in log]
        assert numbers == sorted(numbers)
        assert numbers[-1] == newest(party)
        assert len(numbers) >= len(set(numbers)) > 3


def test_the_log_can_be_taken_along_as_plain_text_by_everybody_as_they_may_read_it(house: House) -> None:
    party = house.gathered("eights")
    for viewer in party.viewers.values():
        page, file = viewer.get(f"{party.table}/log"), viewer.get(f"{party.table}/log.txt")
        [log] = [each for each in elements(must_be_sound(page)) if each.get("class") == "log whole"]
        assert file.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert file.headers["Cache-Control"] == "no-store"
        assert f'eights-{party.code}.txt"' in file.headers["Content-Disposition"]
        assert file.text.splitlines()[:2] == ["Crazy Eights", ""]
        assert [" ".join(line.split()) for line in file.text.splitlines()[2:]] == [text(line) for line in log]


def test_the_log_in_the_books_is_plain_text_too(house: House, sunk: Party) -> None:
    record = house.referee.views.status(sunk.code).ending.record
    page = house.visitor().get(f"/r/{record}/log")
    assert f"/r/{record}/log.txt" in page.seen.links
    assert " missed at " in house.visitor().get(f"/r/{record}/log.txt").text


# -- the record ----------------------------------------------------------------------------------


def record_of(party: Party) -> Record:
    page = party.house.visitor().get(f"{party.table}/record.json")
    assert page.status == 200
    assert page.headers["Content-Type"].startswith("application/json")
    assert page.headers["Content-Disposition"].startswith("attachment; ")
    return msgspec.json.decode(page.body, type=Record)


def test_there_is_no_record_while_the_game_runs(house: House) -> None:
    host = house.visitor()
    for party in (Party(house, host.start("rps").table, [host]), house.fleet(), house.thrown("rock")):
        for who in (*party.players, house.visitor()):
            refused = who.get(f"{party.table}/record.json")
            assert (refused.status, token(refused)) == (409, "table.not_over")


def test_a_record_plays_again_to_the_same_end(house: House, finished: Party, sunk: Party) -> None:
    for party in (finished, sunk, house.thrown("paper", "rock")):
        record = record_of(party)
        match = replay(record, house.referee.library).match
        assert match.fingerprint() == record.moves[-1].fingerprint
        assert match.number == newest(party) == record.moves[-1].number
        assert match.result == house.referee.views.status(party.code).ending.result
        assert sha256(record.seed.encode()).hexdigest() == record.commitment


def another(value: str) -> str:
    return ("1" if value[0] == "0" else "0") + value[1:]


def without(moves: list[Any], at: int) -> list[Any]:
    return moves[:at] + moves[at + 1 :]


TAMPERING: dict[str, Callable[[dict[str, Any]], object]] = {
    "another seed": lambda record: record.update(seed=another(record["seed"])),
    "another promise": lambda record: record.update(commitment=another(record["commitment"])),
    "another seed with its promise": lambda record: record.update(
        seed="0" * 64, commitment=sha256(b"0" * 64).hexdigest()
    ),
    "another winner": lambda record: record.update(places=record["places"][::-1]),
    "no places": lambda record: record.update(places=[]),
    "the first move left out": lambda record: record.update(moves=without(record["moves"], 0)),
    "a move left out": lambda record: record.update(moves=without(record["moves"], 2)),
    "the last move left out": lambda record: record["moves"].pop(),
    "no moves": lambda record: record["moves"].clear(),
    "a move twice": lambda record: record["moves"].insert(2, record["moves"][1]),
    "two moves exchanged": lambda record: record["moves"].__setitem__(slice(0, 2), record["moves"][1::-1]),
    "another fingerprint": lambda record: record["moves"][3].update(
        fingerprint=another(record["moves"][3]["fingerprint"])
    ),
    "another seat": lambda record: record["moves"][3].update(seat=(record["moves"][3]["seat"] + 1) % 3),
    "another action": lambda record: record["moves"][1]["action"].update(square="ZZ99"),
    "no such action": lambda record: record["moves"][1].update(action={"do": "win"}),
    "one player more": lambda record: record["names"].append("Eve"),
    "one player fewer": lambda record: record["names"].pop(),
    "other options": lambda record: record["options"].update(sea="open"),
    "options there are not": lambda record: record["options"].update(sea="dead"),
}


@pytest.mark.parametrize("how", TAMPERING)
def test_a_record_that_was_tampered_with_is_refused(house: House, sunk: Party, how: str) -> None:
    plain = msgspec.to_builtins(record_of(sunk))
    TAMPERING[how](plain)
    with pytest.raises(WrongRecord):
        replay(msgspec.convert(plain, Record), house.referee.library)


# -- once more --------------------------------------------------------------------------------------


def test_a_rematch_is_one_table_whoever_asks_for_it(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    pages = [one.get(party.table), other.get(party.table)]
    first, second = one.submit(pages[0], "/rematch"), other.submit(pages[1], "/rematch")
    assert (first.status, second.status) == (303, 303)
    assert first.location == second.location
    assert one.get(first.table).my_turn
    assert other.get(first.table).my_turn
    assert first.table in house.visitor().get(party.table).seen.links


def test_to_the_rematch_is_one_press_for_each(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    again = one.submit(one.get(party.table), "/rematch").table
    page = other.get(party.table)
    assert "To the rematch" in page.words
    assert other.submit(page, "/rematch").table == again
    assert other.get(again).my_turn
    stranger = house.visitor().get(party.table)
    assert again in stranger.seen.links
    assert not stranger.has_form("/rematch")


def test_a_rematch_starts_when_all_have_agreed_and_seats_move_on_by_one(house: House) -> None:
    party = house.fleet(3)
    leave(party.players[0], party.table, "resign")
    leave(party.players[1], party.table, "resign")
    old = [chair.player for chair in house.referee.views.status(party.code).chairs]
    asker, *others = party.players[::-1]
    table = asker.submit(asker.get(party.table), "/rematch").table
    code = table.removeprefix("/g/")
    for other in others:
        assert house.referee.views.status(code).status == "open"
        page = other.get(table)
        assert page.my_turn
        assert "Play again?" in page.words
        assert other.submit(page, "/ready").status == 303
    again = house.referee.views.status(code)
    assert again.status == "playing"
    assert [chair.player for chair in again.chairs] == [*old[1:], old[0]]
    assert again.settings.options == house.referee.views.status(party.code).settings.options
    assert again.seed != house.referee.views.status(party.code).seed


def test_who_did_not_play_asks_for_no_rematch(house: House) -> None:
    party = house.thrown("rock", "paper")
    watcher = house.visitor()
    watcher.start("rps")
    with house.unchanged():
        for who in (watcher, house.visitor()):
            refused = who.post(f"{party.table}/rematch", [("key", "w" * 32)])
            assert (refused.status, token(refused)) == (403, "table.not_seated")


def test_the_host_of_a_rematch_may_begin_without_those_who_do_not_come(house: House) -> None:
    party = house.fleet(3)
    leave(party.players[0], party.table, "resign")
    leave(party.players[1], party.table, "resign")
    host, other = party.players[0], party.players[2]
    table = host.submit(host.get(party.table), "/rematch").table
    other.submit(other.get(table), "/ready")
    assert "Start now with 2 players" in host.get(table).words
    assert host.submit(host.get(table), "/begin").status == 303
    assert len(house.referee.views.status(table.removeprefix("/g/")).chairs) == 2
    late = party.players[1].get(table)
    assert "You're watching." in late.words
