"""A visit of the whole site: pages in many states, one after the other."""

import re
from collections.abc import Iterator

from flask import Flask

from strifebarge.rules.schema import usual_seats
from strifebarge.tournaments.models import Format
from strifebarge.web.page.textview import QUESTIONS
from tests.support.visitor import Local, Page


def at_tables_of_their_own(app: Flask, somebody: type[Local]) -> Iterator[tuple[str, Page]]:
    """One device passed round, an invitation taken back, a table on the list."""
    ann, ben = somebody(app), somebody(app)
    page = ann.start("eights", seats="2", devices="one", others="Ben")
    yield "covered", page
    yield "lifted", ann.follow(ann.submit(page, "/uncover", page.form("/uncover").buttons[0]))
    yield "some at one device", ann.start("eights", seats="3", devices="some")
    page = ann.start("chess")
    ann.submit(page, "/renew")
    yield "renewed", ann.get(page.table)
    yield "taken back", ben.get(page.table)
    yield "invitation doesn't exist", ben.get(f"{page.table}?i=ZZZZ")
    yield "on the list", ann.start("chess", listed="yes")
    yield "list", ben.get("/tables")
    page = ann.start("rps")
    ben.join(page.table)
    ann.move(page.table, "throw rock")
    ben.move(page.table, "throw paper")
    page = ann.start("chess")
    ann.submit(page, "/ask", page.form("/ask").buttons[0])
    yield "invited by name", ann.get(page.table)
    yield "invitations", ben.get("/games")
    yield "asked", ben.get(page.table)
    ben.submit(ben.get(page.table), "/decline")
    yield "declined", ann.get(page.table)


def picks(page: Page) -> list[str]:
    """Addresses at which something is picked up, or paid for."""
    links = (link.partition("#")[0] for link in page.seen.links)
    return [link.replace(" ", "%20") for link in links if re.search(r"\?pick=.", link)]


def some_pages(app: Flask, somebody: type[Local] = Local) -> Iterator[tuple[str, Page]]:
    """The pages somebody comes by who plays."""
    slugs = list(app.extensions["referee"].library.titles)
    ann = somebody(app)
    for path in (
        "/",
        "/games",
        "/about",
        "/nowhere",
        "/tables",
        "/bots",
        "/leaderboards/",
        "/leaderboards/chess",
        "/leaderboards/chess/month",
        *(f"/new/{slug}" for slug in slugs),
    ):
        yield path, ann.get(path)
    yield from at_tables_of_their_own(app, somebody)
    yield from (("rules", ann.get(f"/rules/{slug}")) for slug in slugs)
    yield from (("how", ann.get(f"/rules/{slug}/how")) for slug in slugs)
    for slug, options, moves in (
        (
            "rps",
            {"best_of": "3", "ties": "count"},
            [("throw rock", "throw rock"), ("throw paper", "throw rock")],
        ),
        ("rps", {}, [("throw rock", "throw paper")]),
        ("chess", {}, [("move e4", "move d5"), ("move exd5", "move Ra5"), ("", "move Nf6")]),
        ("eights", {"draw": "by_hand"}, [("draw", ""), ("play 8D", ""), ("draw", "")]),
        ("strifebarge", {}, [("fire ZZ1", ""), *[("any", "any")] * 12]),
        ("strifebarge", {"salvo": "true"}, [("salvo A1", "")]),
        ("startups", {"running": "true"}, [("any", "any", "any")] * 19),
        ("startups", {"sides": "B"}, [("sell", "any", "")]),
        ("mirrow", {}, [("auto", "auto"), ("ready", "ready"), *[("any", "any")] * 6]),
        ("strifebarge", {"sea": "open", "seats": "4"}, [("any", "any", "any", "any")] * 2),
    ):
        ann, ben = somebody(app), somebody(app)
        opened = ann.start(slug, name="Ann", **options)
        table = opened.table
        yield f"{slug} open", opened
        yield f"{slug} to join", ben.get(table)
        ben.join(table, "Ben")
        yield f"{slug} waiting", ben.get(table)
        library = app.extensions["referee"].library
        seats = int(options.get("seats", usual_seats(library[slug].rules)))
        others = [somebody(app) for _ in range(2, seats)]
        for other, name in zip(others, ("Cleo", "Dora"), strict=False):
            other.join(table, name)
        yield f"{slug} watched", somebody(app).get(table)
        for round in moves:
            for visitor, words in zip((ann, ben, *others), round, strict=True):
                page = visitor.get(table)
                yield f"{slug} my move", page
                for pick in picks(page)[:2]:
                    yield f"{slug} picked", visitor.get(pick)
                if words and "/turn" in visitor.get(table).text:
                    offers = visitor.get(table).form("/turn").moves
                    if words == "any" and not offers:
                        continue
                    answer = visitor.move(table, offers[0].value if words == "any" else words)
                    yield f"{slug} {words}", visitor.follow(answer)
        for ending in (
            "",
            "?pick=d1",
            "/log",
            "/at/0",
            "/at/1",
            "/status",
            "/quit",
            "/settings",
            "/talk",
            f"/sure?move={moves[0][0]}",
            "?view=text",
            *(f"?say={question}" for question in (*QUESTIONS, "what")),
        ):
            yield f"{slug}{ending}", ann.follow(ann.get(f"{table}{ending}".replace(" ", "%20")))
    yield from _of_records(app, somebody)
    yield from _of_tournaments(app, somebody)
    yield from _about_oneself(somebody(app), ann)
    yield from _of_the_host(somebody(app), table.removeprefix("/g/"))


