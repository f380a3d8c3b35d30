"""People with browsers: Chromium without a screen, and persons who go round the site as players do.

A person opens, follows, presses and types, and each time they arrive on a page it must have the status that
was expected and must not scroll sideways.  What goes wrong on the way, in the console or on the network, is
kept as their troubles.
"""

import contextlib
from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple, Self

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Response,
    expect,
    sync_playwright,
)
from playwright.sync_api import Request as Sent

from tests.support.servers import PATIENCE, find_chromium

expect.set_options(timeout=PATIENCE * 1000)  # ample, for what takes a moment on a machine that is not busy


class Size(NamedTuple):
    """A window, in CSS pixels."""

    width: int
    height: int


PHONE, LARGE_PHONE = Size(320, 568), Size(390, 844)
TABLET, DESKTOP = Size(768, 1024), Size(1280, 900)

QUIET = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--no-sandbox",  # which root cannot have; all it ever opens is a site of ours
]

NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED"

LOOK = """() => {
    const page = document.scrollingElement, body = document.body;
    const markup = body.innerText.match(/<\\/?\\w+[^]{0,60}/);
    return [Math.max(page.scrollWidth, body.scrollWidth), innerWidth, markup];
}"""


# Scripts run, but to them nothing ever happens at the site; what else they ask for they do not get.
DEAF = """delete window.SharedWorker;
fetch = async url => {
    const live = document.getElementById("live");
    if (live && url === live.dataset.url) return new Response(live.dataset.version);
    throw new Error("deaf");
};"""


