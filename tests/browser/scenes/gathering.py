"""Before a game begins: the lobby, who invites, who is invited, and who shares a device."""

from collections.abc import Iterator

from strifebarge.tables.model.bots import bot_id
from strifebarge.tables.model.player import public_id
from tests.browser.conftest import People
from tests.browser.party import START, Party, look_again, more_options, nobody, typed

from .scene import LONGEST, TITLES, Scene


def lobby(come: People) -> Iterator[Scene]:
    """What is there before any game."""
    stranger = come()
    for name, path in (
        ("landing", "/"),
        ("bots", "/bots"),
        ("leaderboards", "/leaderboards/"),
        ("leaderboard-empty", "/leaderboards/chess"),
        ("bots-one", f"/p/{public_id(bot_id('easy', 1))}"),
        ("options", "/new/strifebarge"),
        ("options-rps", "/new/rps"),
        ("rules", "/rules"),
        ("about", "/about"),
        ("my-games-empty", "/games"),
        ("open-tables-empty", "/tables?game=chess&free=7"),
        ("notices-of-nobody", "/notices"),
        *((f"manual-{slug}", f"/rules/{slug}") for slug in TITLES),
        *((f"how-{slug}", f"/rules/{slug}/how") for slug in TITLES),
    ):
        stranger.open(path)
        yield Scene(name, stranger)
    stranger.open("/nowhere", status=404)
    yield Scene("missing", stranger)


def gathering(come: People) -> Iterator[Scene]:
    """Before a game begins: the one who invites, who is invited, who comes too late."""
    party = Party([come(), come(), come()])
    host, friend, other = party.friends
    party.start("StrifeBarge", 3)
    yield Scene("waiting-room", host)
    friend.open(party.link)
    yield Scene("join", friend)
    friend.page.get_by_label("Your name").fill(LONGEST)
    friend.press(friend.page.locator(".join button"))
    yield Scene("joined", friend)
    look_again(host)
    yield Scene("waiting-room-two-of-three", host)
    host.follow("Leave …")
    yield Scene("leave-before-the-game", host)
    friend.open("/notices")
    friend.press("Create them")
    yield Scene("notices", friend)
    friend.open(party.link)
    host.open(party.link)
    host.follow("Share or hand over my seat …")
    yield Scene("company-before-the-game", host)
    host.open(f"{party.link}/settings")
    yield Scene("settings-before-the-game", host)
    late = come()
    late.open(party.link)
    other.open(party.link)
    other.press(other.page.locator(".join button"))
    late.press(late.page.locator(".join button"), status=409)
    yield Scene("refused-full", late)


def tournament(come: People) -> Iterator[Scene]:
    """A tournament: where it is started, where people join, and while it runs."""
    host, *others = [come() for _ in range(4)]
    host.open("/tournaments")
    yield Scene("tournaments", host)
    host.open("/tournaments/new/strifebarge")
    yield Scene("tournament-new", host)
    host.page.get_by_label("Name of the tournament").fill("The cup of " + LONGEST)
    host.page.get_by_label("Time", exact=True).select_option("turn-180")
    host.press("Open the tournament")
    yield Scene("tournament-open", host)
    for name, each in zip(("Ann", LONGEST, "Cleo"), others, strict=True):
        each.open(host.page.url)
        each.page.get_by_label("Your name").fill(name)
        each.press(each.page.locator("form[action$='/join'] button"))
    yield Scene("tournament-joined", others[0])
    host.open(host.page.url)
    host.press("Start the tournament")
    yield Scene("tournament-running", others[0])
    others[0].open(host.page.url)
    others[0].prefer("Language", "Deutsch")
    yield Scene("german-tournament", others[0])


def watching(come: People) -> Iterator[Scene]:
    """Spectators: where everybody may watch, where they are some moves behind, and where nobody may."""
    for name, moves, language in (("at-once", "0", "en"), ("later", "3", "de"), ("nobody", "-1", "de")):
        party = Party([come(), come()]).sit("Chess", t_watching=moves)
        party.play(typed(["e4", "e5", "Nf3", "Nc6", "Bb5"]), 5)
        watcher = come()
        watcher.context.add_cookies([{"name": "lang", "value": language, "url": watcher.address}])
        for _ in range(2):
            watcher.page.request.get(f"{party.link}/version")
        watcher.open(party.link)
        yield Scene(f"watching-{name}", watcher)
        watcher.open(f"{party.link}?view=text")
        yield Scene(f"watching-{name}-text", watcher)
        watcher.open(f"{party.link}/talk", status=403 if moves == "-1" else 200)
        yield Scene(f"watching-{name}-talk", watcher)
        look_again(party.newest)
    yield Scene("watching-played", party.newest)


def inviting(come: People) -> Iterator[Scene]:
    """Links that are dead, friends invited by name, and the list of open tables."""
    party = Party([come(), come()]).sit("Rock-Paper-Scissors")
    host, friend = party.friends
    party.give_up()
    party.start("StrifeBarge", 3)
    host.page.get_by_text("Invite someone you've played with").click()
    yield Scene("invite-by-name", host)
    host.press(host.page.locator("form[action$='/ask'] button").first)
    host.page.get_by_text("Who can join", exact=True).first.click()
    yield Scene("invited-by-name", host)
    host.press("Replace this link")
    yield Scene("invitation-renewed", host)
    friend.open("/games")
    yield Scene("my-invitations", friend)
    friend.follow(friend.page.locator("main a[href*='/g/']").first)
    yield Scene("invitation-by-name", friend)
    late = come()
    late.open(party.link)
    yield Scene("invitation-taken-back", late)
    late.open(f"{party.link}?i=ZZZZ", status=404)
    yield Scene("invitation-unknown", late)
    first = come()
    first.open("/new/strifebarge")
    first.page.get_by_label("Who can join").select_option("yes")
    first.page.get_by_label("Your name").fill(LONGEST)
    first.press(first.page.locator(START))
    first.page.get_by_text("Who can join", exact=True).first.click()
    yield Scene("on-the-list", first)
    for number in range(1, 22):
        nobody(first).start("strifebarge", listed="yes", name=LONGEST[number:] or "Ann")
    late.open("/tables")
    yield Scene("open-tables", late)
    late.follow("Older")
    yield Scene("open-tables-older", late)


def one_device(come: People) -> Iterator[Scene]:
    """Two who pass a device round."""
    ann = come()
    ann.open("/new/eights")
    more_options(ann)
    ann.page.get_by_label("Devices").select_option("one")
    ann.page.get_by_label("Other players at this device").fill(LONGEST)
    ann.press(ann.page.locator(START))
    yield Scene("curtain", ann)
    ann.press(ann.page.locator("form[action$='/uncover'] button").first)
    yield Scene("curtain-lifted", ann)
    ann.press("Suspend game")
    yield Scene("one-device-put-aside", ann)
    ann.open("/new/eights")
    more_options(ann)
    ann.page.get_by_label("Devices").select_option("some")
    ann.press(ann.page.locator(START))
    yield Scene("some-at-one-device", ann)
