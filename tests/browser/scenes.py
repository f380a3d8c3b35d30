"""Every page of the site in every state, one after the other, for those who look at them: axe and the camera.

A chapter is a function that leads people through the site and stops at each scene.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Literal, NamedTuple

from playwright.sync_api import FilePayload

from strifebarge.rules.pace import DAY
from strifebarge.rules.schema import usual_seats
from strifebarge.table.library import Library
from tests.browser.conftest import People
from tests.browser.party import (
    MOVES,
    PICKS,
    PLAYABLE,
    Lookouts,
    Party,
    any_of,
    at_random,
    look_again,
    tick,
    to_move,
    typed,
    unasked,
)
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
    return Site(arguments=run, WORKERS="1", LIMIT_CREATE="9999", LIMIT_CODES="10")


def dress(person: Person, size: Size, scheme: Literal["light", "dark"]) -> None:
    """Show them the page they have in another window and by another light, without asking for it again."""
    person.page.set_viewport_size({"width": size.width, "height": size.height})
    person.page.emulate_media(color_scheme=scheme)


def lobby(come: People) -> Iterator[Scene]:
    """What is there before any game."""
    stranger = come()
    for name, path in (
        ("landing", "/"),
        ("options", "/new/strifebarge"),
        ("options-rps", "/new/rps"),
        ("rules", "/rules"),
        ("about", "/about"),
        ("my-games-empty", "/games"),
        ("open-tables-empty", "/tables?game=chess&free=7"),
        ("notices-of-nobody", "/notices"),
        *((f"manual-{slug}", f"/rules/{slug}") for slug in TITLES),
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
    friend.page.get_by_label("Your name, if you like").fill(LONGEST)
    friend.press(friend.page.locator(".join button"))
    yield Scene("joined", friend)
    look_again(host)
    yield Scene("waiting-room-two-of-three", host)
    host.follow("Leave …")
    yield Scene("leave-before-the-game", host)
    friend.open("/notices")
    friend.press("Make them")
    yield Scene("notices", friend)
    friend.open(party.link)
    host.open(party.link)
    host.follow("Company in your seat, or a substitute …")
    yield Scene("company-before-the-game", host)
    host.open(f"{party.link}/settings")
    yield Scene("settings-before-the-game", host)
    late = come()
    late.open(party.link)
    other.open(party.link)
    other.press(other.page.locator(".join button"))
    late.press(late.page.locator(".join button"), status=409)
    yield Scene("refused-full", late)


def inviting(come: People) -> Iterator[Scene]:
    """Links that are dead, friends invited by name, and the list of open tables."""
    party = Party([come(), come()]).sit("Rock-Paper-Scissors")
    host, friend = party.friends
    party.give_up()
    party.start("StrifeBarge", 3)
    host.page.get_by_text("Invite somebody you have played with").click()
    yield Scene("invite-by-name", host)
    host.press(host.page.locator("form[action$='/ask'] button").first)
    host.page.get_by_text("Who may sit down", exact=True).first.click()
    yield Scene("invited-by-name", host)
    host.press("Take this link back and make another")
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
    for number in range(22):
        each = come()
        each.open("/new/strifebarge")
        each.page.get_by_label("Who may sit down").select_option("yes")
        each.page.get_by_label("Your name").fill(LONGEST[number:] or "Ann")
        each.press("Start StrifeBarge")
        if number == 0:
            each.page.get_by_text("Who may sit down", exact=True).first.click()
            yield Scene("on-the-list", each)
    late.open("/tables")
    yield Scene("open-tables", late)
    late.follow("Older ones")
    yield Scene("open-tables-older", late)


def one_device(come: People) -> Iterator[Scene]:
    """Two who pass a device round."""
    ann = come()
    ann.open("/new/eights")
    ann.page.get_by_label("Devices").select_option("one")
    ann.page.get_by_label("Who else plays at this device").fill(LONGEST)
    ann.press("Start Crazy Eights")
    yield Scene("curtain", ann)
    ann.press(ann.page.locator("form[action$='/uncover'] button").first)
    yield Scene("curtain-lifted", ann)
    ann.press("Put the game aside")
    yield Scene("one-device-put-aside", ann)
    ann.open("/new/eights")
    ann.page.get_by_label("Devices").select_option("some")
    ann.press("Start Crazy Eights")
    yield Scene("some-at-one-device", ann)


def any_game(slug: str) -> Chapter:
    """A game as far as all games have the same pages."""

    def chapter(come: People) -> Iterator[Scene]:
        party = Party([come() for _ in range(SEATS[slug])])
        party.start(TITLES[slug])
        party.join()
        party.play(at_random(Random(slug)), 5)
        mover = party.mover()
        if mover is None:
            mover = party.host
        yield Scene(f"{slug}-my-turn", mover)
        mover.open(f"{party.link}?view=text&say=help")
        yield Scene(f"{slug}-text", mover)
        mover.open(f"{party.link}?view=board")
        waiter = next(each for each in party.friends if each is not mover)
        look_again(waiter)
        yield Scene(f"{slug}-waiting", waiter)
        watcher = come()
        watcher.open(party.link)
        yield Scene(f"{slug}-watching", watcher)
        party.give_up()
        yield Scene(f"{slug}-given-up", party.host)
        look_again(watcher)
        yield Scene(f"{slug}-given-up-watching", watcher)
        party.host.follow("Review from the start")
        yield Scene(f"{slug}-history", party.host)

    return chapter


def strifebarge(come: People) -> Iterator[Scene]:
    """The sea: a long game of two, with all that surrounds it."""
    party = Party([come(), come()]).sit("StrifeBarge")
    party.hurry(Lookouts(Random(3), honest=0.7).pick, 14)
    mover = party.mover()
    yield Scene("strifebarge-late", mover)
    mover.page.get_by_label("Square").fill("Z99")
    mover.press("Fire", status=422)
    yield Scene("refused-no-such-square", mover)
    left = mover.open_tab()
    mover.open(party.link)
    mover.press(mover.page.locator(PLAYABLE).first)
    yield Scene("strifebarge-played", mover)
    mover.page.close()
    mover.page = left
    mover.press(mover.page.locator(PLAYABLE).last, status=409)
    yield Scene("refused-too-late", mover)
    mover.open(f"{party.link}/log")
    yield Scene("log", mover)
    mover.open(f"{party.link}/quit")
    yield Scene("quit", mover)
    heir = come()
    heir.open(mover.page.get_by_label("Link for your seat").input_value())
    yield Scene("seat-link", heir)
    mover.open(party.link)
    asker = next(each for each in party.friends if each is not mover)
    asker.open("/about")
    asker.press("Always")
    asker.open(party.link)
    asker.press(asker.page.locator(PLAYABLE).first)
    yield Scene("sure", asker)
    asker.open("/about")
    asker.press("Never")
    asker.open(party.link)
    for frame, path in ("my-turn", ""), ("waiting", ""), ("moved", "?v=0"), ("paused", "?n=1000"):
        viewer = asker if frame == "my-turn" else come()
        viewer.open(f"{party.link}/status{path}")
        yield Scene(f"status-{frame}", viewer)
    asker.open(party.link)
    party.newest = asker
    party.hurry(Lookouts(Random(4), honest=0).pick)
    yield Scene("strifebarge-result", party.host)
    party.host.press("Rematch")
    yield Scene("rematch-wanted", party.host)
    look_again(party.friends[1])
    yield Scene("rematch-offered", party.friends[1])


def salvo(come: People) -> Iterator[Scene]:
    party = Party([come(), come(), come()]).sit("StrifeBarge", 3, salvo="true")
    lookouts = Lookouts(Random(5), honest=0.8)
    party.play(lookouts.choose, 7)
    mover = party.mover()
    boxes = mover.values(f"{MOVES} input[type=checkbox]")
    tick(mover, boxes[:2])
    yield Scene("strifebarge-salvo", mover)
    tick(mover, boxes[2:6])
    mover.press("Fire", status=422)
    yield Scene("refused-wrong-salvo", mover)


def great_sea(come: People) -> Iterator[Scene]:
    """Eight captains, and the sea of 2012."""
    party = Party([come() for _ in range(8)]).sit("StrifeBarge", 8)
    party.hurry(Lookouts(Random(6)).pick, 4)
    yield Scene("strifebarge-eight-captains", party.mover())
    wide = Party(party.friends[:2]).sit("StrifeBarge", 2, sea="open")
    yield Scene("strifebarge-open-sea", wide.host)
    wider = Party(party.friends[:4]).sit("StrifeBarge", 4, sea="open")
    wider.hurry(Lookouts(Random(7)).pick, 5)
    yield Scene("strifebarge-overview", wider.mover())


def by_the_clock(come: People) -> Iterator[Scene]:
    """Time on the pages: before the game, running, and stopped for all."""
    party = Party([come(), come()])
    party.start("StrifeBarge", 2, pace="pool-72-12")
    party.friends[1].open(party.link)
    yield Scene("clock-join", party.friends[1])
    party.join()
    yield Scene("clock-waiting", party.newest)
    mover = party.mover()
    yield Scene("clock-running", mover)
    mover.open(f"{party.link}?view=text&say=time")
    yield Scene("clock-text", mover)
    mover.open(f"{party.link}?view=board")
    mover.press("Propose a pause")
    other = next(each for each in party.friends if each is not mover)
    look_again(other)
    yield Scene("clock-pause-proposed", other)
    other.press("Agree to the pause")
    yield Scene("clock-paused", other)
    other.open("/games")
    other.press("Go on vacation")
    yield Scene("vacation", other)
    host, friend = Party([come(), come()]).sit("Chess", pace="clock-10-5").friends
    yield Scene("clock-live", host)
    pass_time(friend, 90)
    look_again(friend)
    yield Scene("clock-live-somebody-away", friend)


def too_late(come: People) -> Iterator[Scene]:
    """Deadlines that pass: of two, where the other decides; of three, where somebody may have the seat."""
    two = Party([come(), come()]).sit("Chess", pace="days-3")
    unasked(two.friends)
    for friend in two.friends:
        look_again(friend)
    two.play(typed(["e4", "e5"]), 2)
    host, friend = two.friends
    three = Party([come(), come(), come()]).sit("StrifeBarge", 3, pace="days-1")
    captain, ben, cleo = three.friends
    unasked(three.friends)
    pass_time(host, 3 * DAY + 10)
    look_again(friend)
    yield Scene("clock-run-out", friend)
    friend.press("Go on")
    pass_time(host, 14 * DAY)  # of vacation, which has begun by itself
    look_again(friend)
    friend.press("Go on")
    yield Scene("clock-the-other-decides", friend)
    look_again(host)
    yield Scene("clock-grace", host)
    host.open(f"{two.link}?view=text&say=time")
    yield Scene("clock-grace-text", host)
    friend.press("Call it a draw")
    yield Scene("clock-draw-called", friend)
    for _ in range(2):
        look_again(ben)
        if ben.see("text=Go on"):
            ben.press("Go on")
        for each in (ben, cleo):
            look_again(each)
            each.press(each.page.locator(PLAYABLE).first)
        pass_time(ben, DAY + 10)
    look_again(ben)
    ben.press("Go on")
    yield Scene("clock-away", ben)
    link = ben.page.get_by_label("Ask somebody to take the seat").input_value()
    ben.press("Take Guest Foxtrot out of the game")
    yield Scene("clock-away-voted", ben)
    heir = come()
    heir.open(link)
    yield Scene("seat-of-who-is-away", heir)
    captain.open("/me")
    yield Scene("you-missed-deadlines", captain)


def pass_time(person: Person, seconds: int) -> None:
    """So much time goes by at the site."""
    assert person.page.request.post(f"{person.address}/later/{seconds}").ok


def eights(come: People) -> Iterator[Scene]:
    """Cards: drawn by hand, an eight and its suit, the hands laid open."""
    party = Party([come(), come(), come()]).sit("Crazy Eights", 3, draw="by_hand")
    greyed = party.host.page.locator(f"{MOVES} button[aria-disabled]")
    if greyed.count():
        with party.host.arriving(422):
            greyed.first.click(force=True)
        yield Scene("refused-no-match", party.host)
    chance = Random(8)
    naming = False

    def play(person: Person) -> None:
        nonlocal naming
        eight = person.page.locator(f"{PLAYABLE}[value^='play 8']")
        card = person.page.locator(f"{PLAYABLE}:not([value=draw])")
        if eight.count() and not naming:
            person.press(eight.first)
        elif card.count() and chance.random() < 0.8:
            person.press(card.last)
        else:
            at_random(chance)(person)

    for _ in range(24):
        mover = party.mover()
        if mover is None:
            break
        if mover.see("button[value^='name']") and not naming:
            naming = True
            yield Scene("eights-naming", mover)
            watcher = come()
            watcher.open(party.link)
            yield Scene("eights-naming-watching", watcher)
        play(mover)
    yield Scene("eights-late", party.newest)
    alone = Party([come()])
    alone.host.open("/new/eights")
    alone.host.page.get_by_label("Seats").select_option("1")
    alone.host.press("Start Crazy Eights")
    alone.link = alone.host.page.url
    yield Scene("eights-patience", alone.host)
    alone.hurry(any_of(chance))
    yield Scene("eights-result", alone.host)


def chess(come: People) -> Iterator[Scene]:
    """A piece picked up, a pawn that becomes something, a draw offered, check and mate."""
    party = Party([come(), come()]).sit("Chess")
    party.play(typed(["e4", "e5"]), 2)
    host = party.mover()
    host.follow(host.page.locator("a[href*='pick=g1']"))
    yield Scene("chess-picked", host)
    host.page.get_by_role("textbox", name="Move").fill("Ke3")
    host.press("Move", status=422)
    yield Scene("refused-chess-move", host)
    party.play(typed(["Bc4", "f6", "Qh5"]), 3)
    yield Scene("chess-check", party.mover())
    party.play(typed(["g6", "Qxg6+", "hxg6"]), 3)
    yield Scene("chess-taken", party.mover())
    other = Party([come(), come()]).sit("Chess")
    other.play(typed(["a4", "b5", "axb5", "a6", "bxa6", "Bb7", "axb7", "Nc6"]), 8)
    host = other.mover()
    host.follow(host.page.locator("a[href*='pick=b7']"))
    yield Scene("chess-becoming", host)
    host.press("Offer a draw")
    other.newest = host
    yield Scene("chess-draw-offered", host)
    mate = Party([come(), come()]).sit("Chess")
    mate.play(typed(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]))
    yield Scene("chess-result", mate.friends[1])


def rps(come: People) -> Iterator[Scene]:
    """Two who choose at once."""
    party = Party([come(), come()]).sit("Rock-Paper-Scissors", best_of="3")
    host, friend = party.friends
    host.press(host.page.locator(PLAYABLE).nth(0))
    yield Scene("rps-chosen", host)
    look_again(friend)
    yield Scene("rps-to-choose", friend)
    friend.press(friend.page.locator(PLAYABLE).nth(1))
    look_again(host)
    yield Scene("rps-second-throw", host)
    party.play(at_random(Random(9)))
    yield Scene("rps-result", host)


def the_books(come: People) -> Iterator[Scene]:
    """A rated game and its rematch, where they stay; who played them; the same brought back as a file."""
    party = Party([come(), come()]).sit("Crazy Eights", 2, afterwards="rated")
    host, friend = party.friends
    party.play(at_random(Random(21)))
    look_again(friend)
    yield Scene("result-rated", friend)
    friend.press(friend.page.locator(".result button"))
    party.link = friend.page.url
    host.open(party.link)
    host.press("Play again")
    Party([friend, host]).give_up()
    yield Scene("result-of-a-row", friend)
    friend.follow("The page where this game stays")
    yield Scene("record", friend)
    address = friend.page.url
    friend.follow("Check chance and moves")
    yield Scene("record-checked", friend)
    friend.page.locator("details summary").click()
    yield Scene("record-every-draw", friend)
    friend.open(f"{address}/at/0")
    yield Scene("record-history", friend)
    host.open("/p/me")
    yield Scene("person-me", host)
    stranger = come()
    stranger.open(address)
    stranger.follow(stranger.page.locator(".places a").first)
    yield Scene("person", stranger)
    stranger.open("/import")
    yield Scene("import", stranger)
    stranger.page.get_by_label("The file").set_input_files(files("game.json", b"[]"))
    stranger.press("Look at it", status=422)
    yield Scene("import-refused", stranger)
    record = stranger.page.request.get(f"{address}/record.json").body()
    stranger.page.get_by_label("The file").set_input_files(files("game.json", record))
    stranger.press("Look at it")
    yield Scene("record-imported", stranger)
    stranger.open("/r/" + "0" * 16, status=404)
    yield Scene("record-missing", stranger)
    stranger.open("/about")
    stranger.press("Deutsch")
    for name, path in (("record", ""), ("checked", "/check")):
        stranger.open(address + path)
        yield Scene(f"german-{name}", stranger)


def files(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/json", "buffer": content}


def startups(come: People) -> Iterator[Scene]:
    """Four companies: the hand, ways to pay, waiting, a later age, and the score sheet."""
    party = Party([come() for _ in range(4)]).sit("7 Startups", 4, running="true")
    host = party.host
    yield Scene("startups-hand", host)
    host.press(host.page.locator(PLAYABLE).first)
    party.newest = host
    yield Scene("startups-chosen", host)
    party.hurry(any_of(Random(4)), 23)
    for friend in party.friends:
        look_again(friend)
        if friend.see(PICKS):
            friend.follow(friend.page.locator(PICKS).first)
            yield Scene("startups-paying", friend)
            break
    party.hurry(any_of(Random(5)), 34)
    look_again(host)
    yield Scene("startups-late", host)
    party.hurry(any_of(Random(6)))
    look_again(host)
    yield Scene("startups-result", host)


def mirrow(come: People) -> Iterator[Scene]:
    """Blocks placed, cards chosen, a turn composed, a battle, and the same in words."""
    party = Party([come(), come()]).sit(TITLES["mirrow"])
    host = party.host
    host.follow(host.page.locator("a[href*='pick=1#']"))
    yield Scene("mirrow-picked", host)
    host.press("Block 1 to Dunmouth")
    for friend in party.friends:
        look_again(friend)
        friend.press("Place the rest by chance")
        friend.press("Done")
    look_again(host)
    yield Scene("mirrow-cards", host)
    for friend in party.friends:
        look_again(friend)
        friend.press(friend.page.locator(".orders button").first)
    mover = party.mover() or host
    choose = at_random(Random(4))
    for _ in range(20):  # a card may be an event, which is played out first
        if mover.see(".area button.name:not([aria-disabled])"):
            mover.press(mover.page.locator(".area button.name:not([aria-disabled])").first)
            break
        choose(mover)
        mover = party.mover() or host
    yield Scene("mirrow-moving", mover)
    party.newest = mover
    for _ in range(60):
        mover = party.mover() or host
        if mover.see(".fight") or not to_move(mover):  # or it is over before there was one
            break
        choose(mover)
    yield Scene("mirrow-battle", mover)
    mover.open(f"{party.link}?view=text")
    yield Scene("mirrow-battle-text", mover)


def other_rules(come: People) -> Iterator[Scene]:
    """A game whose rules have changed under it; and that it goes back, as somebody proposes."""
    party = Party([come(), come()]).sit(TITLES["eights"])
    host, friend = party.friends
    party.play(at_random(Random(6)), 5)
    host.open(f"/changed/{party.link.rpartition('/')[2]}")
    yield Scene("rules-changed", host)
    host.press(host.page.locator("form[action$='/back'] button"))
    yield Scene("going-back-proposed", host)
    friend.open(party.link)
    yield Scene("going-back-asked", friend)
    friend.open(f"{party.link}?view=text")
    yield Scene("going-back-asked-text", friend)
    friend.press(friend.page.locator("form[action$='/ready'] button"))
    host.reload()
    host.press(host.page.locator("form[action$='/ready'] button"))
    yield Scene("went-back", host)


def my_games(come: People) -> Iterator[Scene]:
    """Somebody who plays a lot; and who guesses codes: at the very end, since that closes the door."""
    host, friend, other = come(), come(), come()
    done = Party([host, friend]).sit("Rock-Paper-Scissors")
    done.give_up()
    Party([host, friend]).sit("StrifeBarge")
    three = Party([host, friend, other]).sit("Crazy Eights", 3)
    three.play(at_random(Random(10)), 3)
    Party([host, friend]).sit("Rock-Paper-Scissors")
    host.press(host.page.locator(PLAYABLE).first)
    Party([host]).start("StrifeBarge", 8)
    host.open("/games")
    yield Scene("my-games", host)
    host.open("/")
    yield Scene("landing-my-turn", host)
    guesser = come()
    for number in range(40):
        guesser.page.goto(f"/g/{number:08}")
        if guesser.see("text=A little slower"):
            break
        if number == 0:
            yield Scene("missing-game", guesser)
    yield Scene("too-fast", guesser)


def german(come: People) -> Iterator[Scene]:
    """Another language, whose words are longer."""
    party = Party([come(), come()]).sit("StrifeBarge")
    host, friend = party.friends
    for each in party.friends:
        each.open("/about")
        each.press("Deutsch")
    yield Scene("german-about", host)
    host.open("/")
    yield Scene("german-landing", host)
    host.open("/new/chess")
    yield Scene("german-options", host)
    host.open(party.link)
    yield Scene("german-my-turn", host)
    friend.open(party.link)
    yield Scene("german-waiting", friend)
    host.open(f"{party.link}/quit")
    yield Scene("german-quit", host)
    host.press("Endgültig aussteigen")
    yield Scene("german-result", host)
    host.press(host.page.locator(".result button"))
    yield Scene("german-rematch-wanted", host)
    joiner = come()
    host.open("/")
    host.press(host.page.locator("form[action$=eights] button"))
    yield Scene("german-waiting-room", host)
    joiner.open("/about")
    joiner.press("Deutsch")
    joiner.open(host.page.url)
    yield Scene("german-join", joiner)


def oneself(come: People) -> Iterator[Scene]:
    """The pages about oneself: as a stranger, as a guest, with an account; and gone."""
    stranger, person = come(), come()
    for name, path in (("you-nobody", "/me"), ("sign-in", "/sign-in"), ("code-from-another", "/move")):
        stranger.open(path)
        yield Scene(name, stranger)
    stranger.open("/me/devices", status=403)
    yield Scene("refused-nobody", stranger)
    party = Party([person])
    party.start("Rock-Paper-Scissors")
    for name, path in (
        ("you-guest", "/me"),
        ("make-an-account", "/me/account"),
        ("guest-signs-out", "/me/out"),
    ):
        person.open(path)
        yield Scene(name, person)
    person.open("/me/account")
    person.page.get_by_label("Name to sign in with").fill("a.person")
    person.page.get_by_label("Password", exact=True).fill("password")
    person.page.get_by_label("Password once more").fill("password")
    person.press("Make the account", status=422)
    yield Scene("refused-password", person)
    person.page.get_by_label("Password", exact=True).fill("blue whale in the bath")
    person.page.get_by_label("Password once more").fill("blue whale in the bath")
    person.press("Make the account")
    yield Scene("you-account", person)
    for name, path in (("password", "/me/account"), ("devices", "/me/devices"), ("sign-out", "/me/out")):
        person.open(path)
        yield Scene(name, person)
    person.open("/me/code")
    yield Scene("no-code-yet", person)
    person.press("Make a code")
    yield Scene("code", person)
    person.open("/me/erase")
    yield Scene("erase", person)
    person.page.get_by_label("Your password").fill("blue whale in the bath")
    person.page.get_by_label("Erase all that is kept of me.").check()
    person.press("Erase me")
    yield Scene("erased", person)


CHAPTERS: dict[str, Chapter] = {
    "lobby": lobby,
    "gathering": gathering,
    "inviting": inviting,
    "one-device": one_device,
    **{slug: any_game(slug) for slug in TITLES},
    "strifebarge-two": strifebarge,
    "strifebarge-salvo": salvo,
    "strifebarge-great": great_sea,
    "clock": by_the_clock,
    "too-late": too_late,
    "eights-three": eights,
    "chess-two": chess,
    "rps-two": rps,
    "startups-four": startups,
    "mirrow-two": mirrow,
    "german": german,
    "books": the_books,
    "oneself": oneself,
    "other-rules": other_rules,
    "my-games": my_games,
}
