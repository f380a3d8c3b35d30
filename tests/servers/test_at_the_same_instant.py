"""Many who press at the same instant: the last seat, two tabs, a secret choice each, a rematch."""

import re
from collections.abc import Callable
from functools import partial
from itertools import product

import pytest

from tests.servers.books import Books, library
from tests.support.together import together
from tests.support.visitor import PRESENCE, REFERENCE, Page, Remote

pytestmark = pytest.mark.servers
New = Callable[[], Remote]
HANDS = ("rock", "paper", "scissors")


def two_at(game: str, new: New, **options: str) -> tuple[Remote, Remote, str]:
    """A game that has begun: its players, and its address."""
    one, other = new(), new()
    table = one.start(game, **options).table
    other.join(table)
    return one, other, table


# -- the last seat ------------------------------------------------------------------------


def race_for(table: str, racers: list[Remote]) -> list[Page]:
    """Each has the page before them; all press Join at the same instant."""
    return together(*[partial(racer.submit, racer.get(table), "/join") for racer in racers])


@pytest.mark.parametrize("seats", [2, 3])
def test_of_fifty_who_race_for_the_last_seat_one_sits_and_the_rest_may_watch(
    seats: int, visitor: New, books: Books
) -> None:
    host = visitor()
    table = host.start("strifebarge", seats=str(seats)).table
    for _ in range(seats - 2):
        visitor().join(table)
    racers = [visitor() for _ in range(50)]
    answers = race_for(table, racers)
    assert sorted(answer.status for answer in answers) == [303] + [409] * 49
    sitting = [racer for racer in racers if "(you)" in racer.get(table).words]
    assert len(sitting) == 1
    code = table.removeprefix("/g/")
    players = books.players(code)
    assert len(set(players)) == seats
    assert None not in players
    for answer in answers:
        if answer.status == 409:
            assert answer.token == "table.full"
            assert "The table is full." in answer.words
            assert "You're watching." in answer.words  # the answer is itself the page to watch on
            assert table in answer.seen.links
    books.must_replay(code, library())


def test_a_person_who_joins_from_two_tabs_has_one_seat(visitor: New, books: Books) -> None:
    for _ in range(10):
        table = visitor().start("strifebarge", seats="4").table
        player = visitor()
        player.start("rps")
        tabs = [player.copy(), player.copy()]
        answers = race_for(table, tabs)
        assert [answer.status for answer in answers] == [303, 303]
        assert books.players(table.removeprefix("/g/")).count(None) == 2


def test_a_person_whose_last_answer_got_lost_is_still_the_same_person(visitor: New) -> None:
    """The browser still sends the cookie it had before the answer that never came."""
    player = visitor()
    first = player.start("eights", seats="1").table
    lost = player.copy()
    assert lost.submit(lost.get("/"), "/new/rps").status == 303
    assert player.get(first).my_turn
    assert first in player.get("/games").seen.links


# -- two tabs ------------------------------------------------------------------------------


def test_of_two_tabs_that_move_at_once_one_is_played_and_the_other_told(visitor: New, books: Books) -> None:
    pairs = 0
    while pairs < 200:
        one, other, table = two_at("strifebarge", visitor, seats="2")
        code = table.removeprefix("/g/")
        while pairs < 200 and books.table(code)["status"] != "over":
            for player in (one, other):
                pairs += two_tabs_of(player, table)
        lines = books.moves(code)
        assert len(lines) == books.table(code)["number"]
        books.must_replay(code, library())


def two_tabs_of(player: Remote, table: str) -> int:
    """Two different shots from two pages shown at the same time: one move."""
    tabs = [player.copy(), player.copy()]
    pages = [tab.get(table) for tab in tabs]
    if not pages[0].my_turn:
        return 0
    forms = [page.form("/turn") for page in pages]
    assert forms[0]["key"] != forms[1]["key"]
    assert forms[0]["asked"] == forms[1]["asked"]
    shots = [forms[0].moves[0], forms[1].moves[-1]]  # the same one, if it is the last there is
    answers = together(
        partial(tabs[0].submit, pages[0], "/turn", shots[0]),
        partial(tabs[1].submit, pages[1], "/turn", shots[1]),
    )
    assert sorted(answer.status for answer in answers) == [303, 409], [answer.words for answer in answers]
    [refused] = [answer for answer in answers if answer.status == 409]
    assert refused.token in ("game.stale", "game.not_your_turn", "game.game_over")
    assert "Not played:" in refused.words
    return 1


