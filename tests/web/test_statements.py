"""How often a request asks the database: three times for news of a table, six for a page, seven to move."""

from collections.abc import Iterator

import pytest

from strifebarge.store import ledger
from tests.support.databases import statements
from tests.web.house import House, Party

OF_A_TRANSACTION = ("BEGIN", "COMMIT")
PAGES = ("", "?view=text", "?view=board", "/talk")
NEWS = ("/status", "/version")
READS = ["SELECT"] * 3  # who asks, the table, its people
OF_A_PAGE = [*READS, "SELECT", "SELECT", "SELECT"]  # and its chat, the reader's note, whom they do not read
MOVE = [*READS, "UPDATE", "INSERT", "INSERT", "INSERT"]


@pytest.fixture
def statement_log(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is said to the database from now on, without purges, of which one comes with a thousand writes."""
    monkeypatch.setattr(ledger, "now_and_then", lambda: False)
    house.referee.attendance.deferred = True  # as where a thread writes who is there
    yield statements(house.referee.store.engine)  # type: ignore[attr-defined]
    house.referee.attendance.deferred = False


def counted(log: list[str]) -> list[str]:
    verbs = [words.split()[0] for words in log if not words.startswith(OF_A_TRANSACTION)]
    log.clear()
    return verbs


def test_a_page_of_a_table_asks_six_times_and_news_three_times(
    house: House, statement_log: list[str]
) -> None:
    every = house.scenes()
    scenes = {name: every[name] for name in ("open", "playing", "chess", "by the clock", "one device")}
    verbs: dict[tuple[str, str], list[str]] = {}
    for name, party in scenes.items():
        for who in (*party.players, house.visitor()):
            for page in PAGES + NEWS:
                statement_log.clear()
                assert who.get(party.table + page).status == 200
                verbs[name, page] = max(verbs.get((name, page), []), counted(statement_log), key=len)
    # Before a game begins its players are shown whom else they may invite.
    # Where time runs for days it is asked who is on vacation; at one device each seat has its note.
    once_more = "open", "chess", "one device"
    verbs |= {key: log[1:] for key, log in verbs.items() if key[0] in once_more}
    most = {page: OF_A_PAGE for page in PAGES} | {page: READS for page in NEWS}
    assert {key: log for key, log in verbs.items() if len(log) > len(most[key[1]])} == {}


def test_talk_and_a_move_of_somebody_else_cost_a_page_nothing_more(
    house: House, statement_log: list[str]
) -> None:
    party = house.fleet()
    one, other = party.players[:2]
    for number in range(3):
        other.get(party.table)
        page = one.get(f"{party.table}/talk")
        one.submit(page, "/say", text=f"Line {number}")
        statement_log.clear()
        assert f"Line {number}" in other.get(party.table).words
        assert counted(statement_log) == OF_A_PAGE


def test_a_move_costs_seven_statements_and_two_more_at_a_stage(
    house: House, statement_log: list[str]
) -> None:
    party = house.fleet()
    costs = [cost_of_a_move(party, statement_log) for _ in range(6)]
    assert MOVE in costs
    for cost in costs:
        assert sorted(cost) in (sorted(MOVE), sorted([*MOVE, "DELETE", "INSERT"]))


def cost_of_a_move(party: Party, statement_log: list[str]) -> list[str]:
    """Return the statements of the next move."""
    for who in party.players:
        page = who.get(party.table)
        if page.has_form("/turn"):
            statement_log.clear()
            assert who.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
            return counted(statement_log)
    raise AssertionError("nobody is to move")


def test_a_move_that_is_answered_with_the_page_asks_what_a_page_asks(
    house: House, statement_log: list[str]
) -> None:
    party = house.fleet()
    for who in party.players:
        page = who.get(party.table)
        if page.has_form("/turn"):
            form = page.form("/turn")
            statement_log.clear()
            answer = who.post(form.action, form.filled(form.moves[0]), **{"X-Piece": "main"})
            assert answer.status == 200
            assert counted(statement_log) == [*MOVE, *OF_A_PAGE]
            return
    raise AssertionError("nobody is to move")


def test_no_request_at_a_table_writes_a_session(house: House, statement_log: list[str]) -> None:
    party = house.fleet()
    before = house.kept_of("web_sessions"), house.kept_of("devices")
    for _ in range(4):
        cost_of_a_move(party, statement_log)
        for who in party.players:
            for page in PAGES:
                who.get(party.table + page)
    assert (house.kept_of("web_sessions"), house.kept_of("devices")) == before


def test_a_device_signed_out_is_nobody_at_its_next_request(house: House, statement_log: list[str]) -> None:
    party = house.fleet()
    mover = next(who for who in party.players if who.get(party.table).has_form("/turn"))
    page = mover.get(party.table)
    [seat] = [
        chair
        for chair in house.referee.store.table(party.table[3:]).chairs
        if chair.seat in house.referee.store.table(party.table[3:]).position.waiting
    ]
    assert seat.player
    house.services.accounts.repository.end_devices(seat.player)
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 403
    assert not mover.get(party.table).has_form("/turn")


def test_a_move_that_is_refused_asks_once_more_beside_its_page(
    house: House, statement_log: list[str]
) -> None:
    party = house.fleet()
    for who in party.players:
        page = who.get(party.table)
        if page.has_form("/turn"):
            form = page.form("/turn")
            statement_log.clear()
            assert who.post(form.action, form.filled(move="fire ZZ99")).status >= 400
            assert len(counted(statement_log)) <= len([*READS, "SELECT", *OF_A_PAGE])
            return
    raise AssertionError("nobody is to move")
