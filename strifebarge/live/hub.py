"""The hub itself: which streams are open, at which tables, and what each of them is told when.

It knows no secrets: tables by their codes, people, devices and addresses by marks.  It all happens in one
thread, that of its event loop, and nothing here waits.
"""

import asyncio
import select
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random
from time import monotonic
from typing import NamedTuple

from strifebarge.live.messages import StreamOpened
from strifebarge.live.stream import HEARTBEAT, LINES, Stream, event, version
from strifebarge.tables.view.news import News
from strifebarge.tournaments.news import tournament_of

STREAMS_OF_A_PERSON = 4  # each browser has one for all its pages
LONGEST = 1800.0  # seconds of a stream, after which it is opened anew: whose session it is, is asked again
REVOKED_FOR = 60.0  # seconds in which a stream may still come that was asked for before its token was revoked
REMEMBERED = 5.0  # seconds in which news of a table is kept at which no stream is open yet
MOST_REMEMBERED = 10_000  # tables of these
AT_ONCE = 500  # streams that are told something before others have their turn
SLOW = 10.0  # seconds that a reader who is too slow has to take its last words
CROWDED = 60.0  # seconds after which one too many may come again
RETRY = 1000  # milliseconds after which a browser opens a stream again; up to twice that, by chance
SPREAD = 1000  # streams a second that may be opened again when all are told to


class StreamLimits(NamedTuple):
    """The most streams that may be open."""

    address: int  # of one address
    site: int  # of all
    person: int = STREAMS_OF_A_PERSON


class Topic:
    """A table with open streams: its newest news, and who listens."""

    __slots__ = ("news", "presence", "streams")

    def __init__(self, news: News):
        self.news = news
        self.presence = news.presence or ""
        self.streams: dict[Stream, None] = {}

    def word_for(self, stream: Stream) -> str:
        """Return the word that a stream is told of this table; a program is not told who is present."""
        return self.news.word_for(stream.person, "" if stream.program else self.presence)


class PresentViewer(NamedTuple):
    """Somebody who has a stream open at a table: by their own mark, or by that of a spectator."""

    table: str
    person: str
    spectator: str


