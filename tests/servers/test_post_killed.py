"""The post is killed in the midst of it: what it was to send comes later, when its claim has ended."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from secrets import token_hex

import pytest

from strifebarge.notifications.dispatch import LEASE
from strifebarge.notifications.models import Channel, ChannelKind, ChannelState, Subscriber
from strifebarge.notifications.rules import SOON
from strifebarge.rules.notation import read
from strifebarge.store.db.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player
from strifebarge.tables.play.turn import FormToken
from tests.servers.conftest import BOTH
from tests.support import forms
from tests.support.listening import Door, answering
from tests.support.servers import ROOT, Postgres

pytestmark = pytest.mark.servers
NOON = 2_000_023_200.0
DUE = NOON + SOON + 1


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'post.db'}"
        upgrade(url)
        yield url
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    name = postgres.create()
    upgrade(postgres.url(name))
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
def door() -> Iterator[Door]:
    with answering(Door()) as open_door:
        yield open_door


@pytest.fixture
def waiting(url: str, door: Door) -> None:
    """A game in which it has just become the turn of somebody who is told of it."""
    engine = engine_for(url, 2)
    store = Store(engine)
    referee = forms.a_referee(store, Library(), now=lambda: NOON)
    white, black = Player("white"), Player("black")
    table = forms.start(referee, white, "chess", FormToken(token_hex(16)))
    forms.join(referee, black, table.id, "", FormToken(token_hex(16)))
    store.notifications.keep_subscriber(Subscriber(player="black", quiet=None))
    place = f"{door.url}/"
    store.notifications.keep_channel(
        Channel(id="a", player="black", kind=ChannelKind.NTFY, address=place, state=ChannelState.WORKING)
    )
    forms.move(referee, "white", table.id, partial(read, "move e4"), FormToken(token_hex(16)))
    engine.dispose()


def sender(url: str, now: float, *stop: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.servers.sender", url, str(now), *stop]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def killed(url: str, now: float, stop: str) -> None:
    """A post that has claimed the letter, and got no further than that."""
    with sender(url, now, stop) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"stopped\n"
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(10) == -signal.SIGKILL


def rounds(url: str, now: float, processes: int = 2) -> None:
    """Several of them at once, each of which makes its round."""
    for process in [sender(url, now) for _ in range(processes)]:
        process.communicate(timeout=60)
        assert process.returncode == 0


@pytest.mark.parametrize("stop", ["before", "after"])
@pytest.mark.usefixtures("waiting")
def test_who_is_killed_with_a_letter_in_hand_is_not_followed_before_their_claim_has_ended(
    url: str, door: Door, stop: str
) -> None:
    sent = 1 if stop == "after" else 0
    killed(url, DUE, stop)
    assert len(door.brought) == sent
    rounds(url, DUE + LEASE - 1, 1)
    assert len(door.brought) == sent
    rounds(url, DUE + LEASE + 1)
    # What was sent and not noted goes out a second time; that nobody could have known.
    assert len(door.brought) == sent + 1
    assert len({body for _, _, body in door.brought}) == 1
    rounds(url, DUE + 9 * LEASE, 1)
    assert len(door.brought) == sent + 1
