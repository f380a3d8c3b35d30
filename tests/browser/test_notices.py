"""Notices in the browser: its page, its worker and its tone, in a real one.

Only the push service is a test's own: browsers have theirs elsewhere.  What the site sends there is opened
with the browser's key, and handed to the worker as that service would.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from time import time
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from strifebarge.app import create_app, dispatcher
from strifebarge.notifications.push import text_of
from strifebarge.rules.pace import DAY
from strifebarge.settings import Settings
from tests.browser.party import nobody
from tests.notifications.test_push import Browser as PushBrowser
from tests.support.browser import QUIET, Person
from tests.support.listening import Door, answering
from tests.support.servers import Site, find_chromium, free_port
from tests.support.visitor import Remote

TELL_ME = "Notify me in this browser"

# The browser's own service, as far as pages see it; what they ask of it is noted in the tab.
PUSHING = """
    const said = (what) => sessionStorage.getItem(what) || "";
    const note = (what) => sessionStorage.setItem("asked", `${said("asked")}${what};`);
    PushManager.prototype.subscribe = async ({ applicationServerKey: key, userVisibleOnly }) => {
        note(`subscribe ${userVisibleOnly} ${btoa(String.fromCharCode(...key))}`);
        if (said("shut")) throw new DOMException("no service", "AbortError");
        return { toJSON: () => (TOLD) };
    };
    PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => note("unsubscribe") });
"""


class Reader(NamedTuple):
    """Two at a table of chess, the first without a browser; the second is told in theirs."""

    service: Door
    reader: PushBrowser
    white: Remote
    black: Person
    table: str

    def asked(self) -> list[str]:
        """What the page asked of the browser's service."""
        return str(self.black.page.evaluate("sessionStorage.getItem('asked') || ''")).split(";")[:-1]


@pytest.fixture(scope="module")
def pushing() -> Iterator[Site]:
    """A site that knows its own address, and sends nothing by itself."""
    site = Site(WORKERS="1", TICK="0", INNER_HOOKS="true", SECURE="false", LIMIT_CREATE="9999")
    site.port = free_port()
    site.settings["PUBLIC_URL"] = site.url
    with site:
        yield site


@pytest.fixture(scope="module")
def cautious(browser: Browser) -> Iterator[Browser]:
    """A whole browser: the shell shows no notices.  And one that makes no sound until it was touched."""
    path, args = find_chromium(whole=True), [*QUIET, "--autoplay-policy=document-user-activation-required"]
    whole = browser.browser_type.launch(executable_path=path, args=args)
    yield whole
    whole.close()


@pytest.fixture
def reader(cautious: Browser, pushing: Site) -> Iterator[Reader]:
    reader = PushBrowser()
    keys = {"p256dh": text_of(reader.public), "auth": text_of(reader.secret)}
    white = Remote(pushing.port)
    black = Person(cautious, pushing.url, javascript=True)
    with answering(Door()) as service:
        place = {"endpoint": f"{service.url}/some-browser", "keys": keys}
        black.context.add_init_script(PUSHING.replace("TOLD", str(place)))
        black.context.grant_permissions(["notifications"])
        yield Reader(service, reader, white, black, begun(white, black))
        black.close()
    assert not black.troubles


def begun(white: Remote, black: Person) -> str:
    """A game of chess of these two, and its path."""
    table = white.start("chess").table
    black.open(table)
    black.press(black.page.locator(".join button"))
    return table


