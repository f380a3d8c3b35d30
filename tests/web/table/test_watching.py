"""Who may watch: at once, some moves later, or not before the game is over; and how many do."""

import re
from collections.abc import Callable

import msgspec
import pytest

from strifebarge.tables.clock.presence import PAGE_TURN_GRACE, SPECTATOR_KEPT_EVERY
from strifebarge.tables.model.status import NOBODY, WATCHING
from tests.support.visitor import Local, Page
from tests.web.company import follow, link
from tests.web.house import House, Party, Wall, hand_on, leave, suspend, token
from tests.web.table.test_put_aside import hand_of, press
from tests.web.table.test_talk import must_say

OF_THE_GAME = ("/log", "/log.txt", "/at/0", "/at/1", "/at/99", "/at/0?as=seen", "/talk", "/export.pgn")


def chess(house: House, moves: int = 0, **terms: str) -> Party:
    """A game of chess after so many moves; the first player has White."""
    party = house.gathered("chess", **terms)
    play(party, moves)
    return party


def play(party: Party, moves: int) -> None:
    for _ in range(moves):
        mover = party.to_move()
        page = mover.get(party.table)
        words = ("move e4", "move e5", "move Nf3", "move Nc6", "move Bb5", "move a6")[number_of(party)]
        answer = mover.move(party.table, words)
        assert answer.status == 303, (page.words, answer.words)


def number_of(party: Party) -> int:
    return party.house.referee.views.status(party.code).position.number


def counts(page: Page) -> list[int]:
    """The moves of which the log of a page tells."""
    return [int(number) for number in re.findall(r'data-move="(\d+)"', page.text)]


def watchers(party: Party) -> dict[str, Local]:
    """Everybody who may only watch a game of three: strangers, known ones, and those who had a seat."""
    house = party.house
    player, held, helper = house.visitor(), house.visitor(), house.visitor()
    player.start("rps")
    heir, resigned, keeper = house.visitor(), party.players[1], party.players[2]
    handed = hand_on(keeper, party.table)
    assert held.get(handed).status == 200  # who holds a link to a seat has none by that
    assert follow(helper, link(keeper, party.table, "substitute")).status == 303
    assert follow(heir, handed).status == 303
    assert leave(resigned, party.table, "resign").status == 303
    party.players[:] = [party.players[0], heir]
    return {
        "a stranger": house.visitor(),
        "somebody known": player,
        "who holds a link to a seat": held,
        "a substitute": helper,
        "who handed the seat on": keeper,
        "who left for good": resigned,
    }


# -- what is agreed before the game -----------------------------------------------------------------


def test_who_may_watch_is_chosen_with_the_other_terms_and_said_before_anybody_sits_down(
    house: House,
) -> None:
    host = house.visitor()
    page = host.start("rps", t_watching="3", name="Ann")
    assert house.referee.views.status(page.code).settings.watching == 3
    assert "anyone, 3 moves later" in house.visitor().get(page.table).words
    changed = host.submit(host.get(f"{page.table}/settings"), "/settings", t_watching=str(NOBODY))
    assert changed.status == 303
    stranger = house.visitor().get(page.table)
    assert "only players until it ends set by Ann" in stranger.words
    assert "just watch" not in stranger.words
    assert "just watch" in house.visitor().get(house.visitor().start("rps").table).words


@pytest.mark.parametrize("value", ["4", "-2", "x", "1.5", "99999999999"])
def test_what_nobody_can_choose_is_refused(house: House, value: str) -> None:
    who = house.visitor()
    with house.unchanged():
        page = who.get("/new/rps")
        refused = who.post("/new/rps", page.form("/new/rps").filled(t_watching=value))
        assert (refused.status, "setting doesn't exist" in refused.words) == (422, True)


def test_a_rematch_may_be_watched_as_the_game_was(house: House) -> None:
    party = house.gathered("rps", t_watching=str(NOBODY))
    for player, hand in zip(party.players, ("rock", "paper"), strict=True):
        player.move(party.table, f"throw {hand}")
    again = party.players[0].submit(party.players[0].get(party.table), "/rematch").code
    assert house.referee.views.status(again).settings.watching == NOBODY


# -- nobody ----------------------------------------------------------------------------------------------