# -- a secret choice each ---------------------------------------------------------------------


def test_two_secret_choices_at_once_are_revealed_once(visitor: New, books: Books) -> None:
    for one_hand, other_hand in list(product(HANDS, HANDS)) * 4:
        one, other, table = two_at("rps", visitor, best_of="7", ties="count")
        code = table.removeprefix("/g/")
        for question in range(3):
            pages = one.get(table), other.get(table)
            answers = together(
                partial(one.submit, pages[0], "/turn", move=f"throw {one_hand}"),
                partial(other.submit, pages[1], "/turn", move=f"throw {other_hand}"),
            )
            assert [answer.status for answer in answers] == [303, 303]
            done = sorted(answer.location.partition("?")[2] for answer in answers)
            # The first is told of nothing new; the second, of both.
            assert done == [f"done={2 * question}#turn", f"done={2 * question + 2}#turn"]
        moves = books.moves(code)
        assert [(line.seat, line.action["hand"]) for line in moves] == [(0, one_hand), (1, other_hand)] * 3
        log = one.get(f"{table}/log").text
        assert (log.count("You throw "), log.count(f" throws {other_hand}")) == (3, 3)
        books.must_replay(code, library())


def test_nothing_anybody_is_sent_depends_on_a_choice_before_the_reveal(visitor: New) -> None:
    """Three worlds that differ in the first player's choice alone look the same to everybody else."""
    worlds = [what_the_others_are_sent(visitor, hand) for hand in HANDS]
    assert worlds[0] == worlds[1] == worlds[2]
    assert len(worlds[0]) == 2 * 8 + 2


def what_the_others_are_sent(new: New, hand: str) -> list[tuple[object, ...]]:
    one, other, table = two_at("rps", new, best_of="3")
    stranger = new()
    first = one.move(table, f"throw {hand}")
    second = one.move(table, f"throw {hand}")  # the same choice again: a change of nothing
    seen = [plain(first, table), plain(second, table)]
    for viewer in (other, stranger):
        for place in ("", "/status?v=2", "/version", "/log", "/at/0", "/at/1", "/record.json", "/quit"):
            seen.append(plain(viewer.get(table + place), table))
    return seen


def plain(page: Page, table: str) -> tuple[object, ...]:
    """An answer without what differs between two tables: codes, keys, seals, tokens, times, who is here."""
    code = table.removeprefix("/g/")
    text = PRESENCE.sub("", page.text).replace(code, "CODE").replace(f"{code[:4]}-{code[4:]}", "CODE")
    text = re.sub(r"\b[0-9a-f]{32,64}\b", "HEX", text)
    text = re.sub(r"seat\?t=[\w.~-]+", "SEAT", text)
    text = re.sub(r"<time .*?</time>", "TIME", text)
    text = re.sub(r"(@|%40)[01]+", "", text)  # the end of the page's version: who is here
    text = re.sub(r"\n+", "\n", text)  # an empty line stands where somebody's presence was told
    headers = [(name, value.replace(code, "CODE")) for name, value in page.headers.items()]
    # The length is that of the whole page, and the tag a hash of it; each request has an id of its own.
    differ = ("Content-Length", "Date", "ETag", "Set-Cookie", "X-Request-ID")
    return page.status, [pair for pair in headers if pair[0] not in differ], REFERENCE.sub("", text)


# -- a rematch ----------------------------------------------------------------------------------


def test_all_eight_who_press_rematch_at_once_sit_at_one_new_table_and_it_begins(
    visitor: New, books: Books
) -> None:
    players = [visitor() for _ in range(8)]
    table = players[0].start("strifebarge", seats="8").table
    for player in players[1:]:
        player.join(table)
    for player in players[1:]:
        player.submit(player.get(f"{table}/quit"), "/quit", how="resign")
    before = books.count("tables")
    answers = together(*[partial(player.submit, player.get(table), "/rematch") for player in players])
    assert [answer.status for answer in answers] == [303] * 8
    assert len({answer.location for answer in answers}) == 1
    assert books.count("tables") == before + 1
    again = books.table(answers[0].code)
    assert again["status"] == "playing"
    assert [chair["player"] for chair in again["chairs"]] == (
        books.players(table.removeprefix("/g/"))[1:] + books.players(table.removeprefix("/g/"))[:1]
    )
    assert sum(player.get(answers[0].table).my_turn for player in players) == 1