def _of_records(app: Flask, somebody: type[Local]) -> Iterator[tuple[str, Page]]:
    """A public game, and the pages that stay of it."""
    ann, ben = somebody(app), somebody(app)
    table = ann.start("rps", name="Ann", afterwards="public", ties="count").table
    yield "results are public", ben.get(table)
    ben.join(table, "Ben")
    ann.move(table, "throw rock")
    ben.move(table, "throw paper")
    over = ann.get(table)
    yield "over", over
    [check] = {link for link in over.seen.links if link.endswith("/check")}
    record = check.removesuffix("/check")
    for path in ("", "/log", "/check", "/at/1", "/from/1"):
        yield f"record{path}", ben.get(record + path)
    for path in (f"{table}/from/1", "/p/me", "/import", "/notices", "/position/chess"):
        yield path, ann.get(path)
    yield "not imported", ann.submit(ann.get("/import"), "/import", text="{}")


def _of_tournaments(app: Flask, somebody: type[Local]) -> Iterator[tuple[str, Page]]:
    """A tournament of each format: to be made, open, running, and to be left."""
    for format in Format:
        people = [somebody(app) for _ in range(3)]
        address = f"/tournaments/new/{'eights' if format is Format.TABLES else 'rps'}"
        form = people[0].get(address)
        yield "tournament to be made", form
        fields = {"name": "Oscar", "format": format, "pace": "days-3", "listed": "yes"}
        path = people[0].submit(form, address, t_afterwards="rated", **fields).location
        for who, name in zip(people, ("Ann", "Ben", "Cleo"), strict=True):
            yield "tournament to join", who.get(path)
            who.submit(who.get(path), "/join", name=name)
        yield "tournament open", people[0].get(path)
        people[0].submit(people[0].get(path), "/start")
        yield "tournament running", people[1].get(path)
        yield "tournament to leave", people[1].get(f"{path}/withdraw")
    yield "tournaments", somebody(app).get("/tournaments")


def _of_the_host(host: Local, code: str) -> Iterator[tuple[str, Page]]:
    """The pages of a host of the site."""
    link = host.get(f"/host/open?link={host.app.extensions['services'].hosts.make_link('root')}")
    yield "host's link", link
    host.submit(link, "/host/open")
    for path in ("", "/games", "/people?of=a", f"/game?of={code}", f"/do/end?of={code}", "/do/announce"):
        yield f"host's page{path}", host.get(f"/host{path}")


ABOUT_ONESELF = ("/me", "/me/account", "/me/devices", "/me/code", "/me/out", "/me/erase", "/sign-in", "/move")


def _about_oneself(stranger: Local, guest: Local) -> Iterator[tuple[str, Page]]:
    """The pages about oneself, of a stranger, of a guest, and of the same with an account."""
    for path in ABOUT_ONESELF:
        yield path, stranger.get(path)
        yield path, guest.get(path)
    wrong = {"login": "guest.of.visits", "password": "password", "again": "password"}
    yield "refused", guest.submit(guest.get("/me/account"), "/me/account", **wrong)
    right = {**wrong, "password": "blue whale in the bath", "again": "blue whale in the bath"}
    guest.submit(guest.get("/me/account"), "/me/account", **right)
    guest.submit(guest.get("/me/code"), "/me/code")
    guest.submit(guest.get("/me/tokens"), "/me/tokens", name="Bot")
    for path in (*ABOUT_ONESELF, "/me/link", "/me/tokens", "/erased"):
        yield path, guest.get(path)
    shown = re.search(r'class="spoken">([^<]+)<', guest.get("/me/code").text)
    assert shown
    stranger.submit(stranger.get("/move"), "/move", c=shown[1])  # which proves nothing
    page = stranger.submit(stranger.get("/me/link"), "/me/link")
    yield "is it you", page
    yield "it is not", stranger.submit(page, "/me/link", proof="x")
    stranger.submit(stranger.get("/me/out"), "/me/out")
    for number in range(2):
        answer = stranger.submit(stranger.get("/sign-in"), "/sign-in", login=f"nobody{number}", password="x")
        yield "refused", answer
    yield "refused", stranger.submit(stranger.get("/move"), "/move", c="00000000")
    yield "refused", guest.submit(guest.get("/me/erase"), "/me/erase", password="x")