def test_where_nobody_may_watch_there_is_nothing_of_the_game_at_any_address_until_it_is_over(
    house: House,
) -> None:
    party = house.gathered("eights", 3, t_watching=str(NOBODY))
    for name, who in watchers(party).items():
        for path in ("", "?view=text", "?view=text&say=last", "?say=board", "?say=who", "?say=time"):
            page = who.get(party.table + path)
            assert page.status == 200, (name, path)
            assert 'data-token="table.not_watched"' in page.text, (name, path)
            assert "Only players see this game until it ends" in page.words
            assert 'id="board"' not in page.text
            assert "to move" not in page.words
            assert "left" not in page.words
            assert not counts(page)
        who.get(f"{party.table}?view=board")
        for path in OF_THE_GAME:
            page = who.get(party.table + path)
            assert (page.status, token(page)) == (403, "table.not_watched"), (name, path)
            assert party.table in page.seen.links
        assert who.get(f"{party.table}/record.json").status == 409
        refused = who.post(f"{party.table}/turn", [("key", "k" * 32), ("asked", "0"), ("move", "draw")])
        assert 'id="board"' not in refused.text
    for player in party.players:
        assert 'id="board"' in player.get(party.table).text
    leave(party.players[0], party.table, "resign")
    for path in ("", "/log", "/at/0", "/talk"):
        page = house.visitor().get(party.table + path)
        assert page.status == 200
        assert "not_watched" not in page.text
    assert 'id="board"' in house.visitor().get(party.table).text


def test_nobody_who_may_not_watch_hears_that_anything_has_happened_before_it_is_over(house: House) -> None:
    party = chess(house, t_watching=str(NOBODY))
    stranger = house.visitor()
    before = stranger.get(party.table).body, stranger.get(f"{party.table}/version").body
    frame = stranger.get(f"{party.table}/status?v={before[1].decode()}").words
    play(party, 2)
    suspend(party.players[0], party)
    assert (stranger.get(party.table).body, stranger.get(f"{party.table}/version").body) == before
    assert stranger.get(f"{party.table}/status?v={before[1].decode()}").words == frame
    assert "There's news" not in frame
    for player in party.players:
        press(player, party, "/ready")
    leave(party.players[0], party.table, "resign")
    assert stranger.get(f"{party.table}/version").body != before[1]
    assert "There's news" in stranger.get(f"{party.table}/status?v={before[1].decode()}").words


def test_where_nobody_may_watch_nobody_speaks_who_does(house: House) -> None:
    party, stranger = chess(house, t_watching=str(NOBODY)), house.visitor()
    must_say(party.players[0], party, "Good luck to you")
    assert "Good luck to you" not in stranger.get(party.table).text
    with house.unchanged():
        refused = stranger.post(f"{party.table}/say", [("key", "g" * 32), ("text", "Hello")])
        assert (refused.status, refused.token) == (403, "table.not_watched")


def test_a_free_seat_can_be_taken_where_nobody_may_watch(house: House) -> None:
    party = house.gathered("eights", 3, t_watching=str(NOBODY))
    assert leave(party.players[1], party.table, "free").status == 303
    heir = house.visitor()
    page = heir.get(party.table)
    assert "Take the free seat" in page.words
    assert 'id="board"' not in page.text
    invited = heir.get(f"{party.table}?i={house.referee.views.status(party.code).invitation.code}")
    assert heir.submit(invited, "/join").status == 303
    assert hand_of(heir.get(party.table))


# -- some moves later ------------------------------------------------------------------------------------


def test_who_watches_some_moves_later_sees_the_game_as_it_stood_then(house: House) -> None:
    party, stranger = chess(house, 2, t_watching="3"), house.visitor()
    assert not counts(stranger.get(party.table))
    play(party, 3)
    page = stranger.get(party.table)
    white, black = (player.get(party.table) for player in party.players)
    assert "You're watching, 3 moves behind. Waiting for Guest Foxtrot." in page.words
    assert (max(counts(page)), max(counts(white)), max(counts(black))) == (2, 5, 5)
    assert stranger.get(f"{party.table}/at/2").status == 200
    assert "Move 2 of 2" in stranger.get(f"{party.table}/at/2").words
    for number in (3, 4, 5, 6):
        assert stranger.get(f"{party.table}/at/{number}").status == 404
    assert "Nf3" in party.players[0].get(f"{party.table}/log").words
    for path in ("", "/log", "/log.txt", "/at/2", "/export.pgn", "?view=text&say=last"):
        text = stranger.get(party.table + path).text
        assert "Nf3" not in text
        assert "Bb5" not in text
    assert "e5" in stranger.get(f"{party.table}/log.txt").text
    leave(party.players[0], party.table, "resign")
    assert "Bb5" in stranger.get(f"{party.table}/log").words
    assert stranger.get(party.table).over


