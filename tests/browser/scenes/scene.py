"""What a scene is and a chapter of them, and the site they are played at."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.browser.conftest import People
from tests.support.browser import Person, Size
from tests.support.servers import Site

TITLES = {title.slug: title.title for title in Library()}
SEATS = {title.slug: usual_seats(title.rules) for title in Library()}
LONGEST = "Bartholomew Featherst"[:20]


class Scene(NamedTuple):
    """A page as somebody has it before them."""

    name: str
    person: Person


Chapter = Callable[[People], Iterator[Scene]]


def site() -> Site:
    """The site for these: its chance is fixed, and nobody is told to slow down but who guesses codes."""
    run = ("-m", "gunicorn", "tests.browser.fixed:app")
    return Site(arguments=run, WORKERS="1", BOTS="apart", LIMIT_CREATE="9999", LIMIT_CODES="10")


def dress(person: Person, size: Size, scheme: Literal["light", "dark"]) -> None:
    """Show them the page they have in another window and by another light, without asking for it again."""
    person.page.set_viewport_size({"width": size.width, "height": size.height})
    person.page.emulate_media(color_scheme=scheme)
