"""The bridge between the hubs of several machines: by Redis or PostgreSQL they tell each other the news.

Each hub forwards what the processes of its own machine say.  So no worker has a connection for this, and no
move waits for it.  What gets lost on the way, the lookout of the other machine finds a second later.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from base64 import b85decode, b85encode
from collections.abc import Callable
from secrets import token_bytes
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.lib.signing import Marks
from strifebarge.live.messages import Message, decode, encode
from strifebarge.settings import Settings
from strifebarge.store.db.address import parameters

log = logging.getLogger("strifebarge")

EVERY = 0.01  # seconds in which messages are gathered to be sent at once
REST = 2.0  # seconds after which a service that was away is tried again
WAIT = 2.0  # seconds to connect, and for each answer
SIGN_OF_LIFE = 15  # seconds after which a silent connection is asked whether it is still there
MOST_WAITING = 10_000  # messages; more are left to the lookout
LONGEST = 5_000  # bytes of a batch: PostgreSQL takes 8,000 letters, which are five for four bytes

Took = Callable[[Message], None]


class Batch(Struct, frozen=True, array_like=True):
    """Packets that go over the bridge at once, and from which hub: its own come back to it too."""

    sender: bytes
    packets: list[bytes]


def bridge_for(settings: Settings, took: Took) -> "Bridge | None":
    """Return the bridge of a site that may have several machines; None on SQLite, which is for one."""
    if settings.database_url.startswith("sqlite:"):
        return None
    channel = f"strifebarge_{Marks(settings.secret_keys)('channel', '')}"  # the same wherever the keys are
    if settings.redis_url:
        return RedisBridge(settings.redis_url, channel, took)
    return PostgresBridge(settings.unpooled_url, channel, took)


class Bridge(ABC):
    """Sends messages to all other hubs, and gives theirs to `took`."""

    name: str

    def __init__(self, url: str, channel: str, took: Took):
        self.url = url
        self.channel = channel
        self.took = took
        self.sender = token_bytes(8)
        self.waiting: list[bytes] = []
        self.wake = asyncio.Event()
        self.amiss = False  # which the log has been told

    def send(self, message: Message) -> None:
        """Send a message soon, if the bridge is there."""
        if len(self.waiting) < MOST_WAITING:
            self.waiting.append(encode(message))
            self.wake.set()

    async def run(self) -> None:
        """Send and take messages for ever; connect again where the connection is lost."""
        while True:
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(self.listen())
                    both.create_task(self.forward())
            except* Exception as errors:  # whatever each library raises
                if not self.amiss:
                    log.warning("the hub has no bridge to others by %s: %s", self.name, errors.exceptions[0])
                self.amiss = True
            self.waiting.clear()
            await asyncio.sleep(REST)

    @abstractmethod
    async def listen(self) -> None:
        """Take batches until the connection is lost; raises what the library raises."""

    @abstractmethod
    async def forward(self) -> None:
        """Send batches until the connection is lost; raises what the library raises."""

    async def next_batch(self) -> bytes:
        """Wait for messages, and return those of a moment as a batch."""
        await self.wake.wait()
        await asyncio.sleep(EVERY)
        packets: list[bytes] = []
        size = 0
        while self.waiting and (not packets or size + len(self.waiting[0]) <= LONGEST):
            packets.append(self.waiting.pop(0))
            size += len(packets[-1])
        if not self.waiting:
            self.wake.clear()
        return msgspec.msgpack.encode(Batch(self.sender, packets))

    def take(self, data: bytes) -> None:
        """Take a batch, unless it is our own; what cannot be read is left out."""
        try:
            batch = msgspec.msgpack.decode(data, type=Batch)
            if batch.sender != self.sender:
                for packet in batch.packets:
                    self.took(decode(packet))
        except msgspec.DecodeError as error:
            log.warning("the hub cannot read what came over its bridge: %s", error)


class RedisBridge(Bridge):
    """A bridge by Redis' publish and subscribe."""

    name = "Redis"

    def client(self) -> Any:
        """Return a client whose answers do not take for ever."""
        from redis.asyncio import Redis

        return Redis.from_url(
            self.url,
            socket_connect_timeout=WAIT,
            socket_timeout=WAIT,
            health_check_interval=SIGN_OF_LIFE,
        )

    async def listen(self) -> None:
        async with self.client() as client, client.pubsub(ignore_subscribe_messages=True) as heard:
            await heard.subscribe(self.channel)
            self.amiss = False
            while True:
                message = await heard.get_message(timeout=1.0)
                if message is not None:
                    self.take(message["data"])

    async def forward(self) -> None:
        async with self.client() as client:
            while True:
                await client.publish(self.channel, await self.next_batch())


class PostgresBridge(Bridge):
    """A bridge by NOTIFY and LISTEN, on two connections that do nothing else."""

    name = "PostgreSQL"

    async def connection(self) -> Any:
        """Return a connection on which each statement stands for itself."""
        from psycopg import AsyncConnection

        usual = {"connect_timeout": 5, "keepalives_idle": SIGN_OF_LIFE, "tcp_user_timeout": 10_000}
        payload: dict[str, Any] = {**usual, **parameters(self.url)}
        return await AsyncConnection.connect(autocommit=True, **payload)

    async def listen(self) -> None:
        async with await self.connection() as connection:
            await connection.execute(f'LISTEN "{self.channel}"')
            self.amiss = False
            async for notice in connection.notifies():
                self.take(b85decode(notice.payload))

    async def forward(self) -> None:
        async with await self.connection() as connection:
            while True:
                words = b85encode(await self.next_batch()).decode()
                await connection.execute("SELECT pg_notify(%s, %s)", (self.channel, words))
