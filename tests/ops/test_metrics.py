"""What the site measures: told where it happens, counted over all processes, served on this machine alone."""

import json
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from strifebarge.backup.kept import name_of
from strifebarge.lib.busy import Busy
from strifebarge.live.process import measured
from strifebarge.ops.metrics import WrongFolder, count, count_in, folder_of, forget_dead
from strifebarge.server import metrics
from strifebarge.server.helpers import helpers_of
from strifebarge.server.metrics import readings, serving
from strifebarge.settings import Settings, WrongSetting, read
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from tests.web.house import House, OpenHouse
from tests.web.town import Town, moves

COUNTING = """
import sys
from pathlib import Path
from strifebarge.ops.metrics import count, count_in
from strifebarge.ops.requests import AnsweredRequest, count_request
count_in(Path(sys.argv[1]))
count_request(AnsweredRequest("GET", "/g/<id>", 200, 0.02))
count.moves.labels("chess", "played", "bot").inc()
count.streams.set(3)
count.lags.observe(0.003)
print("counted", flush=True)
sys.stdin.read()
"""

DESCRIBED = """
import json, sys
from pathlib import Path
from strifebarge.ops.metrics import count, count_in
found = {}
count_in(Path(sys.argv[1]))
for meter in vars(count).values():
    [family] = meter.describe()
    found[family.name + "_total" * (family.type == "counter")] = meter._labelnames
print(json.dumps(found))
"""
HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
ROW = re.compile(r"\| ((?:`\w+`(?:, )?)+) \| (.*) \|")


class Counted:
    """What this process has counted."""

    def __init__(self) -> None:
        self.registry = count_in(None)

    def of(self, name: str) -> dict[tuple[str, ...], float]:
        """The counts of a metric, by the values of its labels."""
        return {
            tuple(sample.labels.values()): sample.value
            for metric in self.registry.collect()
            for sample in metric.samples
            if sample.name == f"strifebarge_{name}" and sample.value
        }


@pytest.fixture
def counted() -> Iterator[Counted]:
    before = dict(vars(count))
    yield Counted()
    vars(count).update(before)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the metrics of a site, not in the machine's memory."""
    monkeypatch.setattr("strifebarge.ops.metrics.MEMORY", tmp_path / "nowhere")
    return folder_of(tmp_path)


# -- told where it happens -----------------------------------------------------------


def test_each_move_is_told_with_its_game_and_its_result(house: House, counted: Counted) -> None:
    party = house.fleet()
    mover = party.to_move()
    page = mover.get(party.table)
    wanted = page.form("/turn").moves[0]
    mover.submit(page, "/turn", move="fire nothing", key="n" * 32)
    for _ in range(2):
        assert mover.submit(page, "/turn", wanted).status == 303
    answer = party.to_move()
    answer.submit(answer.get(party.table), "/turn", answer.get(party.table).form("/turn").moves[0])
    mover.submit(page, "/turn", wanted, key="o" * 32)
    results = {"refused": 1, "played": 2, "repeated": 1, "stale": 1}
    assert counted.of("moves_total") == {("strifebarge", each, "person"): results[each] for each in results}


def test_other_forms_are_no_moves(house: House, counted: Counted) -> None:
    party = house.put_aside()
    assert counted.of("moves_total") == {}
    assert counted.of("commit_seconds_count")[()] > 0
    assert party.players[0].get(party.table).status == 200


