"""The pictures of docs/pictures.md, each of what a window shows without scrolling:

    python -m tests.browser.pictures [folder] [name …]

They land in docs/pictures/ unless a folder is named; with names, only those are made.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, Page

from strifebarge.rules.notation import write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.browser.small_png import shrink
from tests.support.browser import Chromium, Size
from tests.support.servers import ROOT, Site
from tests.support.short import short_game
from tests.support.visitor import Remote

RULES = {title.slug: title.rules for title in Library()}
NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo"]
PHONE, SMALL, LANDSCAPE = Size(390, 844), Size(320, 640), Size(844, 390)
DESK, WALL = Size(1280, 800), Size(1920, 1080)
# Moves after which a game shows most of what it has.
MIDDLE = {"chess": 0, "eights": 6, "mirrow": 15, "rps": 1, "startups": 30, "strifebarge": 14}
CHESS = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5", "d5", "exd5", "Nxd5", "Nxf7", "Kxf7"]
MATE = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
BY_THE_CLOCK = {"pace": "clock-10-5"}


def as_it_is(page: Page) -> None:
    """Do nothing with the page before its picture is taken."""


def press(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


class Picture(NamedTuple):
    """What is in a picture: somebody's page, in a window, by day or by night."""

    name: str
    who: Remote
    path: str
    size: Size
    scheme: Literal["light", "dark"] = "light"
    before: Callable[[Page], None] = as_it_is


class Group:
    """Friends at a table of their own, without browsers."""

    def __init__(self, site: Site, slug: str, seats: int = 0, come: int = 0, **options: str) -> None:
        self.slug = slug
        seats = seats or usual_seats(RULES[slug])
        self.people = [Remote(site.port) for _ in range(come or seats)]
        self.host, self.guest = self.people[0], self.people[-1]
        self.played = 0
        self.table = self.host.start(slug, seats=str(seats), name=NAMES[0], **options).table
        for person, name in zip(self.people[1:], NAMES[1:], strict=False):
            person.join(self.table, name)

    def play(self, moves: int) -> "Group":
        """Play the beginning of the short game that is known for the site's seed."""
        for step in short_game(RULES[self.slug])[:moves]:
            self.people[step.seat].move(self.table, write(step.action))
        return self

    def play_chess(self, moves: list[str]) -> "Group":
        for move in moves:
            person = self.people[self.played % 2]
            person.submit(person.get(self.table), "/turn", do="move", notation=move)
            self.played += 1
        return self

    def chat(self, *lines: str) -> "Group":
        """Say these, one after the other in turn."""
        for number, line in enumerate(lines):
            person = self.people[number % len(self.people)]
            person.submit(person.get(self.table), "/say", text=line)
        return self


def before_a_game(site: Site) -> Iterator[Picture]:
    stranger = Remote(site.port)
    yield Picture("landing-phone", stranger, "/", PHONE)
    yield Picture("landing-desk", stranger, "/", DESK)
    yield Picture("options-phone", stranger, "/new/chess", PHONE)
    yield Picture("rules-phone", stranger, "/rules/strifebarge", PHONE)
    waiting = Group(site, "strifebarge", 3, 1)
    yield Picture("join-phone", stranger, waiting.table, PHONE)
    eight = Group(site, "strifebarge", 8, 5)
    yield Picture("eight-seats-desk", eight.host, eight.table, DESK)
    yield Picture("eight-seats-phone", eight.host, eight.table, PHONE, "dark")


