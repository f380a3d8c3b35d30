"""Pages of running tables that this worker keeps, each for one viewer, by all that they show.

The key is made from what a page depends on before any view is made: the table with everything that was
written there (`revision`), the viewer and what is theirs alone, who is here, the browser's choices and the
address.  It never leaves the process.  What a browser is told is the tag: a hash of what the page says to
this viewer, so that two pages that say the same have the same one, whatever else has happened.

Not kept are pages of shared devices, of tables with a free seat, of games that are not running, and
answers to what somebody has typed.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import sha256

import msgspec
from flask import Flask, Response, request

from strifebarge.lib.cached import cached_property
from strifebarge.tables.clock.absence import steps
from strifebarge.tables.clock.presence import status_with_presence, table_etag
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import visible_table
from strifebarge.tables.play.queries import TableOverview
from strifebarge.tables.view import substitute_for
from strifebarge.web.http import piece
from strifebarge.web.http.request_store import request_globals, this_app, this_request
from strifebarge.web.http.services import health, now, read_only, referee, services
from strifebarge.web.http.session import ban, device, my_turns
from strifebarge.web.http.site_address import site_address
from strifebarge.web.page import textview
from strifebarge.web.page.own_facts import own_facts, read_line
from strifebarge.web.page.preferences import all_preferred
from strifebarge.web.render.holes import Skeleton, leaving_holes
from strifebarge.web.render.keeping import BoundedCache
from strifebarge.web.render.lasting import noting_changes
from strifebarge.web.render.turning import is_turned
from strifebarge.web.words.dates import machine
from strifebarge.web.words.languages import language

MOST = 6 * 1024 * 1024  # bytes of pages that a worker keeps
MOST_ASKED = 2000  # pages of which it is known that they were asked for
ARGUMENTS = {"done", "new", "pick", "asked", "view", "away"}  # of an address, by which a page may be kept
LONGEST = 100  # characters of these
PAST = (b"", b"as=seen", b"view=text", b"view=board")


def said_by(skeleton: Skeleton) -> list[bytes]:
    """Return all that a page says, but for what fills its holes."""
    return skeleton.parts


class CachedPage:
    """A page with holes, and what the answer says beside it."""

    def __init__(self, skeleton: Skeleton):
        self.skeleton = skeleton
        noted = request_globals()
        self.piece_headers: dict[str, str] | None = noted.piece_headers  # headers of a piece
        self.shared = not noted.tagged  # at a device that is passed round

    @cached_property
    def tag(self) -> str:
        """A word that differs as soon as the page says something else; holes say nothing."""
        whole = b"\0".join([repr(self.piece_headers).encode(), *said_by(self.skeleton)])
        return sha256(whole).hexdigest()[:24]

    def answer(self, public: bool) -> Response:
        """Return this page as the answer to this request, or 304 to a reader who has it.

        `public`: it holds nothing of one person, so a proxy may keep it for a second.
        """
        request = this_request()
        if self.piece_headers is not None:
            g = request_globals()
            g.piece_headers, g.tagged = self.piece_headers, not self.shared
        answer = Response(mimetype="text/html")
        if public:
            answer.headers["Cache-Control"] = "public, max-age=1"
            answer.headers["Vary"] = "Accept-Language, Cookie, X-Piece"
        if (public or piece.wants_main_only()) and not self.shared:
            answer.set_etag(self.tag, weak=True)
            if request.if_none_match.contains_weak(self.tag):
                answer.status_code = 304
                return answer
        moment = machine(now()) if self.skeleton.has_time else ""
        if request.takes_gzip:
            answer.set_data(self.skeleton.pressed(moment))
            answer.headers["Content-Encoding"] = "gzip"
        else:
            answer.set_data(self.skeleton.filled(moment))
        return answer


class RecentRequests:
    """The pages that were asked for first lately.

    Safe for threads: each use of the dictionary is one step.
    """

    def __init__(self) -> None:
        self.pages = OrderedDict[Hashable, None]()

    def is_repeat(self, page: Hashable) -> bool:
        """Note that a page is asked for; return whether it was before."""
        if page in self.pages:
            return True
        self.pages[page] = None
        if len(self.pages) > MOST_ASKED:
            self.pages.popitem(last=False)
        return False


def prepare(app: Flask) -> None:
    """Make a place for pages, empty."""
    app.extensions["asked"] = RecentRequests()
    app.extensions["pages"] = BoundedCache[CachedPage](MOST, lambda page: page.skeleton.bytes)


def page_cache() -> BoundedCache[CachedPage]:
    """Return the pages that this worker keeps."""
    bounded_cache: BoundedCache[CachedPage] = this_app().extensions["pages"]
    return bounded_cache


def is_cacheable(overview: TableOverview, player: str | None) -> bool:
    """Tell whether a page of this table may be kept for this player."""
    table, own_chairs, request = overview.table, overview.table.chairs_of(player), this_request()
    return (
        request.method == "GET"
        and ARGUMENTS.issuperset(request.args)
        and len(request.query_string) <= LONGEST
        and status_with_presence(table, overview.presence) is not Status.SUSPENDED
        and table.status is Status.PLAYING
        and table is visible_table(player, table)
        and not (table.faulty or table.trouble)
        and len(own_chairs) < 2
        and all(chair.player is not None and chair.pin is None for chair in table.chairs)
        and not table.position.anew
    )


def is_repeat_request(table: Table, player: str | None) -> bool:
    """Tell whether a page is asked for again while nothing has happened at its table; note that it is.

    A player's is mostly asked for once, and then not worth keeping.  A spectator's is the same for all of
    them, so it always counts as asked for before.
    """
    if player is None:
        return True
    recent: RecentRequests = this_app().extensions["asked"]
    return recent.is_repeat((table.id, table.revision, player, piece.wants_main_only()))


def page_key(overview: TableOverview, player: str | None) -> Hashable:
    """Return all that the page of a running table depends on for a player."""
    table, request = overview.table, this_request()
    return (
        ("table", table.id, table.revision, _rules(table)),
        ("viewer", player, device() if player else "", read_line(), *_own(table, player)),
        ("there", _presence_key(overview, player), overview.spectators, _clock(table)),
        (
            "reader",
            language().code,
            my_turns(),
            *all_preferred().values(),
            textview.is_requested(),
            is_turned(),
        ),
        ("site", site_address(), request.script_root, *_warnings()),
        ("request", request.query_string, request.path, piece.wants_main_only()),
    )


def past_position_key(table: Table, player: str | None, *extra: Hashable) -> Hashable:
    """Return all that a position of the past depends on for a player; None where it may not be kept."""
    in_play = table.status in (Status.PLAYING, Status.OVER) and table is visible_table(player, table)
    if not in_play or table.faulty or len(table.chairs_of(player)) > 1 or request.query_string not in PAST:
        return None
    reader = (*_reader(), textview.is_requested(), is_turned())
    return "past", table.id, table.revision, player, _rules(table), extra, *reader


def landing_key() -> Hashable:
    """Return all that the page of the site's games depends on."""
    return "landing", *_reader()


