"""To show a page is to read: nothing is written on its way, so that no page waits for a lock or a disk."""

from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from sqlalchemy import event
from werkzeug.exceptions import HTTPException

from strifebarge.store.db.engine import access_of
from tests.support.stub_hub import wanted_by
from tests.support.visitor import Local
from tests.web.account.test_feeds import feed_of
from tests.web.hosting import a_host
from tests.web.house import House
from tests.web.signing import sign_up
from tests.web.site.test_tournaments import opened

START = (
    *(
        "/",
        "/games",
        "/games/version",
        "/tables/version",
        "/open",
        "/me",
        "/me/account",
        "/me/confirm",
        "/notices",
        "/rules",
        "/sign-in",
        "/import",
    ),
    *("/about", "/robots.txt", "/favicon.ico", "/healthz", "/readyz", "/worker.js"),
)
# What only a link in a mail leads to, or a form that was just sent.
BY_LINK_ALONE = {
    *("account.erased", "account.to_password", "answer.look", "notices.confirming", "notices.done"),
    *(
        "notices.ending",
        "host.opening",
        "play.sure",
        "records.export",
        "seating.seat",
        "play.hint",
    ),
}


def kind_of(path: str) -> str:
    """What an address is one of, where there are many alike: positions of a game, and any that are put up."""
    if "/position/" in path:
        return path.partition("?")[0]
    return "".join("0" if each.isdigit() else each for each in path) if "/at/" in path else path


def walked(who: Local, *starts: str) -> set[str]:
    """The pages that links lead to from here, each asked for; of those that are alike, one of a kind."""
    ahead, seen, paths = list(starts), set[str](), set[str]()
    while ahead:
        path = ahead.pop()
        kind = kind_of(path)
        if kind in seen:
            continue
        seen.add(kind)
        page = who.get(path)
        paths.add(path)
        assert page.status < 500, (path, page.words)
        if page.status == 200 and page.headers["Content-Type"].startswith("text/html"):
            links = (urljoin(path, link).partition("#")[0] for link in page.seen.links)
            here = (each.removeprefix("http://localhost") for each in links)
            ahead += [each for each in here if each.startswith("/") and "/static/" not in each]
        elif page.status in (301, 302, 303):
            ahead.append(urlsplit(page.location).path)
    return paths


def endpoints(house: House, paths: set[str]) -> set[str]:
    adapter, names = house.app.url_map.bind("localhost"), set()
    for path in paths:
        with suppress(HTTPException):
            names.add(str(adapter.match(path.partition("?")[0], "GET")[0]))
    return names


def test_nothing_is_written_to_show_a_page(house: House) -> None:
    scenes = house.scenes()
    player = house.visitor()
    player.start("rps")
    sign_up(player, "known")
    cup = opened(house)[1]
    feed = feed_of(player).removeprefix("http://localhost")
    host = a_host(house)
    attendance = house.referee.attendance
    attendance.deferred = True  # as where a thread writes the signs
    attendance.noted.clear()
    written: list[str] = []
    writers = house.referee.store.engine
    event.listen(writers, "before_cursor_execute", lambda *given: written.append(given[2]))
    paths = walked(house.visitor(), *START)
    paths |= walked(player, *START, "/me/passkeys/remove", feed, feed.replace(".atom", ".ics"))
    paths |= walked(player, cup, f"{cup}/version", f"{cup}/withdraw")
    paths |= walked(host, "/host", "/host/people?of=a")
    for scene in ("playing", "over", "one device"):
        paths |= walked(scenes[scene].players[0], scenes[scene].table)
    for party in scenes.values():
        pages = (
            "",
            "/version",
            "/status",
            "/record.json",
            "/export.pgn",
            "/sheet/1",
            "/from/0",
            "?view=text",
        )
        for who in (*party.players[:2], house.visitor()):
            for each in pages:
                who.get(party.table + each)
                paths.add(party.table + each)
    for record in [path for path in paths if path.startswith("/r/") and path.count("/") == 2]:
        for each in ("/sheet/1", "/from/0"):
            player.get(record + each)
            paths.add(record + each)
    cards = ["site", "games/rps", *(f"tables/{scenes[scene].code}" for scene in ("playing", "over"))]
    for path in (f"/preview/{card}.png" for card in cards):
        assert house.visitor().get(path).status == 200
        paths.add(path)
    paths.add("/live")
    assert wanted_by(player, *(party.code for party in scenes.values()))[0] == 200
    assert written == []
    assert attendance.players  # who was there has left a sign
    gets = {rule.endpoint for rule in house.app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    assert gets - endpoints(house, paths) == BY_LINK_ALONE
    attendance.write()
    assert "INSERT INTO presence" in " ".join(written)
    assert access_of(writers).reading is not writers
