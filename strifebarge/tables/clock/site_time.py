"""The site's time: one for all its processes, whatever the wall clocks of their machines are set to.

A wall clock may be set while the site runs, back or forward, by a second or a year.  So it is read only to
begin with.  From then on the site's time goes by the time since the machine was booted, which nobody can set
and which goes on while the machine is suspended (Linux's CLOCK_BOOTTIME; CLOCK_MONOTONIC would stand still
then).  The database has a moment of it: what the site's time was when a machine had been up for so long.  All
processes of that machine have the same time from it, also those that start later; other machines have it by
the database's clock.

A wall clock that says something else for an hour, by the same amount in all processes, is believed.  Where
it is ahead the site's time goes forward at once, which counts as an absence of the site: no clock runs
meanwhile.  Where it is behind the site's time goes more slowly until both agree, and never back.
"""

import logging
import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

from msgspec import Struct

from strifebarge.lib.busy import Busy
from strifebarge.lib.cached import cached_property
from strifebarge.tables.clock.timekeeper import UptimePeriod

SINCE_BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # Linux counts suspended time in the first
SYNCHRONIZED_EVERY = 10  # seconds, in a process that does not tick
ASKED_ANEW_AFTER = 60.0  # seconds after which a process that has not done so does when it is asked
RENEWED_AFTER = 60.0  # seconds after which a machine's moment is kept anew, where another machine ticks
ALIVE = 60.0  # seconds since the last moment was written in which another machine may take it as it is
ABSENCE = 60.0  # seconds that the site may be silent before that is an absence
BELIEVED_AFTER = 3600.0  # seconds that a wall clock must have been off by the same amount
A_LITTLE = 0.001  # seconds by which a first moment is later than the end of what may be no absence
SAME = 5.0  # seconds by which that amount may differ
ADJUST = 0.001  # seconds per second by which the site's time follows a wall clock that is off by a little
SLOW_DOWN = 0.01  # seconds per second by which it waits for one that has been believed to be behind

log = logging.getLogger("strifebarge")


class Moment(Struct, frozen=True):
    """The site's time at one moment, by a machine's time since it was booted."""

    at: float  # the site's time
    machine: str  # which machine, since which boot
    uptime: float  # seconds that this machine had been up then
    reference: float  # what the reference clock said: the database's, or where it has none the wall clock
    clock_offset: float = 0.0  # seconds that clock was ahead (behind: less than 0), if that was a lot
    offset_since: float = 0.0  # the site's time since when it has been off by this


class StoredTime(NamedTuple):
    """The database's knowledge of the site's time."""

    moment: Moment | None  # the latest, of any machine; None before the first one
    ours: Moment | None  # the latest of the machine that asks
    newest: UptimePeriod | None
    reference: float | None  # what the database's clock says now; None if it has none of its own


class TimeRepository(Protocol):
    """A repository of the moment and the uptime periods.  Every method may raise Busy."""

    def known_time(self, machine: str) -> StoredTime:
        """Return what is known of the site's time, and of a machine's."""

    def beat(self, at: float, allowed: float, apart: float = 0, moment: Moment | None = None) -> float | None:
        """Note that the site is up, and the moment; not if it was noted less than `apart` seconds ago.

        Returns for how many seconds it was down before, 0 if it was not; None if nothing was noted.
        It was down when more seconds have gone by than were `allowed` by the beat before.
        """

    def first_moment(self, moment: Moment) -> None:
        """Keep the first moment of a machine, unless another process has done so."""

    def keep_moment(self, moment: Moment) -> None:
        """Keep the latest moment of a machine."""

    def doubt_wall_clock(self) -> None:
        """Note that not all processes have the same wall clock: by how much it is off is not known."""


class Machine:
    """The clocks of this machine."""

    @cached_property
    def id(self) -> str:
        """The name of this machine, since this boot, that no other machine has.

        A container may have a time of its own since then (a time namespace), and is another machine if so.
        """
        with suppress(OSError):
            boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
            with suppress(OSError):
                boot += "/" + os.readlink("/proc/self/ns/time")
            return boot
        return socket.gethostname()

    def wall(self) -> float:
        """Return what the wall clock says, in seconds since 1970, UTC."""
        return time.time()

    def uptime(self) -> float:
        """Return the seconds since this machine was booted, suspended or not."""
        return time.clock_gettime(SINCE_BOOT)