def cached_or_rendered(key: Hashable, make: Callable[[], str]) -> CachedPage:
    """Return the page that is kept by a key, or make it and keep it, if it has one."""
    if key is not None and (cached := page_cache().get(key, now())):
        return cached[0]
    with noting_changes() as until, leaving_holes():
        page = CachedPage(Skeleton(make()))
    if key is not None:
        page_cache().put(key, page, until[0])
    return page


def _reader() -> tuple[Hashable, ...]:
    """Return what any page depends on: its reader's choices, their turns elsewhere, and the site's state."""
    return (
        *(language().code, *all_preferred().values(), my_turns()),
        *(site_address(), request.script_root, piece.wants_main_only()),
        *_warnings(),
    )


def _warnings() -> tuple[Hashable, ...]:
    """Return what every page says above its own words, while it holds."""
    current_ban = ban()
    announcement = services().switches.announcement
    return (
        read_only(),
        health().disk_full,
        announcement,
        current_ban and (current_ban.reason, current_ban.until),
    )


def _rules(table: Table) -> Hashable:
    title = referee().library.of(table)
    return title.version, title.stamp, title.sources


def _own(table: Table, player: str | None) -> tuple[Hashable, ...]:
    """Return what a page shows that is a person's own: their note, whom they do not read, their silence."""
    if player is None:
        return ()
    return own_facts(table, player, table.chair_of(player) is not None)


def _presence_key(overview: TableOverview, player: str | None) -> Hashable:
    """Return who is here, and what follows for the viewer from that and from the time that has passed."""
    table, presence = overview.table, overview.presence
    chair_presence = [
        (
            presence.any_of(chair),
            0 if presence.any_of(chair) else max(map(presence.last_seen, chair.players), default=0),
        )
        for chair in table.chairs
    ]
    may = tuple((seat, tuple(ways)) for seat, ways in steps(table, player, presence).items())
    return (
        tuple(chair_presence),
        may,
        status_with_presence(table, presence),
        table_etag(table, presence, player),
        substitute_for(table, player, presence),
    )


def _clock(table: Table) -> bytes:
    """Return the table's clock as it is now, without the absences that were left out already."""
    return msgspec.msgpack.encode(table.clock)
