"""What a text browser makes of the boards: words keep apart, and a number is not read twice."""

import re
import subprocess

import pytest

from strifebarge.rules.notation import write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.conftest import need
from tests.support.servers import Site
from tests.support.short import short_game
from tests.support.terminal import find_w3m
from tests.support.visitor import Remote

RULES = {title.slug: title.rules for title in Library()}
MOVES = 30  # of the short game, or all but the last
NAMES = re.compile(r"StrifeBarge|SHA-256.*")
GLUED = re.compile(
    r"[a-zäöüß][A-ZÄÖÜ]"  # RockPaper
    r"|\b([MODFA])(?=[a-z])(?i:\1)"  # Mmarketing
    r"|\d[A-Za-zäöüß]{3}"  # 5Ben
    r"|\b(\d\d)\2 [a-z]"  # 1010 blocks
    r"|\b(\d+) ?[A-Z] ?\3 [a-z]"  # 2 M 2 marketing
)


def dumped(page: str, w3m: str) -> str:
    """Return the page as w3m prints it."""
    options = ["-dump", "-T", "text/html", "-cols", "200", "-I", "UTF-8", "-O", "UTF-8"]
    return subprocess.run(
        [w3m, *options], input=page, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout


def halfway(site: Site, slug: str, moves: int = MOVES) -> tuple[Remote, str]:
    """Return a player and the table of a game of which some moves, or all but the last, were played."""
    people = [Remote(site.port) for _ in range(usual_seats(RULES[slug]))]
    table = people[0].start(slug).table
    for person in people[1:]:
        person.join(table)
    for step in short_game(RULES[slug])[:-1][:moves]:
        assert people[step.seat].move(table, write(step.action)).status == 303
    return people[0], table


@pytest.mark.parametrize("slug", RULES)
def test_no_words_run_together_in_a_text_browser(dealt: Site, slug: str) -> None:
    w3m = need(find_w3m)
    person, table = halfway(dealt, slug)
    code = table.rpartition("/")[2]
    for query in ("", "?view=text"):
        words = NAMES.sub("", dumped(person.get(table + query).text, w3m)).replace(code, "")
        words = words.replace(RULES[slug].title, "")
        assert not [match[0] for match in GLUED.finditer(words)], words