class Hub:
    """All open streams."""

    def __init__(self, limits: StreamLimits, chance: Random | None = None):
        self.limits = limits
        self.chance = chance or Random()
        self.streams: dict[int, Stream] = {}  # by descriptor
        self.topics: dict[str, Topic] = {}
        self.programs: dict[str, dict[Stream, None]] = {}  # streams of programs, by the person of their token
        self.revoked: dict[str, float] = {}  # tokens and devices that have ended lately, and when
        self.people: Counter[str] = Counter()
        self.addresses: Counter[str] = Counter()
        self.recent: dict[str, tuple[float, News]] = {}  # news of tables, also of those without a stream
        self.buckets: list[dict[Stream, None]] = [{} for _ in range(HEARTBEAT)]
        self.second = 0
        self.ending = False
        self.poll = select.epoll()

    # -- opened and closed -------------------------------------------------------

    def open(self, connection: socket.socket, opened: StreamOpened) -> Stream | None:
        """Take over a stream, and tell it where its tables are; None if it may not be, which it is told."""
        tables = [each.table for each in opened.news]
        marks = opened.person, opened.device, opened.address
        stream = Stream(connection, *marks, tables, opened.program)
        stream.watches = {table: mark for table, mark in zip(tables, opened.spectators, strict=False) if mark}
        stream.prepare()
        if opened.program:
            self._replace(stream)
        retry = (
            b"" if opened.program == LINES else f"retry: {RETRY + self.chance.randrange(RETRY)}\n\n".encode()
        )
        if (wait := self._too_many(opened)) is not None:
            with suppress(OSError):
                stream.send(opened.head + retry + stream.retry_event(wait))
            stream.close()
            return None
        self._add(stream)
        topics = [self._topic(news) for news in opened.news]
        stream.last_sent = {topic.news.table: "" for topic in topics}  # the same strings for all streams
        for topic in topics:
            topic.streams[stream] = None
        message = self._more_at_once(stream, opened.news) if opened.program else self._all_words(stream)
        if not opened.program:
            gone = b"".join(event("gone", table=table) for table in opened.gone)
            message = event("hello", every=HEARTBEAT) + message + gone
        self._say(stream, opened.head + retry + message)
        return stream if connection.fileno() in self.streams else None

    def _replace(self, stream: Stream) -> None:
        """Close the stream that the same token has open, which says why: there is one for each."""
        for other in list(self.programs.get(stream.person, ())):
            if other.device == stream.device:
                self.drop(other, other.encoded_event("closed", why="another"))

    def _more_at_once(self, stream: Stream, read: list[News]) -> bytes:
        """Return what a program is told first: whether anything has changed since its tables were read."""
        before = {news.table: news.word_for(stream.person) for news in read}
        joined = [news for _, news in self.recent.values() if self._concerns(stream, news)]
        for news in joined:
            self._join(stream, news)
        for table in stream.last_sent:
            stream.last_sent[table] = self.topics[table].word_for(stream)
        changed = any(stream.last_sent[table] != word for table, word in before.items())
        return stream.encoded_event("more") if joined or changed else b""

    def _too_many(self, opened: StreamOpened) -> float | None:
        """Return after how many seconds one too many may come again; None for a stream that may be open."""
        if self.ending:
            return self._when_again()
        person, address = opened.person, opened.address
        crowded = (
            len(self.streams) >= self.limits.site
            or (person and not opened.program and self.people[person] >= self.limits.person)
            or (opened.program and opened.device in self.revoked)
            or self.addresses[address] >= self.limits.address
        )
        return CROWDED * (0.5 + self.chance.random()) if crowded else None

    def _add(self, stream: Stream) -> None:
        descriptor = stream.connection.fileno()
        self.streams[descriptor] = stream
        self.poll.register(descriptor, select.EPOLLIN | select.EPOLLRDHUP)
        if stream.program:  # there is one for each token, and of these a person has few
            self.programs.setdefault(stream.person, {})[stream] = None
        elif stream.person:
            self.people[stream.person] += 1
        self.addresses[stream.address] += 1
        stream.bucket = min(range(HEARTBEAT), key=lambda each: len(self.buckets[each]))
        self.buckets[stream.bucket][stream] = None

    def drop(self, stream: Stream, last: bytes = b"") -> None:
        """Close a stream, after last words if it takes them at once."""
        descriptor = stream.connection.fileno()
        if self.streams.pop(descriptor, None) is None:
            return
        with suppress(OSError):
            self.poll.unregister(descriptor)
        counters = [(self.addresses, stream.address)]
        if not stream.program:
            counters.append((self.people, stream.person))
        else:
            person_streams = self.programs[stream.person]
            del person_streams[stream]
            if not person_streams:
                del self.programs[stream.person]
        for counted, whose in counters:
            counted[whose] -= 1
            if counted[whose] <= 0:
                del counted[whose]
        self.buckets[stream.bucket].pop(stream, None)
        for table in stream.last_sent:
            self._leave(table, stream)
        if last and not stream.left:
            with suppress(OSError):
                stream.send(last)
        stream.close()

    def _leave(self, table: str, stream: Stream) -> None:
        topic = self.topics.get(table)
        if topic is not None:
            topic.streams.pop(stream, None)
            if not topic.streams:
                del self.topics[table]

    # -- told --------------------------------------------------------------------

    def changed(self, news: News) -> Iterator[None]:
        """Tell all streams of a table that it has changed; yield now and then, for others to have a turn."""
        topic = self.topics.get(news.table)
        self._remember(news)
        self._let_programs_join(news)
        if topic is None or news.revision <= topic.news.revision:
            return
        topic.news = news
        if news.presence is not None:
            topic.presence = news.presence
        yield from self._tell(topic)

    def _let_programs_join(self, news: News) -> None:
        """Let the programs of people who have come to a table, or are invited, be told of it from now on."""
        for person in {*news.etags, *news.invited} & self.programs.keys():
            for stream in list(self.programs.get(person, ())):
                if self._concerns(stream, news):
                    self._join(stream, news)
                    self._say(stream, stream.encoded_event("more"))

    def follow(self, person: str, device: str, news: News) -> None:
        """Let a program's stream tell of one more table."""
        for stream in self.programs.get(person, ()):
            if stream.device == device and news.table not in stream.last_sent:
                self._join(stream, news)

    def _concerns(self, stream: Stream, news: News) -> bool:
        """Return whether a program's stream is to be told of a table of which it is not told yet."""
        is_own = stream.person in news.etags or stream.person in news.invited
        return is_own and news.table not in stream.last_sent

    def _join(self, stream: Stream, news: News) -> None:
        topic = self._topic(news)
        topic.streams[stream] = None
        stream.last_sent[topic.news.table] = topic.word_for(stream)

    def present(self, table: str, presence: str) -> Iterator[None]:
        """Tell all streams of a table that others are present now than before."""
        topic = self.topics.get(table)
        if topic is not None and topic.presence != presence:
            topic.presence = presence
            yield from self._tell(topic)

    def gone(self, table: str) -> None:
        """Tell all streams of a table that it is not there any more."""
        topic = self.topics.pop(table, None)
        streams = [*topic.streams] if topic else []
        if topic:
            topic.streams.clear()  # whatever is being told to them in turns ends
        for stream in streams:
            stream.last_sent.pop(table, None)
            stream.watches.pop(table, None)
            self._say(stream, stream.encoded_event("more") if stream.program else event("gone", table=table))

    def signed_out(self, person: str, device: str) -> None:
        """End the streams of a person's device or token, or of all of them."""
        if device:
            self.revoked[device] = monotonic()
        if person not in self.people and person not in self.programs:
            return
        for stream in list(self.streams.values()):
            if stream.person == person and device in ("", stream.device):
                self.drop(stream, stream.retry_event(1 + self.chance.random()))

    def _tell(self, topic: Topic) -> Iterator[None]:
        encoded: dict[str, bytes] = {}  # the same word is told to thousands
        for count, stream in enumerate(list(topic.streams)):
            word, table = topic.word_for(stream), topic.news.table
            if stream.last_sent.get(table) != word and stream in topic.streams:
                stream.last_sent[table] = word
                if word not in encoded:
                    encoded[word] = version(table, word)
                self._say(stream, stream.encoded_event("more") if stream.program else encoded[word])
            if count % AT_ONCE == AT_ONCE - 1:
                yield

    def _all_words(self, stream: Stream) -> bytes:
        for table in stream.last_sent:
            stream.last_sent[table] = self.topics[table].word_for(stream)
        return b"".join(version(table, word) for table, word in stream.last_sent.items())

    def _topic(self, news: News) -> Topic:
        """Return the topic of a table; a new one with the newest news of it that are known.

        News that one stream brings to a topic with others are told to all of them by `changed`, afterwards.
        """
        topic = self.topics.get(news.table)
        if topic is None:
            topic = self.topics[news.table] = Topic(news)
            _, recent = self.recent.get(news.table, (0.0, news))
            if recent.revision > news.revision:
                topic.news = recent
                if recent.presence is not None:
                    topic.presence = recent.presence
        return topic

    def _remember(self, news: News) -> None:
        """Keep news for a moment: a stream may be on its way that does not know them."""
        if len(self.recent) < MOST_REMEMBERED:
            before = self.recent.get(news.table)
            if before is None or before[1].revision < news.revision:
                self.recent[news.table] = monotonic(), news

    def _say(self, stream: Stream, message: bytes) -> None:
        """Send something to a stream.  One that is too slow gets what it was being sent, and then ends."""
        if stream.left:
            return
        try:
            if stream.send(message):
                return
        except OSError:
            self.drop(stream)
            return
        stream.left += stream.retry_event(1 + self.chance.random())
        stream.end = monotonic() + SLOW
        self.poll.modify(stream.connection.fileno(), select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLOUT)

    # -- what connections do, and time ------------------------------------------------

    def poll_connections(self) -> None:
        """Look at the connections at which something has happened."""
        for descriptor, happened in self.poll.poll(0, 1024):
            stream = self.streams.get(descriptor)
            if stream is None:
                continue
            if happened & (select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR) or (
                happened & select.EPOLLIN and self._has_ended(stream)
            ):
                self.drop(stream)
            elif happened & select.EPOLLOUT:
                self._send_rest(stream)

    def _has_ended(self, stream: Stream) -> bool:
        """Return whether a reader has closed its side; what it sends on a stream is for nobody."""
        try:
            return not stream.connection.recv(4096)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _send_rest(self, stream: Stream) -> None:
        """Send the rest to a reader who was too slow, and then close its stream."""
        try:
            if stream.send(stream.left):
                self.drop(stream)
        except OSError:
            self.drop(stream)

    def tick(self) -> None:
        """Do what is done each second: the heartbeat of some streams, and the end of old ones."""
        now = monotonic()
        self.second = (self.second + 1) % HEARTBEAT
        for stream in list(self.buckets[self.second]):
            if now >= stream.end:
                self.drop(stream)
            elif now - stream.since >= LONGEST:
                self.drop(stream, stream.retry_event(self.chance.random() * HEARTBEAT))
            else:
                self._say(stream, stream.heartbeat)
        self.recent = {
            table: (at, news) for table, (at, news) in self.recent.items() if now - at < REMEMBERED
        }
        self.revoked = {device: at for device, at in self.revoked.items() if now - at < REVOKED_FOR}

    def all_present(self) -> list[PresentViewer]:
        """Return who has a stream open, at which tables."""
        return [each for stream in self.streams.values() for each in present_by(stream)]

    def end(self) -> None:
        """Tell all streams to come again, and close them."""
        self.ending = True
        for stream in list(self.streams.values()):
            self.drop(stream, stream.retry_event(self._when_again()))

    def _when_again(self) -> float:
        """Return in how many seconds to come again while the site is restarted: not all at once."""
        return 1 + self.chance.random() * (1 + len(self.streams) / SPREAD)


def present_by(stream: Stream) -> Iterable[PresentViewer]:
    """Return at which tables somebody is present, as one stream tells; a program is present where it asks."""
    if stream.program:
        return []
    tables = [topic for topic in stream.last_sent if not tournament_of(topic)]
    return [PresentViewer(table, stream.person, stream.watches.get(table, "")) for table in tables]


async def in_turns(work: Iterator[None]) -> None:
    """Do work in slices, between which the event loop does something else."""
    for _ in work:
        await asyncio.sleep(0)
