"""Parts of pages that are rendered once for what they show.

A part is a template with a list of all that it may read: of the view, and of what it is given beside.  It
is kept by exactly these, and rendered with nothing else, so that it cannot show what its key does not hold.
Nothing of a shared device is kept.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from math import inf
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from strifebarge.lib.busy import Busy
from strifebarge.tables.library.library import Title
from strifebarge.tables.view import Presence, SeatView, View
from strifebarge.web.http.request_store import request_globals, script_root, this_app
from strifebarge.web.http.services import now
from strifebarge.web.render.holes import are_left
from strifebarge.web.render.keeping import BoundedCache
from strifebarge.web.render.lasting import changes_at, noting_changes
from strifebarge.web.words import catalogue
from strifebarge.web.words.languages import language

MOST = 4 * 1024 * 1024  # bytes of parts that a worker keeps
ABSENT = "(absent)"  # by identity: what lies in a part that is None


class SeatNames(NamedTuple):
    """As much of a place as it takes to call its players by their names."""

    letter: str
    name: str
    free: bool
    coplayers: tuple[str, ...]


class SeatHeading(NamedTuple):
    """As much of a place as a heading tells: who has it, and whether that is the viewer."""

    letter: str
    name: str
    coplayers: tuple[str, ...]
    free: bool
    mine: bool


class AbsenceSummary(NamedTuple):
    """As much of an absence as the list of players and the plates tell."""

    absent: bool
    substitute: str | None


class ListedSeat(NamedTuple):
    """As much of a place as the list of players and the plates tell, where no clock is."""

    letter: str
    name: str
    coplayers: tuple[str, ...]
    free: bool
    mine: bool
    my_device: bool
    role: str
    to_move: bool
    chosen: bool
    ready: bool
    left: bool
    out: bool
    standing: Any  # packed text
    presence: Presence
    returned: float | None
    bot: str
    absence: AbsenceSummary
    time: None


def _listed(seat: SeatView) -> ListedSeat:
    away = AbsenceSummary(seat.absence.absent, seat.absence.substitute)
    return ListedSeat._make([*_of_a_line(seat), away, None])


_of_a_line: Callable[[SeatView], tuple[Any, ...]] = attrgetter(*ListedSeat._fields[:-2])
_of_a_name: Callable[[SeatView], tuple[Any, ...]] = attrgetter(*SeatHeading._fields)
_of_a_call: Callable[[SeatView], tuple[Any, ...]] = attrgetter(*SeatNames._fields)

# Before a colon: what is read of a name, where that is less than all of it.  What each move changes about a
# seat must not be in the key of a part that does not show it.
LESS: dict[str, Callable[[Any], Any]] = {
    "called": lambda places: [SeatNames._make(_of_a_call(each)) for each in places],
    "names": lambda places: [SeatHeading._make(_of_a_name(each)) for each in places],
    "listed": lambda places: [*map(_listed, places)],
    "any": bool,
}
TEXTS = ("title", "called:places")  # what texts of a game read, beside the viewer's eyes


class Part(NamedTuple):
    """A template, and all that it may read."""

    template: str
    view: tuple[str, ...] = ()  # dotted names
    arguments: tuple[str, ...] = ()
    has_keys: bool = False  # it has forms, so it is kept only where holes are filled
    eyes: bool = False  # it tells texts of a game: where one asks whose eyes read it, it is kept for these
    is_cacheable: Callable[[View], bool] = lambda view: True


def _untimed(view: View) -> bool:
    return view.clock is None


PLATE = Part(
    "parts/plate_above.html",
    (*TEXTS, "live", "status", "running", "spectators.held_back"),
    ("place", "drawn"),
    eyes=True,
    is_cacheable=_untimed,
)
PARTS = {
    "top": Part("parts/top.html", arguments=("my_turns", "preferred")),
    "foot": Part("parts/foot.html"),
    "links": Part("parts/links.html", arguments=("theme", "mine")),
    "game": Part("parts/game.html", arguments=("table",)),
    "heading": Part("parts/heading.html", ("title", "names:places", "viewer.seat")),
    "player": Part(
        "parts/player.html",
        (*TEXTS, "live", "status", "running", "spectators.held_back"),
        ("place",),
        eyes=True,
        is_cacheable=_untimed,
    ),
    "above": PLATE,
    "below": PLATE._replace(template="parts/plate_below.html"),
    "settings": Part(
        "parts/settings.html", ("title", "settings", "status", "clock.pace", "position.permanent")
    ),
    "line": Part(
        "parts/line.html", (*TEXTS, "id", "position.permanent", "ending.record"), ("line",), eyes=True
    ),
    "questions": Part("parts/asked.html", (*TEXTS, "questions"), eyes=True),
    "talk": Part(
        "parts/chat.html",
        (*TEXTS, "id", "viewer.seat", "any:several", "settings.chat_closed"),
        ("talk",),
        has_keys=True,
        eyes=True,
    ),
    "menu": Part("parts/menu.html", ("id", "title", "spectators.excluded"), ("in_text",)),
    "ways": Part(
        "parts/ways.html",
        (
            *("id", "title", "live", "status", "running", "clock", "any:several", "any:others"),
            *("viewer.seat", "viewer.eyes", "viewer.host", "viewer.secret", "viewer.may_resign"),
            *("my_place.left", "my_place.out", "my_place.suspends", "names:suspending"),
            *("spectators.allowed", "ending.record", "position.permanent", "settings.tournament"),
        ),
        ("exports", "silent", "url"),
        has_keys=True,
        is_cacheable=_untimed,
    ),
}


class PartView:
    """As much of a view as a part may read."""


class PartViewer(PartView):
    """As much of a viewer as a part may read; about which seats it asks is noted."""

    def __init__(self, eyes: int | None):
        self.cache_identity = eyes  # to keep texts by
        self.seats: set[int] = set()  # to which the part may show something else
        self.asked_for = False  # the eyes themselves, so that it may show something else to everybody

    @property
    def eyes(self) -> int | None:
        """The eyes with which the part is read."""
        self.asked_for = True
        return self.cache_identity

    def is_one_of(self, seats: Collection[int]) -> bool:
        """Return whether the part is read with the eyes of one of these seats."""
        self.seats.update(seats)
        return self.cache_identity is not None and self.cache_identity in seats

    @property
    def is_alone(self) -> bool:
        """True if others may be shown something else than this viewer."""
        return self.asked_for or self.cache_identity in self.seats


class CachedPart(NamedTuple):
    """A part as it was rendered, and the seats to which it may show something else."""

    html: Markup
    seats: frozenset[int] = frozenset()


def _reader(path: str) -> Callable[[Any], Any]:
    """Return a function that reads a dotted name; it returns ABSENT where a part of it is None."""
    *parents, last = path.split(".")

    def read(value: Any) -> Any:
        for name in parents:
            value = getattr(value, name)
            if value is None:
                return ABSENT
        return getattr(value, last)

    return read


class ViewFields:
    """All that a part reads of a view: of some names less than all."""

    def __init__(self, names: tuple[str, ...]):
        self.names = names
        whole = [name.rpartition(":")[2] for name in names]
        self.each = [_reader(name) for name in whole]
        self.all: Callable[[Any], tuple[Any, ...]] = attrgetter(*whole, "id")
        self.less = [(index, name) for index, name in enumerate(names) if ":" in name]

    def values_of(self, page: "Page", view: View) -> list[Any]:
        """Return what is read, in the order of the names; ABSENT where a part of a name is None."""
        try:
            values = [*self.all(view)][:-1]
        except AttributeError:
            values = [read(view) for read in self.each]
        for index, name in self.less:
            values[index] = page.less(name, values[index])
        return values


READS = {name: ViewFields(part.view) for name, part in PARTS.items()}


class Page:
    """The things that all parts of one page need."""

    def __init__(self) -> None:
        self.now = _now_if_known()
        self.address = script_root()
        self.language = language()
        self.cache = part_cache()
        self.view: View | None = None
        self.has_several = False  # its reader's device is passed round
        self._less: dict[str, Any] = {}

    def about(self, view: View) -> None:
        """Forget what was read of another view."""
        if self.view is not view:
            self.view, self._less = view, {}
            self.has_several = bool(view.several)

    def less(self, name: str, whole: Any) -> Any:
        """Return as much of what was read as is needed; read once for all parts."""
        if name not in self._less:
            self._less[name] = LESS[name.partition(":")[0]](whole)
        return self._less[name]


def _now_if_known() -> float:
    """Return the time in seconds since 1970; 0 while the database was never in reach of this process.

    Then pages have to say so, and no part is kept yet that is true until a moment.
    """
    try:
        return now()
    except Busy:
        return 0.0


def _page() -> Page:
    """Return the things that all parts need which are rendered for this request."""
    g = request_globals()
    try:
        page: Page = g.page_of_parts
    except AttributeError:
        page = g.page_of_parts = Page()
    return page


def _encoded(value: Any) -> Any:
    """Return what msgspec cannot write by itself in another form, which differs whenever the thing does."""
    if isinstance(value, Markup):
        return ["html", str(value)]
    if isinstance(value, Title):
        return [value.slug, value.version, value.stamp]
    raise TypeError(f"a part cannot be kept by {type(value)}")


_key = msgspec.msgpack.Encoder(enc_hook=_encoded)


def _weight(part: CachedPart) -> int:
    """Return how many bytes a part takes, roughly: in some languages two for a letter."""
    return 2 * len(part.html)


def part_cache() -> BoundedCache[CachedPart]:
    """Return the parts that this worker keeps."""
    bounded_cache: BoundedCache[CachedPart] = this_app().extensions["parts"]
    return bounded_cache


def prepare() -> BoundedCache[CachedPart]:
    """Return a place for parts, empty."""
    return BoundedCache(MOST, _weight)


@pass_context
def part(context: Context, name: str, **arguments: Any) -> Markup:
    """Return a part of a page, rendered now or before."""
    return Rendering(name, context.get("view")).render(arguments)


@pass_context
def parts(context: Context, name: str, each: str, several: Iterable[Any]) -> Markup:
    """Return a part of a page once for each of several things, which it is given under the name `each`."""
    rendering = Rendering(name, context.get("view"))
    return _joined([rendering.render({each: item}) for item in several])


@pass_context
def listed_players(context: Context) -> Markup:
    """Return the lines of the list of players, each kept by what it tells of its own seat."""
    view: View = context["view"]
    rendering = Rendering("player", view)
    return _joined([rendering.render({"place": seat}) for seat in rendering.places])


@pass_context
def plates(context: Context, name: str, seats: list[SeatView]) -> Markup:
    """Return the plates of some seats, `above` the board or `below`, with what the game draws on them."""
    rendering, drawn = Rendering(name, context["view"]), context["stage"].drawn
    places = rendering.places
    return _joined(
        [rendering.render({"place": places[each.seat], "drawn": drawn.get(each.seat)}) for each in seats]
    )


def _joined(rendered: Iterable[Markup]) -> Markup:
    return Markup("".join(rendered))  # noqa: S704 - templates' own output


class Rendering:
    """A part of a page for one view."""

    def __init__(self, name: str, view: View | None):
        self.part = what = PARTS[name]
        self.page = page = _page()
        self.view = view = view if what.view else None
        self.cache: BoundedCache[CachedPart] | None = None
        self.read: list[Any] = []
        self.has_eyes = what.eyes and view is not None
        self.whose = view.viewer.cache_identity if self.has_eyes and view is not None else None
        if view is not None:
            page.about(view)
            if page.has_several or not what.is_cacheable(view) or (what.has_keys and not are_left()):
                return
            self.read = READS[name].values_of(page, view)
        self.cache = page.cache
        self.key = _key.encode((name, page.address, page.language.code, self.read))

    @property
    def places(self) -> Sequence[SeatView | ListedSeat]:
        """The places of the view; as much of them as is kept, if the part is."""
        view: Any = self.view
        seats: Sequence[SeatView | ListedSeat] = view.places
        if self.cache is not None:
            seats = self.page.less("listed:places", seats)
        return seats

    def render(self, arguments: dict[str, Any]) -> Markup:
        """Return the part with what it is given beside the view."""
        if self.cache is None:
            return self._rendered(self.view, arguments)
        key = self.key + _key.encode([*map(arguments.__getitem__, self.part.arguments)])
        cached = self.cache.get(key, self.page.now)  # for all who have none of some seats
        if self.has_eyes and (cached is None or self.whose in cached[0].seats):
            cached = self.cache.get((key, self.whose), self.page.now)
        if cached is None:
            return self._render_and_cache(self.cache, key, arguments)
        if cached[1] != inf:
            changes_at(cached[1])
        return cached[0].html

    def _render_and_cache(
        self, bounded_cache: BoundedCache[CachedPart], key: bytes, arguments: dict[str, Any]
    ) -> Markup:
        """Render the part, and keep it: for all who have none of some seats, or for this viewer alone."""
        viewer = PartViewer(self.whose) if self.has_eyes else None
        part_view = _shown(self.part.view, self.read, viewer) if self.view is not None else None
        with noting_changes() as until:
            html = self._rendered(part_view, arguments)
        seats = frozenset(viewer.seats if viewer else ())
        is_alone = viewer is not None and viewer.is_alone
        bounded_cache.put((key, self.whose) if is_alone else key, CachedPart(html, seats), until[0])
        return html

    def _rendered(self, view: View | PartView | None, arguments: dict[str, Any]) -> Markup:
        template = this_app().jinja_env.get_template(self.part.template)
        title = None if self.view is None else self.view.title
        of_all = {name: arguments[name] for name in self.part.arguments}
        if view is not None:
            of_all["view"] = view
        phrases = catalogue.phrases(self.page.language.of(title))
        return Markup(template.render(**phrases, **of_all, language=self.page.language))  # noqa: S704 - a template's own output


def _shown(names: tuple[str, ...], read: list[Any], viewer: PartViewer | None) -> PartView:
    """Return as much of a view as was read; with the viewer, if the part may ask for their eyes."""
    whole = PartView()
    if viewer is not None:
        whole.viewer = viewer  # type: ignore[attr-defined]
    for path, value in zip(names, read, strict=True):
        *parents, last = path.rpartition(":")[2].split(".")
        node = whole
        for number, parent in enumerate(parents, 1):
            if value is ABSENT and number == len(parents):
                setattr(node, parent, None)
            elif parent not in node.__dict__:
                setattr(node, parent, PartView())
            node = getattr(node, parent)
        if value is not ABSENT:
            setattr(node, last, value)
    return whole