def post_of(site: Site) -> None:
    """The post makes its round, as if it were noon tomorrow: nobody sleeps, and nobody has moved since."""
    app = create_app(Settings.from_environment(site.environment()))
    try:
        dispatcher(app.extensions["services"], app.extensions["settings"])((time() // DAY + 1.5) * DAY)
    finally:
        app.extensions["referee"].store.engine.dispose()


def subscribe(reader: Reader) -> None:
    reader.black.open("/notices")
    with reader.black.arriving():
        reader.black.page.get_by_role("button", name=TELL_ME).click()


# -- the page ----------------------------------------------------------------------------------


def add_webhook(reader: Reader) -> None:
    page = reader.black.page
    page.get_by_label("Address", exact=True).fill("https://hooks.example.org/a")
    reader.black.press(page.get_by_role("button", name="Add", exact=True))


@pytest.mark.parametrize("add", [add_webhook, subscribe])
def test_the_page_names_the_time_zone_of_the_browser(reader: Reader, add: Callable[[Reader], None]) -> None:
    page = reader.black.page
    devtools = reader.black.context.new_cdp_session(page)
    devtools.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    reader.black.open("/notices")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    add(reader)
    expect(page.get_by_text(re.compile(r"It is \d\d:\d\d in Asia/Tokyo\."))).to_be_visible()


def test_the_page_asks_the_browser_and_tells_the_site_where_it_is(reader: Reader, pushing: Site) -> None:
    subscribe(reader)
    page = reader.black.page
    key = page.evaluate("fetch('/notices/push/key', {method: 'POST'}).then((found) => found.text())")
    padded = key.replace("-", "+").replace("_", "/") + "="
    assert reader.asked() == [f"subscribe true {padded}"]
    expect(page.get_by_text("Browser (push)")).to_be_visible()
    expect(page.get_by_text("(this one)")).to_be_visible()
    expect(page.get_by_role("button", name=TELL_ME)).to_have_count(0)
    reader.black.press(page.get_by_role("button", name=re.compile("^Send test")))
    post_of(pushing)
    [(path, _, body)] = reader.service.brought
    assert path == "/some-browser"
    assert reader.reader.reads(body)["title"]
    assert reader.asked() == [f"subscribe true {padded}"]


def test_what_is_taken_away_ends_in_the_browser_too(reader: Reader, pushing: Site) -> None:
    subscribe(reader)
    page = reader.black.page
    reader.black.press(page.get_by_role("button", name=re.compile("^Remove")))
    expect(page.get_by_text("(this one)")).to_have_count(0)
    expect(page.get_by_role("button", name=TELL_ME)).to_be_visible()
    assert reader.asked()[1:] == ["unsubscribe"]
    moves(reader.white, reader.table, "e2e4")
    post_of(pushing)
    assert reader.service.brought == []
    with reader.black.arriving():
        page.get_by_role("button", name=TELL_ME).click()
    expect(page.get_by_text("(this one)")).to_be_visible()


def test_who_does_not_allow_it_is_told_so_and_the_site_asked_nothing(reader: Reader) -> None:
    reader.black.open("/notices")
    page = reader.black.page
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    before = len(reader.black.asked)
    page.get_by_role("button", name=TELL_ME).click()
    expect(page.get_by_text("Your browser blocks notifications from this site.")).to_be_visible()
    assert (reader.asked(), reader.black.asked[before:]) == ([], [])


def test_where_the_browser_has_no_service_the_page_says_that_nothing_was_done(reader: Reader) -> None:
    reader.black.open("/notices")
    page = reader.black.page
    page.evaluate(
        "sessionStorage.setItem('shut', 'yes'); PushManager.prototype.getSubscription = async () => null"
    )
    page.get_by_role("button", name=TELL_ME).click()
    expect(page.get_by_text("Your browser couldn't turn on notifications. Please try again.")).to_be_visible()
    page.evaluate("sessionStorage.removeItem('shut')")
    with reader.black.arriving():  # and it may be tried again
        page.get_by_role("button", name=TELL_ME).click()
    expect(page.get_by_text("(this one)")).to_be_visible()


# -- the worker ----------------------------------------------------------------------------------

# A worker takes nothing before it is whole, which it may not be yet when its page calls it ready.
ACTIVE = """() => navigator.serviceWorker.ready.then(({ active }) => new Promise((done) => {
    const look = () => active.state === "activated" && done(true);
    active.addEventListener("statechange", look);
    look();
}))"""

# Counts what has been shown.  To ask for all notices while one is on its way takes that one away: the browser
# then finds a notice that no screen shows yet, and forgets it.
COUNTING = """() => {
    const show = ServiceWorkerRegistration.prototype.showNotification;
    self.shown = 0;
    ServiceWorkerRegistration.prototype.showNotification = async function (...given) {
        await show.apply(this, given);
        self.shown += 1;
    };
}"""

# All notices, as soon as the number asked for has been shown.
SHOWN = """async (number) => {
    const later = () => new Promise((done) => setTimeout(done, 50));
    for (let i = 0; i < 400 && self.shown < number; i += 1) await later();  // a worker may be long in waking
    const found = self.shown < number ? [] : await registration.getNotifications();
    return found.map(({ title, body, tag, data }) => ({ title, body, tag, ...data }));
}"""

# A press on the newest notice.  No program can press for a person, so that the browser would let none open or
# show a page: it is noted what would have been.
PRESS = """async () => {
    const led = [];
    self.clients.openWindow = async (link) => { led.push(`open ${link}`); };
    WindowClient.prototype.focus = async function () { led.push(`show ${this.url}`); };
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification });
    let done = null;
    event.waitUntil = (work) => { done = work; };
    self.dispatchEvent(event);
    await done;
    return [led, (await registration.getNotifications()).length];
}"""


class Worker:
    """The site's worker in somebody's browser, and the push service that wakes it."""

    def __init__(self, person: Person):
        self.page, self.known = person.page, list[str]()
        self.devtools = person.context.new_cdp_session(person.page)
        self.devtools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self.devtools.send("ServiceWorker.enable")
        self.page.evaluate(ACTIVE)
        while (
            not self.known
        ):  # what the browser tells of the worker comes on another way than the page's answer
            self.page.wait_for_timeout(20)
        workers = person.context.service_workers
        self.inside = workers[0] if workers else person.context.wait_for_event("serviceworker")
        self.inside.evaluate(COUNTING)
        self.origin = person.address

    def _note(self, message: dict[str, Any]) -> None:
        self.known += [each["registrationId"] for each in message["registrations"] if not each["isDeleted"]]

    def brings(self, words: str) -> list[dict[str, str]]:
        """The push service wakes it with these; all that is shown after it."""
        sent = {"origin": self.origin, "registrationId": self.known[-1], "data": words}
        before = self.inside.evaluate("self.shown")
        for _ in range(2):  # services bring again what a browser was not ready for
            self.devtools.send("ServiceWorker.deliverPushMessage", sent)
            if shown := self.inside.evaluate(SHOWN, before + 1):
                return list(shown)
        return []

    def pressed(self) -> tuple[list[str], int]:
        """Where a press on the notice leads, and how many are shown then."""
        led, left = self.inside.evaluate(PRESS)
        return led, left


def test_whose_turn_it_is_is_shown_and_leads_to_the_table(reader: Reader, pushing: Site) -> None:
    subscribe(reader)
    worker = Worker(reader.black)
    moves(reader.white, reader.table, "e2e4")
    post_of(pushing)
    [(_, _, body)] = reader.service.brought
    words = reader.reader.reads(body)
    [shown] = worker.brings(json.dumps(words))
    assert shown == words
    assert shown["title"] == "It's your turn in Chess with Guest Foxtrot."
    assert shown["link"] == pushing.url + reader.table
    secrets = [each["value"] for each in reader.black.context.cookies() if len(each["value"]) > 16]
    assert secrets
    assert not [each for each in secrets if each in str(words)]
    assert worker.pressed() == ([f"open {shown['link']}"], 0)
    reader.black.open(shown["link"].removeprefix(pushing.url))
    assert reader.black.see("#turn.mine")


def test_a_table_that_is_open_is_shown_and_not_opened_again(reader: Reader, pushing: Site) -> None:
    subscribe(reader)
    left = reader.black.open_tab()
    reader.black.open(f"{reader.table}?view=board")
    worker = Worker(reader.black)
    assert worker.brings(json.dumps({"title": "Yours", "link": pushing.url + reader.table}))
    assert worker.pressed() == ([f"show {pushing.url}{reader.table}?view=board"], 0)
    left.close()


def test_no_notice_leads_to_another_site_and_the_same_is_shown_once(reader: Reader) -> None:
    subscribe(reader)
    worker = Worker(reader.black)
    for title in ("Yours", "Still yours"):  # a second one of the same tag takes the place of the first
        words = {"title": title, "link": "https://evil.example/", "tag": "t"}
        assert [each["title"] for each in worker.brings(json.dumps(words))] == [title]
    assert worker.pressed() == ([], 0)


@pytest.mark.parametrize("words", ["", "{}", "no words of ours"])
def test_also_what_it_cannot_read_is_shown_since_browsers_want_to_see_something(
    reader: Reader, words: str
) -> None:
    subscribe(reader)
    worker = Worker(reader.black)
    [shown] = worker.brings(words)
    assert (shown["title"], shown["body"]) == ("StrifeBarge", "")
    assert worker.pressed() == ([f"open {reader.black.address}/games"], 0)


# -- the tone --------------------------------------------------------------------------------------

# What is heard is noted, with the state of what plays it; and the test says where somebody looks.
HEARING = """
    const said = (what) => sessionStorage.getItem(what);
    window.tones = [];
    window.players = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
        window.tones.push(this.context.state);
        return start.apply(this, given);
    };
    const { AudioContext: Player } = window;
    window.AudioContext = class extends Player {
        constructor(...given) { super(...given); window.players += 1; }
    };
    document.hasFocus = () => !said("elsewhere");
    Object.defineProperty(document, "hidden", { get: () => said("elsewhere") === "away" });
"""


class Two:
    """Two at a table of chess, the second of whom may want a tone.

    Chromium takes all that a test asks of a page for a touch.  So once the second looks elsewhere nothing is
    asked of their page until it has been heard.
    """

    def __init__(self, black: Person, tone: str = "On"):
        self.white, self.black = nobody(black), black
        black.context.add_init_script(HEARING)
        black.open("/about")
        black.prefer("Sounds", tone)
        self.table = begun(self.white, black)

    def looks(self, where: str) -> None:
        """As their browser will have it, from now on."""
        self.black.page.evaluate("(where) => sessionStorage.setItem('elsewhere', where)", where)

    def answers(self, move: str) -> None:
        """As people do: they move, and do not touch the page after it."""
        box = self.black.page.locator("input[name=notation]").first
        box.fill(move)
        with self.black.page.expect_navigation():
            box.press("Enter")

    def heard(self, move: str) -> list[str]:
        """White moves; the tones that the second has heard a while after their page has found out."""
        before = len(self.black.asked)
        moves(self.white, self.table, move)
        poll = re.compile(rf"GET {self.table}(\?\S*)?")
        for _ in range(300):
            self.black.page.wait_for_timeout(100)
            if any(poll.fullmatch(each) for each in self.black.asked[before:]):
                break
        self.black.page.wait_for_timeout(1500)  # in which it has asked again
        tones = self.black.page.evaluate("window.tones")
        expect(self.black.page.locator("#turn.mine")).to_be_visible()
        return list(tones)


@pytest.fixture
def come(people_of, site: Site, cautious: Browser):
    return partial(people_of(site, cautious), javascript=True)


def moves(player: Remote, table: str, move: str) -> None:
    assert player.move(table, f"move {move}").status == 303


def test_a_tone_is_heard_once_by_who_wants_it_and_looks_elsewhere(come) -> None:
    two = Two(come())
    assert two.heard("e2e4") == []  # for the page is before them
    two.looks("another window")
    two.answers("e7e5")
    assert two.heard("d2d4") == ["running"]


def test_a_tone_comes_from_a_page_that_nobody_sees(come) -> None:
    two = Two(come())
    two.heard("e2e4")
    two.looks("away")
    two.answers("e7e5")
    assert two.heard("d2d4") == ["running"]


def test_who_does_not_want_it_hears_nothing_and_has_nothing_to_play_it(come) -> None:
    two = Two(come(), tone="Off")
    two.heard("e2e4")
    two.looks("another window")
    two.answers("e7e5")
    assert two.heard("d2d4") == []
    assert two.black.page.evaluate("window.players") == 0


def test_no_page_makes_a_sound_that_nobody_has_touched(come) -> None:
    two, another = Two(come()), come()
    another.context.add_init_script(f"sessionStorage.setItem('elsewhere', 'another window');{HEARING}")
    another.context.add_cookies(two.black.context.cookies())
    another.page.goto(two.table)
    two.black.page.goto("about:blank")
    two.black = another
    assert two.heard("e2e4") == []
    assert another.page.evaluate("window.players") == 0
