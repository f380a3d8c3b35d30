"""Open pages and programs are told at once that something has changed, as far as their viewers may know."""

import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from strifebarge.client import Client, Fault, fold
from strifebarge.tables.clock.presence import without_presence
from tests.servers.test_backups import run
from tests.support.programs import ProgramStream, token_of
from tests.support.servers import LOOPBACK, Postgres, Site, wait_for
from tests.support.streams import Stream, listening, two_at
from tests.support.together import together
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

GENEROUS = {"WORKERS": "2", "LIMIT_CREATE": "9999", "LIMIT_CODES": "9999"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(**GENEROUS) as running:
        wait_for(lambda: len(running.workers()) == 2, awaited="two workers")
        yield running


def version_of(visitor: Remote, table: str) -> str:
    return without_presence(visitor.get(f"{table}/version").text)


def test_each_change_is_told_at_once_whichever_worker_made_it(site: Site) -> None:
    ann, ben, table = two_at(site)
    with listening(ann, table) as stream, listening(Remote(site.port), table) as spectator:
        assert stream.version() == spectator.version() == version_of(ann, table)
        for _ in range(2):  # requests have connections of their own, so that any worker may answer
            for who, words in ((ann, "throw rock"), (ben, "throw rock")):
                assert who.move(table, words).status == 303
                now = version_of(ann, table)
                assert stream.until_version(now)[-1] == spectator.until_version(now)[-1] == now


def test_who_comes_is_told_to_those_who_are_there_already(site: Site) -> None:
    ann, ben = Remote(site.port), Remote(site.port)
    table = ann.start("rps").table
    page = ben.get(table)
    assert ben.submit(page, "/join").status == 303  # and does not look at the table
    with listening(ann, table, presence=True) as stream:
        word = stream.version()
        assert word.endswith("@10")
        ben.get(table)
        assert stream.version() == f"{without_presence(word)}@11"


def test_the_head_says_what_proxies_must_know(site: Site) -> None:
    _, _, table = two_at(site)
    with listening(Remote(site.port), table) as stream:
        head = stream.head.lower()
        assert stream.status == 200
        assert "content-type: text/event-stream" in head
        assert "x-accel-buffering: no" in head
        assert "cache-control: no-store" in head
        assert "connection: close" in head
        assert "content-length" not in head


def test_one_stream_tells_of_several_tables_and_of_those_that_are_gone(site: Site) -> None:
    ann, ben, table = two_at(site)
    other = ann.start("rps").table
    with listening(ann, table, other, "00000000") as stream:
        tables = {stream.next("version")["table"] for _ in range(2)}
        assert tables == {table.removeprefix("/g/"), other.removeprefix("/g/")}
        assert stream.next("gone") == {"table": "00000000"}
        ben.join(other)
        assert stream.next("version")["table"] == other.removeprefix("/g/")


def test_what_cannot_be_a_stream_is_refused(site: Site) -> None:
    ann, _, table = two_at(site)
    assert ann.get("/live").status == 400
    elsewhere = ann.get(f"/live?at={table.removeprefix('/g/')}", Sec_Fetch_Site="cross-site")
    assert (elsewhere.status, elsewhere.token) == (403, "web.cross_site")
    missing = ann.get("/live?at=00000000")
    assert missing.status == 404
    assert ann.post(f"/live?at={table.removeprefix('/g/')}").status == 405
    head = ann.request("HEAD", f"/live?at={table.removeprefix('/g/')}")
    assert head.status == 200
    assert head.headers["Content-Type"].startswith("text/event-stream")


def test_a_change_by_a_command_or_another_program_is_seen(site: Site) -> None:
    """Here the row is changed behind the site's back, so that nobody tells the hub."""
    import sqlite3

    ann, _, table = two_at(site)
    id = table.removeprefix("/g/")
    with listening(ann, table) as stream:
        before = int(stream.version())
        books = sqlite3.connect(site.data / "strifebarge.db")
        with books:
            books.execute(
                "UPDATE tables SET revision = revision + 1, version = version + 1, body = json_set(body, "
                "'$.version', version + 1, '$.revision', revision + 1) WHERE id = ?",
                [id],
            )
        assert stream.version() == str(before + 1)
        with books:
            books.execute("PRAGMA foreign_keys = ON")
            books.execute("DELETE FROM tables WHERE id = ?", [id])
        books.close()
        assert stream.next("gone") == {"table": id}


def test_what_somebody_composes_is_told_to_them_alone(site: Site) -> None:
    ann, ben, table = two_at(site, "mirrow")
    with ExitStack() as stack:
        streams = {who: stack.enter_context(listening(who, table)) for who in (ann, ben, Remote(site.port))}
        for _ in range(20):
            mover = next(each for each in (ann, ben) if each.get(table).my_turn)
            page = mover.get(table)
            assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
            if "+" in version_of(mover, table):
                break
        while "+" not in (word := streams[mover].version()):
            pass
        assert len(word.partition("+")[2]) == 16  # a mark, and no number of steps
        for who, stream in streams.items():
            if who is not mover:  # each version once, so that nothing was told between two of them
                events = stream.until_version(version_of(who, table)) + stream.versions_until_silent(0.3)
                assert len(set(events)) == len(events)
                assert "+" not in "".join(events)


def test_a_spectator_who_may_not_see_a_move_is_not_told_of_it(site: Site) -> None:
    ann, _, table = two_at(site, "rps", t_watching="-1")
    with listening(ann, table) as mine, listening(Remote(site.port), table) as theirs:
        mine.version()
        word = theirs.version()
        assert word.startswith("w")
        assert ann.move(table, "throw rock").status == 303
        assert mine.version()
        assert theirs.versions_until_silent() == []


def test_a_device_that_is_signed_out_is_told_nothing_more(site: Site) -> None:
    ann, _, table = two_at(site)
    with listening(ann, table) as stream, listening(Remote(site.port), table) as other:
        assert ann.submit(ann.get("/me/devices"), "/me/devices").status == 303
        assert stream.next("again")["after"] > 0
        stream.read_until(lambda: stream.ended)
        assert not other.ended


def test_of_one_person_four_streams_are_held_and_six_are_answered(site: Site) -> None:
    ann, _, table = two_at(site)
    with ExitStack() as stack:
        streams = [Stream(ann, table) for _ in range(6)]
        for each in streams:
            stack.callback(each.close)
            assert each.status == 200
        for each in streams:
            each.read_until(lambda each=each: each.told)
        assert sorted(each.told[0].name for each in streams) == ["again"] * 2 + ["hello"] * 4
        assert all(each.next("again")["after"] >= 30 for each in streams if each.told[0].name == "again")
    wait_for(lambda: opened(ann, table), awaited="a place for another stream")


def opened(visitor: Remote, table: str) -> bool:
    stream = Stream(visitor, table)
    stream.read_until(lambda: stream.told)
    stream.close()
    return stream.told[0].name == "hello"


def test_a_hundred_at_once_are_all_told_and_no_connection_is_left(site: Site) -> None:
    ann, ben, table = two_at(site)
    wait_for(lambda: opened(Remote(site.port), table), awaited="a stream")
    before = {pid: connections(pid) for pid in (*site.workers(), site.hub)}

    def come() -> Stream:
        stream = Stream(Remote(site.port), table)
        stream.next("hello")
        stream.version()
        return stream

    streams = together(*[come] * 100)
    assert connections(site.hub) >= before[site.hub] + 99  # one was just closed
    assert ann.move(table, "throw rock").status == 303
    assert ben.move(table, "throw paper").status == 303
    newest = version_of(ann, table)
    for each in streams:
        while each.version() != newest:
            pass
        each.close()
    for pid, were in before.items():
        wait_for(
            lambda pid=pid, were=were: connections(pid) <= were + 8, awaited=f"closed connections of {pid}"
        )


def connections(pid: int) -> int:
    """Count the sockets that a process holds, no files: a pool opens the database once for each thread."""
    count = 0
    for held in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            count += os.readlink(held).startswith("socket:")
    return count


def test_who_only_watches_counts_as_long_as_their_stream_is_open(site: Site) -> None:
    ann, _, table = two_at(site)
    assert "watching" not in ann.get(table).words
    with listening(Remote(site.port), table):
        wait_for(lambda: "1 person is watching." in ann.get(table).words, awaited="a spectator who counts")


def test_streams_outlive_a_reload_of_the_workers_and_the_death_of_one(site: Site) -> None:
    ann, ben, table = two_at(site)
    hub, workers = site.hub, site.workers()
    with listening(ann, table) as stream:
        stream.version()
        os.kill(site.pid, signal.SIGHUP)
        wait_for(
            lambda: len(site.workers()) == 2 and not set(workers) & set(site.workers()), awaited="a reload"
        )
        wait_for(site.answers, awaited="an answer")
        assert site.hub == hub
        assert ann.move(table, "throw rock").status == 303
        assert stream.version()
        os.kill(site.workers()[0], signal.SIGKILL)
        wait_for(site.answers, awaited="an answer")
        assert ben.move(table, "throw paper").status == 303
        assert stream.version()


def test_a_hub_that_is_killed_is_started_again_and_pages_may_ask_meanwhile(site: Site) -> None:
    ann, ben, table = two_at(site)
    hub = site.hub
    with listening(ann, table) as stream:
        stream.version()
        os.kill(hub, signal.SIGKILL)
        stream.read_until(lambda: stream.ended)
    assert ann.move(table, "throw rock").status == 303
    assert version_of(ann, table)
    wait_for(lambda: site.hub not in (0, hub), awaited="another hub")
    wait_for(lambda: ann.get("/readyz").text == "ready\n", awaited="a site that is ready")
    with listening(ann, table) as stream:
        assert stream.version()
        assert ben.move(table, "throw paper").status == 303
        assert stream.version()


def test_a_hub_that_is_away_is_named_and_no_page_waits_for_it() -> None:
    with Site(WORKERS="1", LIVE="apart") as site:
        ann, _, table = two_at(site)
        page = ann.get(f"/live?at={table.removeprefix('/g/')}")
        assert page.status == 503
        assert page.token == "web.no_stream"
        assert ann.get("/readyz").text == "ready\ndegraded: hub\n"
        assert not (site.data / "hub-1.sock").exists()


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("by_redis", [True, False], ids=["redis", "notify"])
def test_a_move_or_ban_on_one_machine_is_told_on_another(
    postgres: Postgres, redis_url: str, by_redis: bool
) -> None:
    """Here two sites with one database and the same keys, each with a hub and a folder of its own."""
    name = postgres.create()
    shared = {
        "DATABASE_URL": postgres.url(name),
        "SECRET_KEYS": "the same key on both machines",
        "WORKERS": "1",
    }
    if by_redis:
        shared["REDIS_URL"] = redis_url
    with Site(**shared) as here, Site(**shared) as there:
        ann, ben, table = two_at(here, name="Ann")
        elsewhere = ben.at(there)
        with listening(elsewhere, table) as stream, listening(ann, table) as mine:
            assert stream.version() == mine.version()
            assert ann.move(table, "throw rock").status == 303
            assert stream.version() == mine.version()
            assert elsewhere.move(table, "throw paper").status == 303
            assert mine.version() == stream.version()
            assert elsewhere.submit(elsewhere.get("/me/devices"), "/me/devices").status == 303
            stream.next("again")
            assert not mine.ended
        with listening(ann.at(there), table) as stream:
            ban(here, "Ann")
            stream.next("again")
        with listening(ann.at(there), table) as as_a_stranger:
            assert as_a_stranger.version()
    postgres.drop(name)


def ban(site: Site, name: str) -> None:
    """Ban somebody as a host does, by commands on one machine."""
    [person] = json.loads(run("people", "find", name, "--json", **site.settings).stdout)
    done = run("people", "ban", person["id"], "--reason", "Insults", **site.settings)
    assert done.exit_code == 0, done.output


# -- streams of programs ------------------------------------------------------------------


def client_of(site: Site, visitor: Remote) -> Client:
    return Client(f"http://{LOOPBACK}:{site.port}", token_of(visitor))


def follow_a_game(site: Site) -> None:
    """Let a program fold the events of a game while others play it; the stream ends with its token."""
    ann, ben, table = two_at(site)
    id = table.removeprefix("/g/")
    with client_of(site, ann) as program:
        followed = program.read("table.follow", table=id)
        events = program.events(followed["event"])
        for rounds in range(2):
            for who in (ann, ben):
                assert who.move(table, "throw rock").status == 303
            while followed["state"]["number"] < 2 * rounds + 2:
                followed = fold(followed, next(events))
        state = program.read("table.state", table=id, stable=True)
        assert json.dumps(followed["state"]) == json.dumps(state)
        assert ann.submit(ann.get("/me/tokens"), "/me/tokens/revoke").status == 303
        with pytest.raises(Fault) as ended:
            next(events)
        assert ended.value.data["status"] == 401


def test_a_game_is_followed_by_its_events_until_the_token_is_revoked(site: Site) -> None:
    follow_a_game(site)


@pytest.mark.postgres
def test_a_game_is_followed_on_postgresql(postgres: Postgres) -> None:
    name = postgres.create()
    with Site(**GENEROUS, DATABASE_URL=postgres.url(name)) as site:
        follow_a_game(site)
    postgres.drop(name)


def test_a_stream_begins_with_what_was_missed_and_tells_of_more(site: Site) -> None:
    ann, ben, table = two_at(site)
    id, token = table.removeprefix("/g/"), token_of(ann)
    with Client(f"http://{LOOPBACK}:{site.port}", token) as program:
        start = program.read("events")["next"]
        assert ann.move(table, "throw rock").status == ben.move(table, "throw rock").status == 303
        missed = program.read("events", after=start)["events"]
        assert {each["table"] for each in missed} == {id}
        streams: list[ProgramStream] = []
        again = {"query": "?after=0", "Last_Event_ID": str(start)}  # the header is newer than the address
        for more in ({"query": f"?after={start}"}, {"Last_Event_ID": str(start)}, again):
            stream = ProgramStream(site.port, token, **more)
            assert stream.next("hello") == {"next": start, "every": 15}
            assert "content-type: text/event-stream" in stream.head.lower()
            assert "ratelimit-limit" in stream.head.lower()
            assert [stream.next(each["event"]) for each in missed] == missed
            streams.append(stream)
        for earlier in streams[:-1]:
            assert earlier.next("closed") == {"why": "another"}
            earlier.close()
        assert ann.move(table, "throw paper").status == 303
        assert stream.next("more") == {}
        events = program.read("events", after=missed[-1]["id"])["events"]
        assert [each["event"] for each in events] == ["table"]  # the one chose, and the other is still to
        stream.close()


def test_lines_of_json_and_what_is_refused(site: Site) -> None:
    token = token_of(two_at(site)[0])
    address = f"http://{LOOPBACK}:{site.port}/api/v1/stream"
    sent = {"Authorization": f"Bearer {token}", "Accept": "application/x-ndjson"}
    with urllib.request.urlopen(urllib.request.Request(address, headers=sent), timeout=30) as answer:
        assert answer.headers["Content-Type"].startswith("application/x-ndjson")
        line = json.loads(answer.readline())
        assert (line["event"], line["every"]) == ("hello", 15)
    gone = ProgramStream(site.port, token, f"?after={line['next'] - 10**6}")
    assert gone.status == 410
    gone.close()
    wrong = ProgramStream(site.port, "sbt_wrong")
    assert wrong.status == 401
    wrong.close()
