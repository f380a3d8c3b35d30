"""Whatever call of the database fails, before its effect or after it: all is done or nothing.

The page is a proper one and tells the truth, and the same form sent again counts once.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.support.visitor import Local, Page
from tests.web.failing import OF_THE_BROWSER, PLAN, Act, Failing
from tests.web.house import House
from tests.web.markup import must_be_sound

OpenHouse = Callable[..., House]
MOST = 80  # calls of the driver for one form

# What cannot be sent here, and why.
LEFT_OUT = {
    "account.add_passkey": "needs a browser's authenticator",
    "account.enter_by_passkey": "needs a browser's authenticator",
    "account.remove_passkey": "needs a browser's authenticator",
    "resting.back": "needs a game whose rules have changed: tests/editions",
}
# What is done in several steps: of those that are kept each is whole, and the same form again does the rest.
STEPS = {
    "account.erase": "table by table, and who it was goes last",
    "account.end_devices": "first the devices, then what they may have seen or made",
    "account.password": "first the password, then all other devices",
    "notices.add": "first what one wants to be told, then where",
    "notices.push": "the same, and what the same browser gave before is taken away",
    "play.rematch": "first the new table, then one sits there",
    "resting.late": "first what happens at the deadline",
}
# What ends the links to a person's seats, table by table, ends them once more at the tables that were done.
ENDS_LINKS_AGAIN = {"account.end_devices", "account.password"}
# Once done there is nothing left to do it to, and the same form again is told so; with a new password and a
# proof, whose session has got another id that did not reach them.
GONE = {
    "account.confirm",
    "account.end_devices",
    "account.erase",
    "account.leave",
    "account.password",
    "host.leave",
    "host.open_session",
    "lobby.go_away",
    "notices.remove",
    "seating.delete",
}
NOT_DONE = ("wasn't played", "It didn't work, but")
DONE = ("was played.", "It worked anyway.")
UNKNOWN = "counts only once"  # whether it was done or not, it may be sent again
FAILED = ("Something went wrong", "That didn't work")  # with a code to tell the host, and without
PARTS = 12  # of all addresses, one of which is tried each time


@pytest.fixture
def failing(open_house: OpenHouse) -> Iterator[Failing]:
    house = open_house(
        public_url="http://localhost", secure=False, inner_hooks=True, smtp_url="smtp://localhost:1"
    )
    site = Failing(house)
    logging.disable(logging.CRITICAL)  # of hundreds of faults
    try:
        yield site
    finally:
        logging.disable(logging.NOTSET)
        site.close()


class Wrong(Exception):
    """What should not have come of it."""


def must(holds: object, *details: object) -> None:
    if not holds:
        raise Wrong(*details)


def chosen(failing: Failing, tried: Iterable[str]) -> dict[str, Act]:
    """Of each of these addresses a form that is taken; and if there is one, a form that changes something."""
    acts: dict[str, Act] = {}
    for endpoint in sorted(set(tried) & set(failing.acts)):
        for act in failing.acts[endpoint][:40]:
            before = failing.version()
            _, answer = act.sent()
            changed = failing.version() != before
            if answer.status < 400 and (changed or endpoint not in acts):
                acts[endpoint] = act
            elif endpoint not in acts:
                print(endpoint, answer.status, answer.words)  # shown where no form is taken
            if changed:
                failing.put_back()
                if answer.status < 400:
                    break
    return acts


@pytest.mark.full("every call of the database fails", keep=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_all_is_done_or_nothing_whatever_fails(failing: Failing, part: int) -> None:
    wrong, fired = [], 0
    posts = {rule.endpoint for rule in failing.house.app.url_map.iter_rules() if "POST" in rule.methods}
    tried = sorted(posts)[part::PARTS]
    acts = chosen(failing, tried)
    assert set(tried) - set(acts) == set(LEFT_OUT) & set(tried)
    for endpoint, act in acts.items():
        try:
            fired += fail_everywhere(failing, endpoint, act, sqlite3.SQLITE_IOERR, thorough=False)
        except Wrong as why:
            wrong.append((endpoint, *why.args))
        failing.put_back()
    assert not wrong, "\n".join(map(str, wrong))
    assert fired > 5 * len(acts)


def test_a_question_that_fails_after_its_effect_leaves_nothing_behind(failing: Failing) -> None:
    """Its statement would hold its connection to the database as it was then, and later writes be refused."""
    act = chosen(failing, ["seating.join"])["seating.join"]
    assert fail_everywhere(failing, "seating.join", act, sqlite3.SQLITE_BUSY, thorough=True) > 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", [sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL])
def test_so_it_is_for_whatever_reason_and_after_every_call(failing: Failing, kind: int) -> None:
    wrong = []
    for endpoint, act in chosen(failing, failing.acts).items():
        try:
            fail_everywhere(failing, endpoint, act, kind, thorough=True)
        except Wrong as why:
            wrong.append((endpoint, *why.args))
        failing.put_back()
    assert not wrong, "\n".join(map(str, wrong))


def fail_everywhere(failing: Failing, endpoint: str, act: Act, kind: int, thorough: bool) -> int:
    """Let the first call fail, then the second, and so on until none does; how often one failed."""
    with PLAN.failing():
        _, clean = act.sent()
        calls = PLAN.calls
    must(clean.status < 400, "refused", clean.status, clean.words[:200])
    done = failing.counted()
    failing.put_back()
    fired = 0
    for at in range(1, MOST):
        # Within a transaction it is all one whether a statement fails before or after its effect.
        ends = at <= len(calls) and calls[at - 1] == "COMMIT"
        for after in (False, True) if thorough or ends else (False,):
            before = failing.version()
            with PLAN.failing(at, after, kind):
                tab, answer = act.sent()
                failed = PLAN.failed
            if not failed:  # nothing is left of what has failed before, in this process either
                must(answer.status == clean.status, "afterwards", answer.status, answer.words[:200])
                must(not difference(failing.counted(), done), "afterwards")
                return fired
            fired += 1
            where = f"call {at} ({failed[:50]}){' after its effect' if after else ''}"
            must_be_proper(answer, where, first=fired == 1)
            if failing.version() != before:
                must_be_all(failing, answer, done, where, endpoint in STEPS)
                once_more(failing, endpoint, act, tab, clean, done, where)
                failing.put_back()
    raise Wrong("it never ends")


def must_be_proper(answer: Page, where: str, first: bool) -> None:
    """An answer to the form, or a page that says that it failed and what became of it."""
    must(answer.status in (200, 204, 303, 500, 503), where, answer.status)
    if answer.status >= 500:
        must(answer.headers["Content-Type"].startswith("text/html"), where, answer.headers["Content-Type"])
        must(any(each in answer.words for each in FAILED), where, answer.words[:200])
        must(any(each in answer.words for each in (*DONE, *NOT_DONE, UNKNOWN)), where, answer.words)
        if first:  # they are all alike
            must_be_sound(answer)


def must_be_all(failing: Failing, answer: Page, done: dict[str, int], where: str, in_steps: bool) -> None:
    """Something is kept: then all is, or at least a step of it; and the page does not deny it."""
    rows = failing.house.kept()
    if failing.lasting(rows) == failing.lasting(failing.before):
        return
    missing = difference(failing.counted(), done)
    must(in_steps or not missing, where, "half done", missing)
    must(not any(each in answer.words for each in NOT_DONE), where, "it was done", answer.words[:200])


def once_more(
    failing: Failing, endpoint: str, act: Act, tab: Local, clean: Page, done: dict[str, int], where: str
) -> None:
    """The same form, from the same tab: done now, or it is said that it was."""
    _, again = act.sent(tab)
    refused = endpoint in GONE and 400 <= again.status < 500
    must(refused or again.status == clean.status, where, "once more", again.status, again.words[:300])
    missing = difference(failing.counted(), done)
    if endpoint in ENDS_LINKS_AGAIN:
        missing.pop("revisions", None)
    must(not missing, where, "once more", missing)


def difference(before: dict[str, int], done: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What is otherwise than if nothing had failed: how many there are, and how many there should be."""
    kinds = set(done) - OF_THE_BROWSER
    return {kind: (before[kind], done[kind]) for kind in kinds if before[kind] != done[kind]}