def test_a_busy_database_and_a_fault_are_results_of_moves_too(
    house: House, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = house.gathered("rps")
    mover = party.players[0]
    page = mover.get(party.table)
    house.app.testing = False
    for error in (Busy(), ZeroDivisionError()):

        def fail(*_: Any, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(house.referee, "_write", fail)
        mover.submit(page, "/turn", move="throw rock")
    assert counted.of("moves_total") == {("rps", "busy", "person"): 1, ("rps", "fault", "person"): 1}


def test_a_limit_that_was_hit_is_told_by_its_name(open_house: OpenHouse, counted: Counted) -> None:
    guesser = open_house(limit_codes=1).visitor()
    for number in range(3):
        guesser.get(f"/g/AAAA000{number}")
    assert set(counted.of("limits_hit_total")) == {("codes",)}


def test_each_message_is_told_by_its_kind_and_whether_it_was_sent(town: Town, counted: Counted) -> None:
    party = town.chess()
    town.box.shut = True
    moves(party, "e4")
    town.wait()
    town.box.shut = False
    town.wait(60)
    assert counted.of("messages_sent_total") == {("discord", "failed"): 1, ("discord", "sent"): 1}


def test_each_request_is_told_by_its_route(
    open_house: OpenHouse, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strifebarge.ops.metrics.measure", lambda _settings: None)  # which would begin anew
    visitor = open_house(metrics="unix:/nowhere").visitor()
    visitor.get("/g/AAAA0000")
    visitor.get("/api/v1/tables")
    visitor.get("/nope")
    labels = [("/g/<id>", "GET", "404"), ("/api/v1/tables", "GET", "401"), ("(none)", "GET", "404")]
    assert counted.of("request_seconds_count") == dict.fromkeys(labels, 1)


def test_without_the_setting_nothing_is_told_of_requests(open_house: OpenHouse, counted: Counted) -> None:
    open_house().visitor().get("/about")
    assert counted.of("request_seconds_count") == {}


def test_a_wake_up_is_told_once_the_last_stream_knows(counted: Counted) -> None:
    output: list[str] = []

    def work() -> Iterator[None]:
        output.append("one")
        yield
        output.append("other")

    steps = measured(work(), 1e-9)
    next(steps)
    assert counted.of("wakeup_seconds_count") == {}
    assert list(steps) == []
    assert output == ["one", "other"]
    assert counted.of("wakeup_seconds_count") == {(): 1}
    assert list(measured(iter(()), 0)) == []  # of another machine, whose clock is another
    assert counted.of("wakeup_seconds_count") == {(): 1}


# -- counted over all processes ------------------------------------------------------


def get(path: Path, address: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        connection.connect(str(path))
        connection.sendall(f"GET {address} HTTP/1.0\r\n\r\n".encode())
        with connection.makefile("rb") as answer:
            return answer.read().decode()


def value_of(text: str, name: str) -> float:
    [line] = [line for line in text.splitlines() if line.startswith(name + " ")]
    return float(line.rpartition(" ")[2])


def test_what_several_processes_counted_is_added_up_and_served(
    house: House, folder: Path, tmp_path: Path
) -> None:
    url = str(house.engine.url)
    settings = Settings(data=tmp_path, database_url=url, metrics=f"unix:{tmp_path}/sock", backups=tmp_path)
    (tmp_path / name_of(datetime.now(UTC) - timedelta(hours=2))).touch()
    command = [sys.executable, "-c", COUNTING, str(folder)]
    with serving(settings):
        counting = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        for each in counting:
            assert each.stdout
            assert each.stdout.readline() == "counted\n"
        both = get(tmp_path / "sock", "/metrics")
        counting[0].communicate()
        one_left = get(tmp_path / "sock", "/metrics")
        counting[1].communicate()
        elsewhere = get(tmp_path / "sock", "/")
        assert stat.S_IMODE((tmp_path / "sock").stat().st_mode) == 0o660
    request = 'strifebarge_request_seconds_count{code="200",method="GET",route="/g/<id>"}'
    move = 'strifebarge_moves_total{by="bot",game="chess",result="played"}'
    assert [value_of(both, each) for each in (request, move, "strifebarge_streams")] == [2, 2, 6]
    # What was counted stays when a process ends; its streams are gone with it.
    assert [value_of(one_left, each) for each in (request, move, "strifebarge_streams")] == [2, 2, 3]
    assert value_of(both, "strifebarge_wakeup_seconds_count") == 2
    assert value_of(both, "strifebarge_database_up") == 1
    assert value_of(both, "strifebarge_notifications_waiting") >= 0
    assert 7100 < value_of(both, "strifebarge_backup_age_seconds") < 8000
    assert elsewhere.startswith("HTTP/1.0 404")
    assert not (tmp_path / "sock").exists()
    forget_dead(folder, counts=True)
    assert list(folder.glob("*.db")) == []


def documented() -> dict[str, str]:
    """What the hosts' page says of each metric, by its name as Prometheus reads it."""
    _, _, chapter = HOSTING.read_text().partition("\n## Metrics\n")
    rows = (ROW.fullmatch(line) for line in chapter.partition("\n## ")[0].splitlines())
    return {f"strifebarge_{name.strip('`')}": row[2] for row in rows if row for name in row[1].split(", ")}


def test_each_metric_has_its_row_for_hosts_with_its_labels_and_no_row_names_another(
    house: House, folder: Path, tmp_path: Path
) -> None:
    described = subprocess.run(
        [sys.executable, "-c", DESCRIBED, str(folder)], check=True, capture_output=True, timeout=60
    )
    (tmp_path / name_of(datetime.now(UTC))).touch()
    engine = engine_for(str(house.engine.url), 1)
    labels_by_row: dict[str, list[str]] = {
        f"strifebarge_{each.name}": [] for each in readings(Store(engine), lambda: 0.0, tmp_path)
    }
    engine.dispose()
    labels_by_row |= json.loads(described.stdout)
    assert len(labels_by_row) > 10
    rows = documented()
    assert set(rows) == set(labels_by_row)
    unnamed = {
        name: [each for each in labels if f"`{each}`" not in rows[name]]
        for name, labels in labels_by_row.items()
    }
    assert {name: labels for name, labels in unnamed.items() if labels} == {}


def test_a_database_that_does_not_answer_is_told_and_the_rest_too(house: House, tmp_path: Path) -> None:
    class Away:
        @property
        def notifications(self) -> Any:
            raise Busy

    (tmp_path / name_of(datetime(2026, 1, 1, tzinfo=UTC))).touch()
    values = {f"strifebarge_{each.name}": each.value for each in readings(Away(), lambda: 0.0, tmp_path)}  # type: ignore[arg-type]
    assert values.pop("strifebarge_backup_age_seconds") > 0
    assert values == {"strifebarge_database_up": 0}


def test_the_folder_is_for_the_sites_user_alone(folder: Path, tmp_path: Path) -> None:
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o755)
    with pytest.raises(WrongFolder):
        folder_of(tmp_path)
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(WrongFolder):
        folder_of(tmp_path)


def test_an_address_that_cannot_be_used_is_told_once_and_tried_again_later_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rests: list[float] = []

    def wait(_beat: Any, seconds: float = 0) -> bool:
        rests.append(seconds)
        return len(rests) == 9

    monkeypatch.setattr(metrics, "_wait_for_the_end", wait)
    monkeypatch.setattr(metrics, "begin_helper", lambda _name: None)
    monkeypatch.setattr("strifebarge.ops.metrics.MEMORY", tmp_path / "nowhere")
    address = f"unix:{tmp_path}/nowhere/sock"
    url = f"sqlite:///{tmp_path}/strifebarge.db"
    metrics.run_metrics(Settings(data=tmp_path, database_url=url, metrics=address), lambda: None)
    [line] = [each.getMessage() for each in caplog.records if each.name == "strifebarge.ops.metrics"]
    assert (
        f"STRIFEBARGE_METRICS is {address}, but no metrics can be served there: No such file or directory."
        in line
    )
    assert rests == [5, 10, 20, 40, 80, 160, 320, 600, 600]


# -- on this machine alone, and only where that is wanted ------------------------------


@pytest.mark.parametrize(
    "address", ["127.0.0.1:9464", "[::1]:9464", "localhost:9464", "unix:/run/strifebarge/m"]
)
def test_metrics_are_served_at_addresses_of_this_machine(tmp_path: Path, address: str) -> None:
    environ = {"STRIFEBARGE_DATA": str(tmp_path), "STRIFEBARGE_METRICS": address}
    assert read(environ).metrics == address


@pytest.mark.parametrize("address", ["0.0.0.0:9464", "9464", "10.0.0.1:9464", "[::]:9464", "127.0.0.1", "on"])
def test_and_at_no_other(tmp_path: Path, address: str) -> None:
    environ = {"STRIFEBARGE_DATA": str(tmp_path), "STRIFEBARGE_METRICS": address}
    with pytest.raises(WrongSetting, match="STRIFEBARGE_METRICS"):
        read(environ)


def test_a_site_without_metrics_has_no_process_for_them_and_reads_no_library(tmp_path: Path) -> None:
    def names(**settings: Any) -> list[str]:
        return [
            each.called for each in helpers_of(Settings(data=tmp_path, secret_keys=("k" * 20,), **settings))
        ]

    assert set(names(metrics="127.0.0.1:9464")) - set(names()) == {"The process of the metrics"}
    program = "import sys, strifebarge.server.application, wsgi; print('prometheus_client' in sys.modules)"
    upgraded = "from strifebarge.store.migrations import upgrade; import sys; upgrade(sys.argv[1])"
    url = f"sqlite:///{tmp_path}/strifebarge.db"
    environ = {"STRIFEBARGE_DATA": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", upgraded, url], check=True)
    result = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
    )
    assert result.stdout == "False\n"
