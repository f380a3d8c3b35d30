"""Twenty faults that sites like this one have had: each is planted, and the check beside it must notice.

The checks are tests of their own, which hold where nothing is planted; the few that are not stand at the end.
Three are planted elsewhere or cannot be planted: see ELSEWHERE.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from html import unescape
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError, tostring

import pytest
from flask import Response, request, session
from sqlalchemy import Connection, Engine, text

from strifebarge.rules import Refused, Standard
from strifebarge.store.change import SqlChange, SqlDraft
from strifebarge.store.clocks import SqlClocks
from strifebarge.store.db import engine as engines
from strifebarge.store.db.engine import engine_for
from strifebarge.store.notifications import SqlNotifications
from strifebarge.store.store import Store
from strifebarge.tables.acts import moves
from strifebarge.tables.clock.presence import table_etag, without_presence
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.table import Table
from strifebarge.tables.play import queries
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view import view as views
from strifebarge.web.account import feeds
from tests.servers.books import Books
from tests.servers.ledger import Ledger, Match, Player
from tests.servers.test_killed import must_agree
from tests.store import test_engine, test_store
from tests.store.apart import count_up, count_up_by_drafts
from tests.store.conftest import a_receipt, a_table
from tests.support import forms
from tests.support.together import together
from tests.tables.play import test_deadlines
from tests.web.account import test_feeds, test_notices
from tests.web.house import House, copied, opened
from tests.web.http import test_exactly_once, test_robots
from tests.web.table import test_curtain
from tests.web.town import URL, Town
from tests.worlds import test_planted_leaks
from tests.worlds.leaks import LEAKS

pytestmark = pytest.mark.full("plants faults")

Patch = pytest.MonkeyPatch

ELSEWHERE = {
    "spectators get the legal moves": "the_legal_moves_for_everybody",  # tests/worlds/leaks.py
    "an ETag of the whole state": "an_etag_of_the_whole_state",  # the same
    "a live stream without a heartbeat": "",  # pages ask again and again: nothing goes stale
}


class Bench:
    """A place for a fault and its check: a site, or a database alone, made as the check wants it."""

    def __init__(self, migrated: Path, folder: Path, stack: ExitStack):
        self.migrated, self.folder, self.stack = migrated, folder, stack
        self.wall = test_deadlines.Wall()
        self.url = copied(migrated, folder)
        self._house: House | None = None

    def house(self, **settings: Any) -> House:
        if self._house is None:
            self._house = self.stack.enter_context(opened(self.url, self.folder, **settings))
        return self._house

    def town(self) -> Town:
        return Town(self.house(public_url=URL, secure=False, smtp_url="smtp://localhost:1"))

    def engine(self) -> Engine:
        engine = engine_for(self.url, 8)
        self.stack.callback(engine.dispose)
        return engine

    def store(self) -> Store:
        return Store(self.engine())

    def referee(self) -> Referee:
        """One by the clock of the bench."""
        return forms.a_referee(self.store(), Library(), now=self.wall)

    def without_constraints(self, name: str) -> None:
        """A table of the database that takes whatever it is given."""
        with self.engine().begin() as connection:
            connection.execute(text(f"CREATE TABLE bare AS SELECT * FROM {name}"))
            connection.execute(text(f"DROP TABLE {name}"))
            connection.execute(text(f"ALTER TABLE bare RENAME TO {name}"))


@pytest.fixture
def bench(migrated: Path, tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(migrated, tmp_path, stack)


class Mutant(NamedTuple):
    """A fault: what it is called, how it is planted, and what must notice it."""

    what: str
    plant: Callable[[Bench, Patch], None]
    check: Callable[[Bench], object]


MUTANTS: list[Mutant] = []
NOTICED = (AssertionError, pytest.fail.Exception, Busy, ParseError)  # no other error will do
Plant = Callable[[Bench, Patch], None]


def mutant(what: str, check: Callable[[Bench], object]) -> Callable[[Plant], Plant]:
    def add(plant: Plant) -> Plant:
        MUTANTS.append(Mutant(what, plant, check))
        return plant

    return add


@pytest.mark.parametrize("each", MUTANTS, ids=lambda each: each.what)
def test_the_check_holds_where_nothing_is_planted(bench: Bench, each: Mutant) -> None:
    each.check(bench)


@pytest.mark.parametrize("each", MUTANTS, ids=lambda each: each.what)
def test_the_check_notices_what_is_planted(bench: Bench, each: Mutant, monkeypatch: Patch) -> None:
    each.plant(bench, monkeypatch)
    with pytest.raises(NOTICED) as noticed:
        each.check(bench)
    print(noticed.value)


def test_there_are_twenty_one_and_those_planted_elsewhere_are_there() -> None:
    assert len({each.what for each in MUTANTS} | {*ELSEWHERE}) == 21
    assert {name for name in ELSEWHERE.values() if name} <= {leak.name for leak in LEAKS}
    assert test_planted_leaks.test_a_planted_leak_is_found


# == What is kept =====================================================================


@mutant("the answer goes out before the commit", lambda at: moves_are_stored(at))
def _(at: Bench, patch: Patch) -> None:
    """Somebody is told "played", and one time in seven the site is killed before that is kept."""
    whole, forms = engines.writing, count(1)

    @contextmanager
    def writing(engine: Engine) -> Iterator[Connection]:
        with whole(engine) as connection:
            yield connection
            if next(forms) % 7 == 0:
                connection.rollback()

    patch.setattr(engines, "writing", writing)


@mutant("others are told before the commit", lambda at: pages_are_stored(at))
def _(at: Bench, patch: Patch) -> None:
    told: dict[str, int] = {}
    whole = SqlChange.write

    def write(change: SqlChange) -> None:
        whole(change)
        told[change.table.id] = change.table.version

    def of_all(table: Table, *more: Any) -> str:
        return str(max(told.get(table.id, 0), int(table_etag(table, *more).partition("@")[0])))

    patch.setattr(SqlChange, "write", write)
    patch.setattr(queries, "table_etag", of_all)
    patch.setattr(views, "table_etag", of_all)


@mutant(
    "a form's key may be used twice",
    lambda at: (
        test_exactly_once.test_a_stranger_who_presses_start_twice_without_a_cookie_is_one_person_at_one_table(
            at.house()
        )
    ),
)
def _(at: Bench, patch: Patch) -> None:
    at.without_constraints("receipts")


@mutant("two moves may have one number", lambda at: test_store.test_a_number_is_given_once(at.store()))
def _(at: Bench, patch: Patch) -> None:
    at.without_constraints("moves")


@mutant("a transaction reads first and locks later", lambda at: two_processes_count(at))
def _(at: Bench, patch: Patch) -> None:
    patch.setattr(engines, "begin_to_write", lambda connection, waited: connection.exec_driver_sql("BEGIN"))


@mutant("what was judged on an older table is written all the same", lambda at: two_processes_judge(at))
def _(at: Bench, patch: Patch) -> None:
    at.without_constraints("moves")
    whole = SqlDraft.locked

    @contextmanager
    def locked(draft: SqlDraft) -> Iterator[Any]:
        with whole(draft) as change:
            change.stands = True
            yield change

    patch.setattr(SqlDraft, "locked", locked)


@mutant("the disk is not waited for", lambda at: test_engine.test_sqlite_keeps_what_it_commits(at.url))
def _(at: Bench, patch: Patch) -> None:
    whole = engines.prepare_sqlite

    def prepare(connection: Any, record: object) -> None:
        whole(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    patch.setattr(engines, "prepare_sqlite", prepare)


@mutant("an address that fails is not tried again", lambda at: letters_are_tried_again(at))
def _(at: Bench, patch: Patch) -> None:
    whole = SqlNotifications.failed
    patch.setattr(SqlNotifications, "failed", lambda box, place, trouble, _: whole(box, place, trouble, None))


# == What is played ===================================================================


@mutant(
    "what a form was asked is not looked at",
    lambda at: test_exactly_once.test_a_form_that_answers_an_older_question_shows_the_board_as_it_is_now(
        at.house()
    ),
)
def _(at: Bench, patch: Patch) -> None:
    patch.setattr(moves, "check_question", lambda *_: None)


@mutant(
    "any change makes all forms old",
    lambda at: test_exactly_once.test_a_choice_may_be_changed_until_everybody_has_chosen_and_counts_once(
        at.house()
    ),
)
def _(at: Bench, patch: Patch) -> None:
    def check(match: Any, *_: Any) -> None:
        if match.pending:
            raise Refused(Standard.STALE)

    patch.setattr(moves, "check_question", check)


@mutant(
    "only the ticker finds that time has run out",
    lambda at: test_deadlines.test_a_move_counts_until_the_deadline_and_not_at_it(at.referee(), at.wall),
)
def _(at: Bench, patch: Patch) -> None:
    patch.setattr("strifebarge.tables.play.referee.is_on_time", lambda _: True)


@mutant(
    "nobody is credited the time in which the site was away",
    lambda at: test_deadlines.test_nobody_is_late_because_the_site_was_away(at.referee(), at.wall),
)
def _(at: Bench, patch: Patch) -> None:
    patch.setattr(SqlClocks, "uptime_periods", lambda *_: [])
    patch.setattr(SqlChange, "uptime_periods", lambda *_: [])


@mutant("a limit that cannot be counted holds moves up", lambda at: moves_need_no_limit(at))
def _(at: Bench, patch: Patch) -> None:
    def counted() -> None:
        if request.endpoint == "play.move":
            at.house().app.extensions["limits"].own.hit(None)

    patch.setitem(at.house().app.before_request_funcs, None, [counted])


# == Who may see and do what ==========================================================


@mutant(
    "a look at an invitation takes the seat",
    lambda at: test_robots.test_fifty_looks_at_an_invitation_write_no_row_and_set_no_cookie(
        at.house(), "Slack", "GET"
    ),
)
def _(at: Bench, patch: Patch) -> None:
    house = at.house()
    whole, keys = house.app.view_functions["play.show"], count(10**16)

    def show(id: str) -> Any:
        with suppress(Refused):
            forms.join(house.referee, forms.newcomer(house.referee), id, "", FormToken(f"{next(keys)}"))
        return whole(id)

    patch.setitem(house.app.view_functions, "play.show", show)


@mutant(
    "replay shows whoever asks what the first seat knows",
    lambda at: test_curtain.test_the_log_and_history_are_those_of_whoever_is_looking(at.house()),
)
def _(at: Bench, patch: Patch) -> None:
    whole = queries.Views.show_at

    def show_at(referee: Any, player: str | None, id: str, *more: Any) -> Any:
        return whole(referee, referee.views.status(id).chairs[0].player, id, *more[:2], 0)

    patch.setattr(queries.Views, "show_at", show_at)


@mutant(
    "a name in the feed is markup",
    lambda at: test_feeds.test_names_are_words_in_feed_calendar_and_letters(at.town(), "<b>&\"'"),
)
def _(at: Bench, patch: Patch) -> None:
    patch.setattr(feeds, "tostring", lambda feed, **how: unescape(tostring(feed, "unicode")).encode())


@mutant(
    "the curtain falls and the cookie stays",
    lambda at: test_curtain.test_every_handing_over_changes_the_cookie_so_that_no_browser_keeps_what_was_seen(
        at.house()
    ),
)
def _(at: Bench, patch: Patch) -> None:
    whole = at.house().referee.entropy
    patch.setattr(at.house().referee, "entropy", lambda size: bytes(8) if size == 8 else whole(size))


@mutant("what was done is told from the session, once", lambda at: the_page_after_a_move_is_only_a_page(at))
def _(at: Bench, patch: Patch) -> None:
    def flash(answer: Response) -> Response:
        if request.method == "POST" and answer.status_code == 303:
            session["done"] = "Played."
        elif done := session.pop("done", ""):
            answer.set_data(answer.get_data(as_text=True).replace("</main>", f"{done}</main>"))
        return answer

    patch.setitem(at.house().app.after_request_funcs, None, [flash])


# == Checks that are no tests of their own ============================================


def moves_are_stored(at: Bench) -> None:
    """Two play who write down what they were told; it is compared with what is kept."""
    house, chance = at.house(), Random(5)
    ledger = Ledger(at.folder / "ledger.jsonl")
    match = Match("rps", {"best_of": "7"}, [Player(ledger, house.visitor(), chance) for _ in range(2)])
    thread = Thread(target=match.run)
    thread.start()
    while thread.is_alive() and len(ledger.of("ok")) < 25:
        thread.join(0.02)
    ledger.enough.set()
    thread.join()
    ledger.close()
    assert match.error is None, match.error
    with Books(at.url) as books:
        must_agree(ledger, books)


def pages_are_stored(at: Bench) -> None:
    """Of a move that could not be kept nobody hears."""
    house = at.house()
    party = house.fleet()
    mover = party.to_move()
    page = mover.get(party.table)

    def fails(*_: Any) -> None:
        raise Busy("the disk is full")

    house.app.testing = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.referee.store.engine.dialect, "do_commit", fails)
        assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 503
    version = house.referee.views.status(party.code).version
    for who in (*party.players, house.visitor()):
        assert who.get(party.table).version == version
        assert without_presence(who.get(f"{party.table}/version").text) == str(version)


def two_processes_count(at: Bench) -> None:
    """As two processes would, each with connections and a queue of its own."""
    one, other = at.store(), at.store()
    one.tables.add(a_table(), a_receipt())
    together(*[partial(count_up, each, "TABLE001", 30) for each in (one, other)])
    assert one.tables.table("TABLE001").position.number == 60


def two_processes_judge(at: Bench) -> None:
    """The same of what is judged before the table is locked."""
    one, other = at.store(), at.store()
    one.tables.add(a_table(), a_receipt())
    together(*[partial(count_up_by_drafts, each, "TABLE001", 30) for each in (one, other)])
    assert one.tables.table("TABLE001").position.number == 60


def letters_are_tried_again(at: Bench) -> None:
    town = at.town()
    test_notices.test_an_address_that_fails_is_tried_again_given_up_and_says_so(town, town.chess())


def moves_need_no_limit(at: Bench) -> None:
    """Where nothing can be counted, all may still play."""
    house = at.house()
    party = house.fleet()

    def fails(*_: Any) -> bool:
        raise ConnectionError("Redis is away")

    house.app.testing = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.app.extensions["limits"].own, "hit", fails)
        mover = party.to_move()
        page = mover.get(party.table)
        assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303


def the_page_after_a_move_is_only_a_page(at: Bench) -> None:
    """It says that the move was played, as often as it is asked for; and it writes nothing."""
    party = at.house().fleet()
    mover = party.to_move()
    answer = mover.submit(mover.get(party.table), "/turn", mover.get(party.table).form("/turn").moves[0])
    assert answer.status == 303
    with at.house().unchanged():
        once, again = mover.get(answer.location), mover.get(answer.location)
    assert once.words == again.words
