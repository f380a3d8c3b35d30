"""The day of a host, in chapters: a site is installed from its wheel on a machine of its own, people come by
another one, and the host does by commands and on the host's page what docs/hosting.md tells them.
"""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import need
from tests.servers.books import Books, library
from tests.servers.ledger import Ledger
from tests.servers.test_disk_full import SENTENCE, disk, gathered, has_room, moved, ready, until_full
from tests.servers.test_killed import play_while_killed
from tests.servers.test_unruly_games import GAMES, NOTE
from tests.support.installed import Installed, install
from tests.support.networks import Network
from tests.support.servers import free_port, wait_for
from tests.support.streams import listening
from tests.support.visitor import Page, Remote, Unanswered

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `strifebarge`, as it was installed."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def network() -> Iterator[Network]:
    """Two machines: the host's own, and one to go on at."""
    new_network = need(Network(2).__enter__)
    try:
        yield new_network
    finally:
        new_network.close()


@pytest.fixture
def site(command: Path, network: Network) -> Iterator[Installed]:
    """The site on the host's machine."""
    with Installed(command, network.machines[0], GAMES=GAMES) as running:
        yield running


def id_of(table: str) -> str:
    return table.removeprefix("/g/")


def hosts_browser(site: Installed) -> Remote:
    """A browser that has used the link that `serve` has printed."""
    wait_for(lambda: "/host/open?link=" in site.log(), awaited="the link to the host's page")
    host = Remote.of(site)
    page = host.get(re.findall(r"/host/open\?link=[\w-]+", site.log())[-1])
    assert host.submit(page, "/host/open").status == 303
    return host


def do(host: Remote, what: str, of: str, **fields: str) -> Page:
    """Do something on the host's page."""
    return host.submit(host.get(f"/host/do/{what}?of={of}"), f"/host/do/{what}", **fields)


# -- in the morning: it is installed and started ------------------------------------------------


def test_it_is_installed_and_people_come_from_another_machine(site: Installed) -> None:
    wait_for(lambda: f"{site.url}/" in site.log(), awaited="the address for other machines")
    ann, ben = Remote.of(site), Remote.of(site)
    table = ann.start("strifebarge", seats="2").table
    invitation = ann.get(table).seen.ids["link"]["value"]
    assert invitation.startswith(f"{site.url}/")
    page = ben.get(invitation.removeprefix(site.url))
    assert ben.submit(page, "/join").status == 303
    with listening(ben, table) as stream:
        before = stream.version()
        assert moved(table, [ann, ben]).status == 303
        assert stream.version() != before
    [game] = site.run("games", "list", "--json").told
    assert (game["id"], game["status"]) == (id_of(table), "playing")
    states = {each["check"]: each["state"] for each in json.loads(site.run("doctor", "--json").said)}
    assert [states[each] for each in ("database", "disk", "site", "hub")] == ["ok"] * 4


def test_a_start_that_goes_wrong_is_one_sentence(site: Installed) -> None:
    assert "serves the site in" in site.run("serve").sentence
    with TemporaryDirectory(prefix="strifebarge-empty-") as empty:
        assert f"{site.port}" in site.run("serve", DATA=empty).sentence
    assert "STRIFEBARGE_WORKERS" in site.run("serve", WORKERS="many").sentence
    assert "STRIFEBARGE_WROKERS" in site.run("serve", WROKERS="2").sentence
    assert "no game" in site.run("games", "show", "NQSUCH22").sentence
    site.stop()
    doctor = site.run("doctor")
    assert doctor.code == 1
    assert re.search(r"^WRONG +site: ", doctor.said, re.MULTILINE)


# -- at noon: a backup, and what it is worth ------------------------------------------------------


def test_a_backup_under_load_goes_on_at_another_machine(
    site: Installed, command: Path, network: Network, tmp_path: Path
) -> None:
    table, players = gathered(site)
    assert moved(table, players).status == 303
    before = [each.get(table).version for each in players]
    files = [tmp_path / f"{number}.zip" for number in range(3)]
    left = iter(files)

    def back_up(_: Random) -> None:
        assert site.run("backup", next(left), "--json").told["differ"] == []

    with closing(Ledger(tmp_path / "ledger.jsonl")) as ledger:
        play_while_killed([site], ledger, moves=90, kills=len(files), kill=back_up)
    assert not ledger.faults
    assert "is there already" in site.run("backup", files[0]).sentence
    site.kill()

    there = Installed(command, network.machines[1], GAMES=GAMES)
    try:
        damaged = tmp_path / "damaged.zip"
        damaged.write_bytes(files[-1].read_bytes()[:-1000])
        assert "damaged.zip" in there.run("restore", damaged).sentence
        assert not (there.data / "strifebarge.db").exists()
        assert there.run("restore", files[-1]).code == 0
        assert "into an empty place only" in there.run("restore", files[-1]).sentence
        there.start()
        players = [each.at(there) for each in players]
        assert [each.get(table).version for each in players] == before
        assert moved(table, players).status == 303
        assert there.run("games", "verify").code == 0
        with Books(f"sqlite:///{there.data / 'strifebarge.db'}") as books:
            codes = [code for (code,) in books.ask("SELECT id FROM tables")]
            assert len(codes) > 1
            for code in codes:
                books.must_replay(code, library())
                assert books.table(code)["version"] <= ledger.seen.get(f"/g/{code}", 9**9)
    finally:
        there.close()