def test_a_page_that_waits_hears_of_a_move_when_it_may_be_seen(house: House) -> None:
    party, stranger = chess(house, t_watching="2"), house.visitor()
    marks = [stranger.get(f"{party.table}/version").text]
    for _ in range(4):
        play(party, 1)
        marks.append(stranger.get(f"{party.table}/version").text)
    assert marks[0] == marks[1] == marks[2]
    assert len(set(marks)) == 3
    assert f'data-version="{marks[-1]}"' in stranger.get(party.table).text


def test_choices_made_at_once_are_seen_when_so_many_moves_have_followed(house: House) -> None:
    party, stranger = house.gathered("rps", best_of="7", t_watching="2"), house.visitor()
    before = stranger.get(party.table).body
    party.players[0].move(party.table, "throw rock")
    assert stranger.get(party.table).body == before  # nor that one of them has chosen
    assert "has chosen" in party.players[1].get(party.table).words
    party.players[1].move(party.table, "throw paper")
    assert stranger.get(party.table).body == before
    for player in party.players:
        player.move(party.table, "throw rock")
    assert "paper" in stranger.get(f"{party.table}/log").words.lower()


def test_no_clock_is_shown_of_a_past_nor_who_is_here_now(house: House) -> None:
    party = chess(house, 2, pace="clock-10-5", t_watching="1")
    stranger, player = house.visitor(), party.players[0]
    assert 'id="clock"' in player.get(party.table).text
    assert "here now" in party.players[1].get(party.table).words
    for path in ("", "?view=text&say=time", "?view=text&say=who", f"/status?v={'0'}"):
        page = stranger.get(party.table + path)
        for words in ("here now", "Not here now", " left", "not here yet", "last here"):
            assert words not in page.words, (path, words)
    assert "10 minutes + 5 seconds per move" in stranger.get(party.table).words
    version = stranger.get(f"{party.table}/version").text
    for each in party.players:
        press(each, party, "/pause")
    assert stranger.get(f"{party.table}/version").text == version
    assert "pause" not in stranger.get(f"{party.table}?view=text&say=time").words.partition("Settings")[0]


def test_who_watches_later_does_not_read_what_those_say_who_play(house: House) -> None:
    party, one, other = chess(house, 2, t_watching="2"), house.visitor(), house.visitor()
    must_say(party.players[0], party, "What a fork!")
    must_say(one, party, "Who is winning?")
    for path in ("", "/talk"):
        assert "Who is winning?" in other.get(party.table + path).text
        assert "What a fork!" not in other.get(party.table + path).text
        assert "Who is winning?" not in party.players[0].get(party.table + path).text
    leave(party.players[0], party.table, "resign")
    assert "What a fork!" in other.get(f"{party.table}/talk").text


def test_who_left_for_good_watches_like_the_others(house: House) -> None:
    party = house.gathered("eights", 4, t_watching="20")
    resigned = party.players[1]
    leave(resigned, party.table, "resign")
    party.players.remove(resigned)
    page, mine = resigned.get(party.table), resigned.get("/games/version").text
    assert "You're watching, 20 moves behind." in page.words
    for who in (resigned, house.visitor()):
        for path in ("", "?view=text&say=who", "/log"):
            assert "left" not in who.get(party.table + path).words
    assert "left" in party.players[0].get(party.table).words
    resigned.get(f"{party.table}?view=board")
    assert party.table in resigned.get("/games").text
    mover = party.to_move()
    mine_now = mover.get(party.table)
    assert mover.submit(mine_now, "/turn", mine_now.form("/turn").moves[0]).status == 303
    assert resigned.get("/games/version").text == mine
    must_say(resigned, party, "It was my fault")
    assert "It was my fault" not in party.players[0].get(party.table).text
    assert resigned.get(f"{party.table}/at/1").status == 404


def test_a_substitute_who_watches_later_may_take_the_seat_in_time(house: House, clock: Wall) -> None:
    party, helper = house.gathered("eights", 3, t_watching="20"), house.visitor()
    mover = party.to_move()
    follow(helper, link(mover, party.table, "substitute"))
    assert not helper.get(party.table).has_form("/take-over")
    clock.days(8)
    page = helper.get(party.table)
    assert page.has_form("/take-over")
    assert "has been away for" not in page.words
    assert helper.submit(page, "/take-over").status == 303
    assert hand_of(helper.get(party.table))


