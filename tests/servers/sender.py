"""The post as a process of its own, which a test may kill: one round at a moment of the test's own.

    python -m tests.servers.sender URL NOW [before | after]

With `before` or `after` it stops before or after it sends anything, says so, and never goes on.
"""

import sys
import time
from pathlib import Path

from strifebarge.app import dispatcher, wired
from strifebarge.notifications.dispatch import Carrier, NotificationMessage
from strifebarge.notifications.models import Channel
from strifebarge.settings import Settings
from strifebarge.store.db.engine import engine_for


class Stopping:
    """Sends as another does, but for that it comes to no end."""

    def __init__(self, carrier: Carrier, when: str):
        self.carrier, self.when, self.tries = carrier, when, carrier.tries

    def send(self, address: Channel, message: NotificationMessage) -> None:
        if self.when == "after":
            self.carrier.send(address, message)
        print("stopped", flush=True)
        time.sleep(600)


def main(url: str, now: str, stop: str = "") -> None:
    settings = Settings(
        data=Path(),
        database_url=url,
        secret_keys=("a key for tests alone",),
        public_url="https://games.example.org",
        inner_hooks=True,
    )
    engine = engine_for(settings.database_url, 2)
    post = dispatcher(wired(engine, settings), settings)
    if stop:
        post.carriers = {way: Stopping(carrier, stop) for way, carrier in post.carriers.items()}
    post(float(now))
    engine.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
