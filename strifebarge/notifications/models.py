"""Notifications, their subscribers, and the channels they go through."""

from enum import StrEnum
from zoneinfo import ZoneInfo

from msgspec import Struct

from strifebarge.notifications.quiet_hours import after_quiet, next_minute

MOST_CHANNELS = 5  # channels of one person


class NotificationKind(StrEnum):
    """Kinds of notification."""

    TURN = "turn"
    HALF = "half"  # half of the time for the move is gone
    LAST = "last"  # a quarter of that time is left, or two hours
    NUDGE = "nudge"  # another player has waited for long and says so
    AGREE = "agree"  # the others wait until this one agrees
    DECIDE = "decide"  # another's time has run out, and this one may decide what comes of it
    RESUMES = "resumes"  # a pause of all clocks ends within a day
    OVER = "over"
    TEST = "test"
    CONFIRM = "confirm"  # asks whether this channel belongs to the person who entered it


CHOICES = (
    NotificationKind.TURN,
    NotificationKind.HALF,
    NotificationKind.NUDGE,
    NotificationKind.AGREE,
    NotificationKind.OVER,
)  # what a subscriber chooses from
AT_ONCE = {
    NotificationKind.LAST,
    NotificationKind.RESUMES,
    NotificationKind.TEST,
    NotificationKind.CONFIRM,
}  # sent in quiet hours too
REMINDERS = (NotificationKind.HALF, NotificationKind.LAST)
OF_TIME = (*REMINDERS, NotificationKind.RESUMES)  # chosen together, as HALF


class ChannelKind(StrEnum):
    """How notifications go through a channel."""

    MAIL = "mail"
    DISCORD = "discord"
    SLACK = "slack"
    NTFY = "ntfy"
    PUSH = "push"  # into one browser, whether or not a page of the site is open there


class ChannelState(StrEnum):
    """States of a channel."""

    NEW = "new"  # nothing is sent there but the question whose it is
    WORKING = "working"
    FAILING = "failing"  # given up, until its owner says to try again


class Notification(Struct, kw_only=True):
    """One thing for one person to know.  Times are seconds since 1970, UTC."""

    id: str
    player: str
    kind: NotificationKind
    table: str | None = None
    created: float
    due: float  # not sent before then
    sent: float | None = None  # when it was dispatched


class Channel(Struct, kw_only=True):
    """Where one person wants to be told.  Times are seconds since 1970, UTC."""

    id: str
    player: str
    kind: ChannelKind
    address: str  # a mail address, or that of a webhook; of a browser, its keys too
    device: str = ""  # of a browser: once that device is signed out, the channel is removed
    state: ChannelState = ChannelState.NEW
    error: str = ""  # why it fails: a packed text as JSON
    created: float = 0
    failures: int = 0  # in a row
    retry: float = 0  # nothing is sent before then
    lease: float = 0  # until then one process has it to itself


class Subscriber(Struct, kw_only=True):
    """A person who is told something: what, and when."""

    player: str
    language: str = "en"
    zone: str = ""  # the name of their time zone; "" while it is unknown: then times of day have no effect
    quiet: tuple[int, int] | None = (22 * 60, 8 * 60)  # quiet hours, in minutes of their own day
    digest: int | None = None  # one message a day, at this minute of their own day
    kinds: tuple[NotificationKind, ...] = CHOICES
    silent: tuple[str, ...] = ()  # tables of which they want to hear nothing
    answers: bool = False  # whether mails carry links by which the one move can be made
    link_serial: int = 1  # of those links: older ones are dead
    feed_serial: int = 0  # of feed and calendar; up to 0 there are none

    def wants(self, kind: NotificationKind, table: str) -> bool:
        """Return whether they want to hear of this kind at this table."""
        kind = (
            NotificationKind.HALF
            if kind in OF_TIME
            else NotificationKind.TURN
            if kind is NotificationKind.DECIDE
            else kind
        )
        return kind in self.kinds and table not in self.silent

    def end_answer_links(self) -> None:
        """End all links sent until now by which a move could be made."""
        self.link_serial += 1

    def renew_feed(self) -> None:
        """Give feed and calendar another address, if they have one."""
        if self.feed_serial > 0:
            self.feed_serial += 1

    def next_allowed(self, kind: NotificationKind, now: float) -> float:
        """Return the first moment from `now` on when a notification of this kind may go out."""
        if kind in AT_ONCE or not self.zone:
            return now
        if self.digest is not None:
            return next_minute(now, self.digest, ZoneInfo(self.zone))
        return after_quiet(now, self.quiet, ZoneInfo(self.zone))
