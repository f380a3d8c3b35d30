"""What a host switches while the site runs: read-only, and an announcement on every page."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from strifebarge.app import ticking
from strifebarge.cli import main
from strifebarge.tables.model.audit import AuditEntry
from tests.api.calls import Program
from tests.web.house import House, OpenHouse, Wall

Run = Callable[..., Result]


@pytest.fixture
def house(open_house: OpenHouse) -> House:
    return open_house()


@pytest.fixture
def run(house: House) -> Run:
    """Return what runs a command for the house, which then looks as each worker does every two seconds."""
    settings = house.app.extensions["settings"]
    env = {"STRIFEBARGE_DATABASE_URL": settings.database_url, "STRIFEBARGE_DATA": str(settings.data)}

    def command(*words: str) -> Result:
        done = CliRunner().invoke(main, words, env=env)
        house.services.switches.refresh()
        return done

    return command


def audited(house: House) -> list[tuple[str, Any]]:
    return [(each.act, each.details) for each in house.referee.store.audit_log(9)]


def test_a_site_is_switched_to_read_only_and_back_while_it_runs(house: House, run: Run) -> None:
    party, program = house.fleet(), Program(house, "Zed")
    mover = party.to_move()
    page = mover.get(party.table)
    assert run("readonly", "on", "--dry-run").stdout == "Only tried: The site is read-only.\n"
    assert "read-only" not in mover.get("/").text
    assert json.loads(run("readonly", "on", "--json").stdout) == {"dry_run": False, "read_only": "on"}
    with house.unchanged():
        for path in ("/", "/games", party.table, f"{party.table}/at/0"):
            assert "You can watch games, but not play" in mover.get(path).words
        refused = mover.submit(page, "/turn", page.form("/turn").moves[0])
        assert (refused.status, refused.token) == (503, "web.read_only")
        assert program.send("POST", "/tables", {"game": "rps", "key": "k" * 20}).status_code == 503
    assert run("readonly", "off").stdout == "The site is not read-only.\n"
    assert "read-only" not in mover.get(party.table).text
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    assert audited(house) == [("readonly", {"to": "off"}), ("readonly", {"to": "on"})]


def test_no_clock_runs_while_a_site_is_read_only_however_short_that_is(open_house: OpenHouse) -> None:
    house, wall = open_house(), Wall()
    house.referee.now = wall  # type: ignore[method-assign]
    switches, store = house.services.switches, house.referee.store
    store.beat(wall(), 60)
    number = store.uptime_periods(0)[0].number

    def switch(on: bool) -> None:
        switches.repository.set_read_only(on, AuditEntry(wall(), "root", "readonly", "site"))
        switches.refresh()

    switch(True)
    wall.seconds(20)  # less than what counts as an absence
    ticker = ticking(house.services, 5)
    assert ticker.elected() is None  # nobody notes that the site is there
    switch(False)
    newest = store.uptime_periods(0)[0]
    assert (newest.number, newest.began, newest.ended) == (number + 1, wall(), wall())
    assert store.uptime_periods(number)[0].ended == wall() - 20


def test_an_announcement_is_on_every_page_escaped_also_on_pages_that_are_kept(house: House, run: Run) -> None:
    party, stranger = house.fleet(), house.visitor()
    pages = ("/", "/games", "/about", "/new/rps", party.table, f"{party.table}/at/0", "/nowhere")
    readers = (*party.players, stranger)
    for _ in range(2):  # kept by now
        assert not [path for who in readers for path in pages if "announcement" in who.get(path).text]
    tried = run("announce", "Restart at <b>21:00</b> & more", "--dry-run")
    assert tried.stdout == "Only tried: Every page shows: Restart at <b>21:00</b> & more\n"
    assert "announcement" not in stranger.get("/").text
    done = run("announce", " Restart at\n<b>21:00</b> & more ", "--json")
    assert json.loads(done.stdout)["announcement"] == "Restart at <b>21:00</b> & more"
    shown = '<p class="notice" id="announcement">Restart at &lt;b&gt;21:00&lt;/b&gt; &amp; more</p>'
    for _ in range(2):
        assert all(shown in who.get(path).text for who in readers for path in pages)
    assert shown in stranger.get(party.table, X_Piece="main").text
    run("announce", "Later")
    assert "Later</p>" in stranger.get(party.table).text
    assert run("announce", "--off").stdout == "No page shows an announcement.\n"
    assert not [path for who in readers for path in pages if "announcement" in who.get(path).text]
    assert [act for act, _ in audited(house)] == ["announce"] * 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["announce"], "Give a text, or --off."),
        (["announce", "x", "--off"], "Give a text, or --off."),
        (["announce", "  "], "Give a text of 1 to 300 characters."),
        (["announce", "x" * 301], "Give a text of 1 to 300 characters."),
        (["announce", "a\x1bb"], "Give a text of 1 to 300 characters."),
        (["readonly", "perhaps"], "'perhaps' is not one of 'on', 'off'."),
    ],
    ids=["none", "both", "blank", "long", "control", "perhaps"],
)
def test_what_cannot_be_switched_is_a_sentence_and_changes_nothing(
    house: House, run: Run, words: list[str], sentence: str
) -> None:
    with house.unchanged():
        done = run(*words)
    assert done.exit_code in (1, 2)
    assert sentence in done.stderr