class Anchor(NamedTuple):
    """The site's time at one moment of this process."""

    at: float
    uptime: float
    floor: float  # no earlier time is given out: a moment ago it was this already


class SyncResult(NamedTuple):
    """The findings of a process that has synchronized."""

    at: float
    uptime: float
    reference: float
    moment: Moment | None
    new: bool  # whether nothing is known yet of this machine since it was booted
    stale: bool  # whether what is known of it is old


class SiteClock:
    """The site's time, when it is called.  Every process has one, and synchronizes it every few seconds."""

    def __init__(self, store: TimeRepository, machine: Machine | None = None):
        self.store = store
        self.machine = machine or Machine()
        self._anchor: Anchor | None = None
        self._logged_error = 0.0  # the error of the wall clock that the log has been told of
        self._synchronizing = Lock()

    def __call__(self) -> float:
        """Return the site's time, in seconds since 1970, UTC.  Raises Busy if it was never known here.

        Once it is known nothing is written: pages ask, and wait for no lock.
        """
        anchor = self._anchor
        if anchor is None:
            self.synchronize()
            return self()
        uptime = self.machine.uptime()
        if uptime - anchor.uptime > ASKED_ANEW_AFTER and self._synchronizing.acquire(blocking=False):
            try:
                with suppress(Busy):
                    self._follow(self._look())
            finally:
                self._synchronizing.release()
        return _at(self._anchor or anchor, uptime)

    @property
    def wall_is_off(self) -> float:
        """Return by how many seconds this machine's wall clock is ahead (behind: less than 0); 0 for little.

        Raises Busy.
        """
        off = self.machine.wall() - self()
        return off if abs(off) > ABSENCE else 0.0

    def synchronize(self) -> None:
        """Take the time that the other processes have.  Raises Busy."""
        with self._synchronizing:
            self._synchronize()

    def refresh(self) -> None:
        """Take the time that the other processes have, and write nothing.  Raises Busy."""
        with self._synchronizing:
            self._follow(self._look())

    def beat(self, allowed: float = ABSENCE, apart: float = 0) -> float | None:
        """Note that the site is up, once synchronized, as `TimeRepository.beat` does; return the same.

        Raises Busy.
        """
        small = max(allowed, ABSENCE)
        with self._synchronizing:
            now = self._synchronize()
            at = now.at + correction(now.moment, now.reference, now.at, small)
            moment = observed(now.moment, self.machine.id, now.uptime, now.reference, at, small)
            away = self.store.beat(at, allowed, apart, moment)
            if away is not None:
                self._set(at, now.uptime)
            return away

    def _synchronize(self) -> SyncResult:
        sync = self._look()
        if sync.new:  # the first process since this machine was booted: the others take its time
            first = Moment(sync.at, self.machine.id, sync.uptime, sync.reference)
            with suppress(Busy):
                self.store.first_moment(first)
                sync = self._look()
        elif sync.stale and sync.moment:  # another machine ticks
            off, since = sync.moment.clock_offset, sync.moment.offset_since
            latest = Moment(sync.at, self.machine.id, sync.uptime, sync.reference, off, since)
            with suppress(Busy):
                self.store.keep_moment(latest)
        at, _, reference, moment, *_ = sync
        if moment and moment.clock_offset and abs(reference - at - moment.clock_offset) > SAME:
            self.store.doubt_wall_clock()
        self._follow(sync)
        return sync

    def _follow(self, sync: SyncResult) -> None:
        self._set(sync.at, sync.uptime)
        self._say(self.machine.wall() - sync.at)

    def _look(self) -> SyncResult:
        stored = self.store.known_time(self.machine.id)
        uptime = self.machine.uptime()
        reference = self.machine.wall() if stored.reference is None else stored.reference
        own, ours = None, stored.ours
        if self._anchor:
            own = OwnTime(_at(self._anchor, uptime), uptime - self._anchor.uptime)
        elif ours and _is_ours(ours, self.machine.id, uptime):
            own = OwnTime(ours.at + uptime - ours.uptime, uptime - ours.uptime)
        at = shared_time(stored, self.machine.id, uptime, reference, own)
        stale = ours is not None and uptime - ours.uptime > RENEWED_AFTER
        return SyncResult(at, uptime, reference, stored.moment, own is None, stale)

    def _set(self, at: float, uptime: float) -> None:
        current = _at(self._anchor, uptime) if self._anchor else at
        # To wait for the others takes no longer than they are behind; far ahead of them nobody can wait.
        self._anchor = Anchor(at, uptime, current if at < current < at + SAME else at)

    def _say(self, off: float) -> None:
        """Tell the log, once, when the wall clock begins to be off, and when it is right again."""
        off = off if abs(off) > ABSENCE else 0.0
        if abs(off - self._logged_error) <= ABSENCE and bool(off) == bool(self._logged_error):
            return
        self._logged_error = off
        if off:
            log.warning("This machine's clock is %s the site's time, which counts.", told_off(off))
        else:
            log.warning("This machine's clock agrees with the site's time again.")


