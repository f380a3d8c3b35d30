"""Whole games, from the landing page to the result and on to the next, without JavaScript."""

import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from strifebarge.rules.notation import write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.browser.conftest import Gather, People
from tests.browser.party import (
    MOVES,
    PLAYABLE,
    Choose,
    Lookouts,
    Party,
    at_random,
    look_again,
    over,
    to_move,
    typed,
)
from tests.support.browser import DESKTOP, PHONE, Person
from tests.support.servers import Site
from tests.support.short import short_game

RULES = {title.slug: title.rules for title in Library()}
TITLES = {title.slug: title.title for title in Library()}
SEATS = {title.slug: usual_seats(title.rules) for title in Library()}
LONG = 6  # moves after which they give up, where the players only press what they may


class Variant(NamedTuple):
    """A game to be played to its own end, and who plays it how."""

    slug: str
    friends: int
    options: dict[str, str]
    choosing: Callable[[Random], Choose]


@pytest.fixture
def person(people_of: Gather, dealt: Site) -> People:
    """Makes people where each game's chance is known."""
    return people_of(dealt)


def chooser(slug: str) -> Callable[[Random], Choose]:
    """The short game that is known for this chance, by its buttons."""

    def choosing(_: Random) -> Choose:
        coming = iter(short_game(RULES[slug]))

        def choose(person: Person) -> None:
            words = write(next(coming).action)
            person.press(person.page.locator(f'{MOVES} button[name=move][value="{words}"]'))

        return choose

    return choosing


def lookouts(chance: Random) -> Choose:
    return Lookouts(chance).choose


def cards_first(chance: Random) -> Choose:
    """A card where one can be played, and mostly then; else draw."""
    anything = at_random(chance)

    def choose(person: Person) -> None:
        cards = person.page.locator(f"{PLAYABLE}:not([value=draw])")
        if cards.count() and chance.random() < 0.95:
            person.press(cards.nth(chance.randrange(cards.count())))
        else:
            anything(person)

    return choose


VARIANTS = {
    "strifebarge": Variant("strifebarge", 2, {}, chooser("strifebarge")),
    "strifebarge-salvo": Variant("strifebarge", 3, {"salvo": "true"}, lookouts),
    "eights": Variant("eights", 2, {}, chooser("eights")),
    "eights-by-hand": Variant("eights", 2, {"draw": "by_hand"}, cards_first),
    "chess-scholars-mate": Variant(
        "chess", 2, {}, lambda _: typed(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"])
    ),
    "rps-best-of-3": Variant("rps", 2, {"best_of": "3"}, at_random),
    "startups": Variant("startups", 3, {"running": "true"}, at_random),
}

QUICK = {"strifebarge", "eights", "rps-best-of-3"}


# -- whole games --------------------------------------------------------------------


@pytest.mark.parametrize("slug", TITLES)
def test_every_game_is_begun_in_one_click_each_and_can_be_given_up(person, slug):
    party = friends(person, SEATS[slug])
    party.start(TITLES[slug])
    party.join()
    assert [friend.clicks for friend in party.friends] == [1] * SEATS[slug]
    party.play(at_random(Random(slug)), LONG)
    party.give_up()
    must_be_over(party)
    must_be_looked_back_on(party)
    party.play_again()
    must_have_begun(party)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(variant, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for name, variant in VARIANTS.items()
    ],
)
def test_a_game_is_played_to_its_own_end_by_links_and_forms_alone(person, variant):
    party = friends(person, variant.friends)
    watcher = person()
    party.start(TITLES[variant.slug], variant.friends if variant.friends > 2 else None, **variant.options)
    party.join()
    watcher.open(party.link)
    assert not watcher.see(PLAYABLE)
    party.play(variant.choosing(Random(variant.slug)))
    look_again(watcher)
    for each in (*party.friends, watcher):
        assert over(each), each.read("#turn")
        assert each.see("text=the seed")
        must_be_revealed(each, variant)
    must_be_over(party)
    must_be_looked_back_on(party)
    party.play_again()
    must_have_begun(party)


def friends(person: People, number: int) -> Party:
    """Who plays on a phone, and who at a desk, by turns; each page is seen by both."""
    return Party([person(size=(PHONE, DESKTOP)[each % 2]) for each in range(number)])


def must_be_over(party: Party) -> None:
    """All see the same result; and again who reloads."""
    party.host.reload()
    sentences = set()
    for friend in party.friends:
        assert over(friend), friend.read("#turn")
        assert friend.read("#turn").startswith("Game over.")
        sentences.add(result(friend))
    assert len(sentences) == 1, sentences


def result(person: Person) -> str:
    """Who won, by name; the winner's own page says it with "You", and has the name among the places."""
    heading = person.read("section.result h2")
    if heading != "You won!":
        return heading
    assert person.read("#turn").endswith("You won!")
    own = person.page.locator("section.result .places tbody tr").first
    assert "(you)" in own.inner_text()
    return f"{own.locator('bdi').inner_text()} won."


def must_be_revealed(person: Person, variant: Variant) -> None:
    """What was hidden in play lies open at the end."""
    match variant.slug:
        case "strifebarge":
            assert person.page.locator("svg.ship").count() == 3 * variant.friends
        case "eights":
            assert person.page.locator(".rivals .fan .back").count() == 0
        case "rps":
            assert person.page.locator(".duel li").count() == 2
        case "startups":
            assert person.page.locator(".sheet tbody tr").count() == 7
            under = person.page.get_by_text("under it:").count()
            assert under == person.page.locator(".stages .done").count()


def must_be_looked_back_on(party: Party) -> None:
    """From the first position to the last and back, and the whole log."""
    reader = party.host
    reader.follow("Replay from the start")
    last = int(re.search(r"of (\d+)", reader.read("#turn")).group(1))
    assert last
    for link, number in ("Next", 1), ("Last", last), ("Previous", last - 1), ("First", 0):
        if number != place(reader):
            reader.follow(link)
        assert place(reader) == number
        assert reader.see("#board")
    reader.follow("Back to the game")
    reader.follow("Full log")
    assert reader.see("ul.log li")
    reader.follow("Back to the game")


def place(person: Person) -> int:
    """The number of the position that is looked at."""
    return int(re.search(r"Move (\d+) of", person.read("#turn")).group(1))


def must_have_begun(party: Party) -> None:
    assert any(map(to_move, party.friends))
    for friend in party.friends:
        assert friend.see("#board")
        assert not over(friend)