# -- in the afternoon: the disk is full ---------------------------------------------------------


def test_a_full_disk_is_told_and_there_is_nothing_to_repair(command: Path, network: Network) -> None:
    with disk(16) as small, Installed(command, network.machines[0], DATA=str(small.folder / "data")) as site:
        table, players = gathered(site)
        assert moved(table, players).status == 303
        refused = until_full(site, small, table, players)
        assert (refused.status, SENTENCE in refused.words) == (503, True)
        assert ready(site).text == "disk full\n"
        assert re.search(r"^WRONG +d.*full", site.run("doctor").said, re.MULTILINE)
        assert "disk is full" in site.run("backup").sentence
        assert not list(small.folder.glob("data/backups/*"))
        small.free()
        wait_for(
            lambda: all(has_room(site, players[0], table) for _ in range(8)), awaited="that there is room"
        )
        mover = next(player for player in players if player.get(table).my_turn)
        assert mover.submit(refused, "/turn").status == 303
        assert site.run("games", "verify").code == 0
        assert "Traceback" not in site.log()


# -- in the evening: people and games ---------------------------------------------------------------


def test_somebody_is_banned_and_let_in_again(site: Installed) -> None:
    ann, ben = Remote.of(site), Remote.of(site)
    table = ann.start("strifebarge", seats="2", name="Anna").table
    ben.join(table)
    host = hosts_browser(site)
    assert (ann.get("/host").status, Remote.of(site).get("/host").status) == (404, 404)
    assert "There is nobody" in site.run("people", "ban", "nobody", "--reason", "Insults").sentence
    [entry] = site.run("people", "find", "anna", "--json").told
    person = entry["id"]
    with listening(ann, table) as stream:
        assert do(host, "ban", person, reason="Insults in the chat").status == 303
        stream.next("again")
    assert "Insults in the chat" in ann.get(table).words
    assert not ann.get(table).my_turn
    assert ben.get(table).status == 200
    assert site.run("people", "unban", person).code == 0
    assert "Insults in the chat" not in ann.get(table).words
    assert moved(table, [ann, ben]).status == 303
    acts = [(each["act"], each["subject"]) for each in site.run("audit", "--json").told]
    assert [("ban", person), ("unban", person)] == [each for each in acts if each[1] == person][::-1]


def test_a_broken_game_is_rewound_and_goes_on(site: Installed) -> None:
    ann, ben = Remote.of(site), Remote.of(site)
    table = ann.start("unruly").table
    ben.join(table)
    mover = next(each for each in (ann, ben) if each.get(table).my_turn)
    assert mover.move(table, "go").status == 303
    broken = next(each for each in (ann, ben) if each.get(table).my_turn)
    assert "A bug in this game" in broken.move(table, "do mistake").words
    assert NOTE in site.run("games", "faults").said
    host = hosts_browser(site)
    assert NOTE not in host.get("/host").words
    assert id_of(table) in host.get("/host").words.replace("-", "")
    assert site.run("games", "rewind", id_of(table), "99").sentence
    assert site.run("games", "rewind", id_of(table), "0", "--dry-run").code == 0
    assert not any(each.get(table).my_turn for each in (ann, ben))
    assert do(host, "rewind", id_of(table), move="0").status == 303
    mover = next(each for each in (ann, ben) if each.get(table).my_turn)
    assert mover.move(table, "go").status == 303
    [game] = site.run("games", "list", "--json").told
    assert (game["status"], site.run("games", "verify", id_of(table)).code) == ("playing", 0)


# -- at night: the figures -----------------------------------------------------------------------


def test_the_metrics_are_read_on_the_machine_alone(command: Path, network: Network) -> None:
    at = f"127.0.0.1:{free_port()}"
    with Installed(command, network.machines[0], METRICS=at) as site:
        table, players = gathered(site)
        for _ in range(3):
            assert moved(table, players).status == 303
        moves = 'strifebarge_moves_total{by="person",game="strifebarge",result="played"} 3.0'
        assert moves in site.fetch(f"http://{at}/metrics").splitlines()
        assert "strifebarge_database_up 1.0" in site.fetch(f"http://{at}/metrics").splitlines()
        assert Remote.of(site).get("/metrics").status == 404
        outside = Remote(int(at.rpartition(":")[2]), host=site.address)
        with pytest.raises(Unanswered):
            outside.get("/metrics")