def told_off(off: float) -> str:
    """Return by how much a clock is off, in words."""
    days, rest = divmod(abs(round(off)), 86400)
    hours, minutes, seconds = rest // 3600, rest // 60 % 60, rest % 60
    return f"{days} d {hours} h {minutes} min {seconds} s {'ahead of' if off > 0 else 'behind'}"


def _at(anchor: Anchor, uptime: float) -> float:
    return max(anchor.floor, anchor.at + uptime - anchor.uptime)


# -- what the time is ----------------------------------------------------------------


class OwnTime(NamedTuple):
    """A process's own idea of the site's time, and how many seconds ago it has synchronized."""

    at: float
    ago: float


def shared_time(
    stored: StoredTime, machine: str, uptime: float, reference: float, own: OwnTime | None
) -> float:
    """Return the site's time, for a process that has one of its own (None: its machine is new here).

    A machine that is new here, while the site is up nowhere else, was booted after a time of which only
    a clock tells that may have been set meanwhile.  So that always counts as an absence of the site.
    Where the database's clock was set back by as long as that, to the minute (ALIVE), the site looks up
    elsewhere, and what the clock shows of the absence is no absence.
    """
    moment = stored.moment
    if moment is None:  # the first start with a time of the site's own
        return reference if own is None else own.at
    if _is_ours(moment, machine, uptime):
        return moment.at + uptime - moment.uptime
    newest = max(moment.at, stored.newest.ended if stored.newest else 0)
    passed = reference - moment.reference
    shared = moment.at + passed if 0 <= passed <= ALIVE else None  # None: the site is up nowhere else
    if own is None:
        if shared is None or stored.reference is None:  # without a clock of the database there is one machine
            return max(newest + (stored.newest.allowed if stored.newest else ABSENCE) + A_LITTLE, reference)
        return shared
    if newest > own.at + SAME:  # the site's time has gone forward meanwhile
        return max(newest, shared or 0)
    # The reference clock may have been set since the moment was written: nobody follows it at once.
    return max(newest, own.at if shared is None else _nearer(own, shared))


def _is_ours(moment: Moment, machine: str, uptime: float) -> bool:
    return moment.machine == machine and uptime >= moment.uptime


def _nearer(own: OwnTime, shared: float) -> float:
    """Return a time a little nearer to that of the others: what they noted took its time to arrive here."""
    ago = min(own.ago, SYNCHRONIZED_EVERY)
    return own.at + min(2 * ADJUST * ago, max(-2 * SLOW_DOWN * ago, shared - own.at))


def correction(moment: Moment | None, reference: float, at: float, small: float) -> float:
    """Return the seconds by which the site's time is corrected at a beat, so that it agrees with the clock.

    What is at most `small` is corrected little by little; more only once it is believed.
    """
    if moment is None:
        return 0.0
    off, passed = reference - at, min(small, max(0.0, at - moment.at))
    if abs(off) <= small:
        return min(ADJUST * passed, max(-ADJUST * passed, off))
    if (
        not moment.clock_offset
        or abs(off - moment.clock_offset) > SAME
        or at - moment.offset_since < BELIEVED_AFTER
    ):
        return 0.0
    return off if off > 0 else max(off, -SLOW_DOWN * passed)


def observed(
    before: Moment | None, machine: str, uptime: float, reference: float, at: float, small: float
) -> Moment:
    """Return the moment to be noted, with how much the reference clock is off and since when."""
    off = reference - at
    if abs(off) <= small:
        return Moment(at, machine, uptime, reference)
    same = before is not None and before.clock_offset and abs(off - before.clock_offset) <= SAME
    return Moment(at, machine, uptime, reference, off, before.offset_since if before and same else at)