@pytest.mark.parametrize("watching", WATCHING)
def test_the_page_of_strangers_is_the_same_for_all_and_may_be_kept_a_second(
    house: House, watching: int
) -> None:
    party = chess(house, 4, t_watching=str(watching))
    one, other = (house.visitor().get(party.table) for _ in range(2))
    assert one.body == other.body
    assert one.headers["Cache-Control"] == "public, max-age=1"
    assert 'name="key"' not in one.text
    for path in ("/version", "/status"):  # by which they are counted
        assert house.visitor().get(party.table + path).headers["Cache-Control"] == "no-store"


# -- how many ----------------------------------------------------------------------------------------------


def count_on(page: Page) -> str:
    return (re.findall(r"(\d+) (?:person is|people are) watching", page.words) or ["none"])[0]


ASKING: dict[str, Callable[[Local, str], Page]] = {
    "with a script": lambda who, table: who.get(f"{table}/version"),
    "without": lambda who, table: who.get(f"{table}/status?n=1"),
}


@pytest.mark.parametrize("how", ASKING)
def test_all_see_how_many_watch_and_whoever_only_fetches_pages_does_not(
    house: House, clock: Wall, how: str
) -> None:
    party, watcher = chess(house), house.visitor()
    watcher.start("rps")
    for preview in (house.visitor(), house.visitor()):
        for path in ("", "/log", "/status", "?view=text"):
            preview.get(party.table + path)
    assert count_on(party.players[0].get(party.table)) == "none"
    for who in (house.visitor(), watcher):
        for _ in range(4):
            ASKING[how](who, party.table)
            clock.seconds(2)
    for who in (*party.players, watcher, house.visitor()):
        assert count_on(who.get(party.table)) == "2"
        assert "2 people are watching." in who.get(f"{party.table}?view=text&say=who").words
        who.get(f"{party.table}?view=board")
    for player in party.players:  # who plays does not count, however often they ask
        for _ in range(3):
            player.get(f"{party.table}/version")
    ASKING[how](watcher, party.table)
    clock.seconds(SPECTATOR_KEPT_EVERY)
    ASKING[how](watcher, party.table)
    clock.seconds(PAGE_TURN_GRACE)
    assert count_on(party.players[0].get(party.table)) == "1"
    clock.seconds(SPECTATOR_KEPT_EVERY + 1)
    assert count_on(party.players[0].get(party.table)) == "none"


def test_of_those_who_watch_nothing_is_kept_but_a_mark_and_that_not_for_long(
    house: House, clock: Wall
) -> None:
    party, player = chess(house), house.visitor()
    player.start("rps")
    me = next(iter(house.store.accounts.player(each[0]) for each in house.kept_of("players")), None)
    assert me is not None
    with house.unchanged():
        for who in (player, house.visitor("192.0.2.77")):
            for _ in range(3):
                who.get(f"{party.table}/version")
                clock.seconds(1)
    rows = [row for row in house.kept_of("spectators") if row[0] == party.code]
    assert len(rows) == 2
    players = {str(row[0]) for row in house.kept_of("players")}
    for _, mark, until in rows:
        assert re.fullmatch("[0-9a-f]{24}", str(mark))
        assert mark not in players
        assert until <= clock.at + SPECTATOR_KEPT_EVERY + PAGE_TURN_GRACE
    clock.seconds(300)
    other = chess(house)
    for _ in range(2):
        player.get(f"{other.table}/version")
    assert {row[0] for row in house.kept_of("spectators")} == {other.code}


@pytest.mark.parametrize("state", ["open", "over", "not to be watched"])
def test_nobody_is_counted_where_there_is_nothing_to_watch(house: House, state: str) -> None:
    stranger = house.visitor()
    if state == "open":
        table = house.visitor().start("rps").table
    else:
        party = chess(house, t_watching=str(NOBODY if state == "not to be watched" else 0))
        table = party.table
        if state == "over":
            leave(party.players[0], table, "resign")
    for _ in range(3):
        stranger.get(f"{table}/version")
    assert count_on(house.visitor().get(table)) == "none"
    assert not [row for row in house.kept_of("spectators") if f"/g/{row[0]}" == table]


def test_where_nothing_is_written_nobody_is_counted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party, stranger = chess(house), house.visitor()
    saving = msgspec.structs.replace(house.app.extensions["settings"], read_only=True)
    monkeypatch.setitem(house.app.extensions, "settings", saving)
    for _ in range(3):
        assert stranger.get(f"{party.table}/version").status == 200
    assert not [row for row in house.kept_of("spectators") if row[0] == party.code]