def games(site: Site) -> Iterator[Picture]:
    """Each game on a phone, on a phone on its side, and at a desk."""
    for slug in RULES:
        group = Group(site, slug, **(BY_THE_CLOCK if slug == "chess" else {}))
        group.play(MIDDLE.get(slug, 4))
        if slug == "chess":
            group.play_chess(CHESS)
        by_night: Literal["light", "dark"] = "dark" if slug in ("eights", "mirrow") else "light"
        yield Picture(f"{slug}-phone", group.host, group.table, PHONE, by_night)
        yield Picture(f"{slug}-landscape", group.host, group.table, LANDSCAPE)
        yield Picture(f"{slug}-desk", group.host, group.table, DESK, "dark" if slug == "rps" else "light")
        if slug == "startups":
            yield Picture(
                "startups-card-phone", group.host, group.table, PHONE, "light", press(".cards summary")
            )
        if slug == "strifebarge":
            yield Picture("text-phone", group.host, f"{group.table}?view=text", PHONE)
        if slug == "eights":
            yield Picture("watching-desk", Remote(site.port), group.table, DESK)
        if slug == "mirrow":
            group.host.submit(group.host.get(group.table), "/suspend", suspend="yes")
            group.guest.submit(group.guest.get(group.table), "/suspend", suspend="yes")
            yield Picture("suspended-phone", group.guest, group.table, PHONE)


def chess(site: Site) -> Iterator[Picture]:
    """What one game shows in its course, to its end and looked back at."""
    group = Group(site, "chess").play_chess(MATE[:4])
    yield Picture("chess-small", group.host, group.table, SMALL, "dark")
    yield Picture("chess-wall", group.host, group.table, WALL, "dark")
    yield Picture("chess-picked-phone", group.host, f"{group.table}?pick=d1", PHONE)
    group.chat("Hello! Your turn soon?", "Just a moment ...", "No hurry.")
    yield Picture("chat-phone", group.host, group.table, PHONE, "light", press("#tab-chat > summary"))
    yield Picture("table-desk", group.host, group.table, DESK, "light", press("#tab-table > summary"))
    group.play_chess(MATE[4:])
    yield Picture("lost-desk", group.guest, group.table, DESK)
    yield Picture("replay-desk", group.host, f"{group.table}/at/5", DESK)
    yield Picture("replay-phone", group.host, f"{group.table}/at/5", PHONE)


def many_and_ended(site: Site) -> Iterator[Picture]:
    sea = Group(site, "strifebarge", 8)
    yield Picture("eight-captains-phone", sea.host, sea.table, PHONE)
    yield Picture("eight-captains-wall", sea.host, sea.table, WALL)
    rps = Group(site, "rps")
    rps.host.move(rps.table, "throw paper")
    rps.guest.move(rps.table, "throw rock")
    yield Picture("won-phone", rps.host, rps.table, PHONE)


def around_games(site: Site) -> Iterator[Picture]:
    """A position that is set up, and a tournament under way."""
    host, *others = people = [Remote(site.port) for _ in range(5)]
    yield Picture("position-phone", host, "/position/chess", PHONE)
    opening = host.get("/tournaments/new/chess")
    answer = host.submit(opening, "/tournaments/new/chess", name="Harbour Open")
    page = answer.location
    for person, name in zip(people, NAMES, strict=False):
        person.submit(person.get(page), "/join", name=name)
    host.submit(host.get(page), "/start")
    yield Picture("tournament-desk", others[0], page, DESK)


CHAPTERS = (before_a_game, games, chess, many_and_ended, around_games)


def take(picture: Picture, browser: Browser, site: Site) -> bytes:
    """Return the picture as a small PNG."""
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": picture.size.width, "height": picture.size.height},
        color_scheme=picture.scheme,
        reduced_motion="reduce",
        locale="en-GB",
    )
    cookies = picture.who.cookies.items()
    context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies])
    page = context.new_page()
    page.goto(picture.path)
    picture.before(page)
    taken = shrink(context.new_page(), page.screenshot())
    context.close()
    return taken


def main(folder: Path, only: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    run = ("-m", "gunicorn", "tests.browser.dealt:app")
    with Site(arguments=run, WORKERS="1", BOTS="apart", LIMIT_CREATE="9999") as site, Chromium() as browser:
        for chapter in CHAPTERS:
            for picture in chapter(site):
                if not only or picture.name in only:
                    path = folder / f"{picture.name}.png"
                    path.write_bytes(take(picture, browser, site))
                    print(picture.name, path.stat().st_size, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures", sys.argv[2:])