class Chromium:
    """A browser without a screen, from entering the `with` until leaving it."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path or find_chromium()

    def __enter__(self) -> Browser:
        self.playwright = sync_playwright().start()
        try:
            self.browser = self.playwright.chromium.launch(executable_path=self.path, args=QUIET)
        except BaseException:
            self.playwright.stop()
            raise
        return self.browser

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.browser.close()
        self.playwright.stop()


def that_keeps_pages(browser: Browser) -> Browser:
    """Another browser, to be closed, in which Back shows the page as it was left, without asking the site.

    That is how people have it; Playwright turns it off, since its own waiting does not understand it.
    """
    options = ["--disable-back-forward-cache"]
    path = find_chromium(whole=True)
    return browser.browser_type.launch(executable_path=path, args=QUIET, ignore_default_args=options)


class Person:
    """Somebody with a browser of their own, and so with cookies of their own.

    Without JavaScript unless it is said; with it, but not `alive`, their pages stay as they came.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        javascript: bool = False,
        alive: bool = True,
        size: Size = PHONE,
        patience: float = PATIENCE,
    ) -> None:
        self.address = address
        self.alive = javascript and alive
        self.context = browser.new_context(
            base_url=address,
            java_script_enabled=javascript,
            viewport={"width": size.width, "height": size.height},
            reduced_motion="reduce",
            locale="en-GB",
        )
        self.context.set_default_timeout(patience * 1000)
        if not alive:
            self.context.add_init_script(DEAF)
        self.clicks = 0
        self.troubles: list[str] = []
        self.sent: list[Sent] = []
        self.answers: list[int] = []  # to forms that the script has sent
        self.has_lost = False  # a file of the page, as in `_failed`
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda broken: self.troubles.append(f"a script broke: {broken.error}"))
        self.context.on("request", self._asked)
        self.context.on("response", self._answered)
        self.context.on("requestfailed", self._failed)
        self.page: Page = self.context.new_page()

    def close(self) -> None:
        self.context.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    # -- what goes wrong meanwhile ---------------------------------------------

    def _heard(self, message: ConsoleMessage) -> None:
        """Errors of the console, the content policy's among them; statuses are looked at as they come."""
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.troubles.append(f"console: {message.text} ({message.location['url']})")

    def _asked(self, request: Sent) -> None:
        self.sent.append(request)
        if not request.url.startswith((self.address + "/", "data:")):
            self.troubles.append(f"asked elsewhere: {request.url}")

    def _answered(self, response: Response) -> None:
        piece = response.request.headers.get("x-piece")  # what the script asks for in place of a page
        if piece and response.request.method == "POST":
            self.answers.append(response.status)
        if response.status >= (500 if piece or response.request.resource_type == "document" else 400):
            self.troubles.append(f"{response.status} for {response.url}")

    def _failed(self, request: Sent) -> None:
        """Note that a file of the page was lost because another test changed the machine's network.

        Chromium gives up what it is loading when an interface comes or goes, as in tests of several machines.
        """
        if request.failure == NETWORK_CHANGED and request.resource_type in ("stylesheet", "script"):
            self.has_lost = True

    # -- going about -----------------------------------------------------------

    @contextlib.contextmanager
    def arriving(self, status: int = 200) -> Iterator[None]:
        """What is done inside leads to another page, which has this status and fits the window.

        It may take the place of the one that is there, whose address alone becomes another then.
        """
        before = len(self.answers)
        with self.page.expect_navigation() as going:
            yield
        answer = going.value
        if answer is None and self.answers[before:]:
            text = self.page.inner_text("main")[:300]
            assert self.answers[-1] == status, f"{self.answers[-1]}, not {status}: {text}"
        # Back may show a page that was kept, without asking: then there is no answer.
        assert answer is None or answer.status == status, (
            f"{answer.status} at {answer.url}, not {status}: {self.page.inner_text('main')[:300]}"
        )
        while self.has_lost:
            self.has_lost = False
            self.page.reload()
        self.must_fit()

    def must_fit(self) -> None:
        """Nothing is wider than the window; what must be, scrolls inside a region of its own.

        And what is read is words, not HTML by mistake.
        """
        page, window, markup = self.page.evaluate(LOOK)
        assert page <= window, f"{self.page.url} is {page} wide, {window} can be seen"
        assert not markup, f"{self.page.url} shows {markup}"

    def open(self, path: str, status: int = 200) -> None:
        try:
            self._open(path, status)
        except Error as lost:
            if NETWORK_CHANGED not in str(lost):
                raise
            self.open_tab().close()  # there Chromium would try again by itself meanwhile
            self._open(path, status)

    def _open(self, path: str, status: int) -> None:
        with self.arriving(status):
            self.page.goto(path)

    def reload(self, status: int = 200) -> None:
        with self.arriving(status):
            self.page.reload()

    def open_tab(self) -> Page:
        """A second tab in front, which is theirs from now on; the one that is left behind is returned."""
        left, self.page = self.page, self.context.new_page()
        return left

    def back(self) -> None:
        with self.arriving():
            self.page.go_back()

    def forward(self) -> None:
        with self.arriving():
            self.page.go_forward()

    def follow(self, link: str | Locator, status: int = 200) -> None:
        """One click on a link, named as it is read out."""
        self._click(
            self.page.get_by_role("link", name=link, exact=True) if isinstance(link, str) else link, status
        )

    def press(self, button: str | Locator, status: int = 200) -> None:
        """One click on a button that sends a form, named as it is read out."""
        self._click(
            self.page.get_by_role("button", name=button, exact=True) if isinstance(button, str) else button,
            status,
        )

    def prefer(self, what: str, choice: str) -> None:
        """Choose something in the menu that every page has."""
        menu = self.page.locator("header .prefs")
        menu.locator("summary").click()
        self.press(menu.get_by_role("group", name=what).get_by_role("button", name=choice, exact=True))

    def _click(self, target: Locator, status: int) -> None:
        self.find(target)
        with self.arriving(status):
            target.click()
        self.clicks += 1

    def find(self, target: Locator) -> None:
        """Open the tab of a table's page that it lies in, if it is closed."""
        if target.count():
            closed = target.first.locator("xpath=ancestor::details[@name='side' and not(@open)]/summary")
            if closed.count():
                closed.click()
            return
        for tab in self.page.locator(".tab:not([open]) > summary").all():
            tab.click()
            if target.count():
                return

    def tab(self, name: str) -> None:
        """Open one of the tabs of a table's page: the log, the chat, or the table."""
        self.page.locator(f"#tab-{name}:not([open]) > summary").click()

    @contextlib.contextmanager
    def scripted(self) -> Iterator[None]:
        """Scripts may run meanwhile on a page that came without them: a test's own, which wait for clocks."""
        devtools = self.context.new_cdp_session(self.page)

        def forbid(all_scripts: bool) -> None:
            devtools.send("Emulation.setScriptExecutionDisabled", {"value": all_scripts})

        forbid(True)  # as it is; but this session would take its own "no" for nothing new otherwise
        forbid(False)
        yield
        forbid(True)

    # -- reading ---------------------------------------------------------------

    def see(self, selector: str) -> bool:
        """Whether such a thing is on the page."""
        return self.page.locator(selector).count() > 0

    def read(self, selector: str) -> str:
        """The words of the only such thing, with single spaces."""
        return " ".join(self.page.locator(selector).inner_text().split())

    def values(self, selector: str) -> list[str]:
        return list(self.page.locator(selector).evaluate_all("found => found.map(each => each.value)"))

    @property
    def asked(self) -> list[str]:
        """What was asked of the site so far, as `POST /new/rps`; files of the site's own looks left out."""
        paths = (f"{each.method} {each.url.removeprefix(self.address)}" for each in self.sent)
        return [path for path in paths if "/static/" not in path]
