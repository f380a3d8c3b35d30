"""Notices in the browser, as the page's script and its worker have them; and the tone of one's turn."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from strifebarge.post.push import text_of
from tests.browser.party import Party
from tests.post.test_push import Browser as Reader
from tests.support.browser import Person
from tests.support.servers import Site

PLACE = """(told) => {
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
        if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error("no key");
        return { toJSON: () => told };
    };
}"""
LISTEN = """
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
        window.tones += 1;
        return start.apply(this, given);
    };
    document.hasFocus = () => window.looking !== false;
"""


@pytest.fixture(scope="module")
def pushing() -> Iterator[Site]:
    with Site(WORKERS="1", PUBLIC_URL="http://localhost", INNER_HOOKS="true", SECURE="false") as running:
        yield running


@pytest.fixture
def somebody(browser: Browser, pushing: Site) -> Iterator[Person]:
    person = Person(browser, pushing.url.replace("127.0.0.1", "localhost"), javascript=True)
    person.open("/new/rps")
    person.press(person.page.locator("form.options button, main form button").first)
    yield person
    assert not person.troubles
    person.close()


def test_the_script_asks_the_browser_and_sends_what_it_says(somebody: Person) -> None:
    reader = Reader()
    keys = {"p256dh": text_of(reader.public), "auth": text_of(reader.secret)}
    told = {"endpoint": "http://127.0.0.1:9/some-browser", "keys": keys}
    somebody.context.grant_permissions(["notifications"])
    somebody.open("/notices")
    somebody.page.evaluate(PLACE, told)
    button = somebody.page.get_by_role("button", name="Tell me in this browser")
    expect(button).to_be_visible()
    button.click()
    expect(somebody.page.get_by_text("Browser (push)")).to_be_visible()
    expect(somebody.page.get_by_text("(this one)")).to_be_visible()
    expect(button).to_have_count(0)
    somebody.page.get_by_role("button", name="Take away").click()
    expect(somebody.page.get_by_text("(this one)")).to_have_count(0)


def test_who_does_not_allow_it_is_told_so(somebody: Person) -> None:
    somebody.open("/notices")
    somebody.page.evaluate("Notification.requestPermission = async () => 'denied'")
    somebody.page.get_by_role("button", name="Tell me in this browser").click()
    expect(somebody.page.get_by_text("The browser does not allow notices from this site.")).to_be_visible()


def test_the_worker_shows_what_is_pushed(somebody: Person) -> None:
    somebody.context.grant_permissions(["notifications"])
    somebody.open("/notices")
    devtools = somebody.context.new_cdp_session(somebody.page)
    known: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(each["registrationId"] for each in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    scope = somebody.page.evaluate(
        "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)"
        ".then((found) => found.scope)"
    )
    assert known
    words = '{"title": "It is your turn.", "body": "e4", "link": "/games", "tag": "x"}'
    origin = scope.rstrip("/")
    sent = {"origin": origin, "registrationId": known[-1], "data": words}
    devtools.send("ServiceWorker.deliverPushMessage", sent)
    shown = """async () => {
        const { registration } = { registration: await navigator.serviceWorker.ready };
        for (let i = 0; i < 50; i += 1) {
            const [found] = await registration.getNotifications();
            if (found) return [found.title, found.body, found.data.link];
            await new Promise((later) => setTimeout(later, 100));
        }
    }"""
    assert somebody.page.evaluate(shown) == ["It is your turn.", "e4", "/games"]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_tone_is_heard_by_who_wants_it_and_looks_elsewhere(person, wanted: bool) -> None:
    white, black = person(javascript=True), person(javascript=True)
    if wanted:
        black.open("/about")
        form = black.page.get_by_role("form", name="A tone when it is my turn")
        form.get_by_role("button", name="Yes").click()
    Party([white, black]).sit("Chess")
    page = black.page
    page.evaluate(LISTEN)
    page.locator("h1").click()  # no browser makes a sound before it was touched
    for move, looking, tones in (("e2e4", True, 0), ("d2d4", False, 1)):
        page.evaluate("(looking) => { window.looking = looking; }", looking)
        play(white, move)
        expect(page.locator("#turn.mine")).to_be_visible(timeout=15000)
        page.wait_for_timeout(300)
        assert page.evaluate("window.tones") == (tones if wanted else 0)
        if move == "e2e4":
            play(black, "e7e5")
            page.evaluate(LISTEN)
            page.locator("h1").click()
            expect(white.page.locator("#turn.mine")).to_be_visible(timeout=15000)


def play(who: Person, move: str) -> None:
    box = who.page.locator("input[name=notation]").first
    box.fill(move)
    box.press("Enter")
    expect(who.page.locator("#turn.mine")).to_have_count(0)
