"""The servers that other tests stand on."""

import subprocess
import sys
from subprocess import PIPE

import psycopg
import pytest
import redis

from tests.conftest import need
from tests.support.networks import Network, ip
from tests.support.servers import (
    ROOT,
    NotStarted,
    Postgres,
    Redis,
    Server,
    Unavailable,
    find_program,
    gone,
    wait_for,
)


def plain(url: str) -> str:
    """A URL as the driver by itself takes it."""
    return url.replace("+psycopg", "")


def test_postgres_gives_each_test_an_empty_database(postgres, postgres_url):
    with psycopg.connect(plain(postgres_url)) as connection:
        connection.execute("CREATE TABLE thing (id int)")
    other = postgres.create()
    with psycopg.connect(plain(postgres.url(other))) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    postgres.drop(other)
    assert tables == (0,)


@pytest.mark.postgres
def test_a_durable_postgres_keeps_what_it_committed_when_it_is_killed(postgres):
    with Postgres(durable=True) as server:
        server.run("CREATE TABLE thing (id int)")
        server.kill()
        assert not server.running
        server.start()
        server.run("INSERT INTO thing VALUES (1)")  # or UndefinedTable
        server.stop()
        assert "automatic recovery in progress" in server.log()


def test_redis_is_empty_and_can_be_taken_away(redis_url):
    client = redis.Redis.from_url(redis_url)
    assert client.dbsize() == 0
    client.close()
    with Redis() as server:
        server.stop()
        with redis.Redis.from_url(server.url) as client, pytest.raises(redis.ConnectionError):
            client.ping()
        server.start()
        with redis.Redis.from_url(server.url) as client:
            assert client.ping()


@pytest.mark.servers
def test_a_server_that_ends_at_once_is_told_with_what_it_wrote():
    class Broken(Server):
        def command(self):
            return ["sh", "-c", "echo out of paint; exit 3"]

        def answers(self):
            return False

    broken = Broken()
    with pytest.raises(NotStarted, match="out of paint"), broken:
        pass
    assert not broken.folder.exists()


@pytest.mark.servers
def test_kill_reaches_the_whole_group():
    class Family(Server):
        def command(self):
            return ["sh", "-c", "sleep 600 & echo child $!; wait"]

        def answers(self):
            return "child" in self.log()

    with Family() as family:
        child = int(family.log().split()[-1])
        family.kill()
        wait_for(lambda: gone(child), awaited="the child's end")


def test_a_missing_program_is_told_with_its_package():
    with pytest.raises(Unavailable, match=r"no-such-thing is not on this machine .*apt-get install thing"):
        find_program("no-such-thing", package="thing")


@pytest.mark.redis
def test_a_server_ends_with_a_run_that_is_killed() -> None:
    need(lambda: find_program("setpriv", package="util-linux"))
    start = "from tests.support.servers import Redis; print(Redis().start().pid, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", start], cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True) as run:
        assert run.stdout
        server = int(run.stdout.readline())
        assert not gone(server)
        run.kill()
    wait_for(lambda: gone(server), awaited="the end of Redis")


# -- machines ---------------------------------------------------------------------------


def ended():
    """The number of a process that is gone."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@pytest.mark.servers
def test_a_machine_is_reached_until_its_cable_is_cut_and_nothing_of_it_is_left():
    network = need(Network(1).__enter__)
    [machine] = network.machines
    server = need(lambda: Redis(machine.address))
    server.machine = machine
    try:
        with server:
            assert server.answers()
            machine.cut()
            with pytest.raises(OSError, match=r"time|route"):
                server.ask(b"PING")
            machine.mend()
            assert server.answers()
    finally:
        network.close()
    assert machine.name not in ip("netns", "list")
    assert machine.cable not in ip("link", "show")


@pytest.mark.servers
def test_what_killed_tests_have_left_is_removed():
    left = f"sb-{ended()}-1"
    need(lambda: ip("netns", "add", left))
    need(Network(1).__enter__).close()
    assert left not in ip("netns", "list")
