"""A party of friends round a table, who go from the landing page to the result through links and forms alone.

They know no game: the player to move chooses among what the page offers.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Locator

from strifebarge.tables.library.library import Library
from tests.support.browser import Person
from tests.support.visitor import Remote

SLUGS = {title.title: title.slug for title in Library()}
MOVES = "form.moves-form"
PLAYABLE = f"{MOVES} button[name=move]:not([aria-disabled]):visible"  # and not folded away
PICKS = (
    f"{MOVES} a[href*='pick=']:not([href*='pick=#']):visible"  # that pick something up, to be put somewhere
)
FOLDED = f"{MOVES} details:not([open]):has(button[name=move]:not([aria-disabled])) > summary"  # round a move
SHOT = re.compile(r"\b(missed|hit|sank)\b.* at [A-Z]")  # a line of the log of StrifeBarge

START = "form.options button"  # on the page of options; with a script it says the name of the one who starts

Choose = Callable[[Person], None]
Pick = Callable[[Person, list[str]], str]  # one of the moves on offer


def with_friends(title: str) -> str:
    """What the button on the first page is called that starts a game at once."""
    return f"Play {title} with Friends"


def more_options(person: Person) -> None:
    person.page.locator(".more > summary").click()


class Party:
    """Friends at one table; the first has opened it."""

    def __init__(self, friends: Sequence[Person]) -> None:
        self.friends = list(friends)
        self.host = self.friends[0]
        self.link = ""
        self.newest = self.friends[-1]

    # -- sitting down ----------------------------------------------------------

    def start(self, title: str, seats: int | None = None, **options: str) -> None:
        """The host opens a table, in one click or with a look at the options."""
        self.host.open("/")
        if seats or options:
            self.host.follow(f"Options for {title}")
            more_options(self.host)
            if seats:
                self.host.page.get_by_label("Players", exact=True).select_option(str(seats))
            for name, value in options.items():
                self.host.page.locator(f"[name={name}]").select_option(value)
            self.host.press(self.host.page.locator(START))
        else:
            self.host.press(with_friends(title))
        self.link = self.host.page.get_by_label("Link", exact=True).input_value()

    def join(self) -> None:
        """The others open the link they were sent, and press the one button there."""
        for friend in self.friends[1:]:
            friend.open(self.link)
            friend.press(friend.page.locator(".join button"))

    def sit(self, title: str, seats: int | None = None, **options: str) -> "Party":
        """A game begun, and before everybody its page; their browsers see nothing of the way there."""
        quick = [visitor(friend) for friend in self.friends]
        if seats:
            options["seats"] = str(seats)
        table = quick[0].start(SLUGS[title], **options).table
        for each in quick[1:]:
            each.join(table)
        self.link = self.host.address + table
        for friend, each in zip(self.friends, quick, strict=True):
            cookies = each.cookies.items()
            friend.context.add_cookies(
                [{"name": name, "value": value, "url": friend.address} for name, value in cookies]
            )
            friend.open(table)
        return self

    # -- playing ---------------------------------------------------------------

    def play(self, choose: Choose, most: int = 400) -> None:
        """Each in turn, until the game is over or `most` moves are made."""
        for _ in range(most):
            mover = self.mover()
            if mover is None:
                return
            choose(mover)

    def hurry(self, pick: Pick, most: int = 400) -> None:
        """The same without their browsers, which see nothing of the way: by cookies and forms."""
        for _ in range(most):
            if not any(self._moves(friend, pick) for friend in self.friends):
                break
        for friend in self.friends:
            look_again(friend)

    def each_moves(self, pick: Pick) -> None:
        """Each whose turn it is moves once, without their browser, whose page is told."""
        for friend in self.friends:
            self._moves(friend, pick)

    def _moves(self, friend: Person, pick: Pick) -> bool:
        """Whether it was their turn, and they have moved."""
        quick = visitor(friend)
        page = quick.get(urlsplit(self.link).path)
        if page.my_turn:
            moves = page.form("/turn").moves or quick.get(f"{page.path}?view=text").form("/turn").moves
            shown = [button.value for button in moves]
            answer = quick.submit(page, "/turn", move=pick(friend, shown))
            assert answer.status == 303, answer.words
        return page.my_turn

    def mover(self) -> Person | None:
        """Whose turn it is, at a page that says so; None when it is nobody's.

        The page of the player who moved last, or came last, is the newest, and says whose turn it is now.
        """
        for number in self.due():
            friend = self.friends[number]
            if not to_move(friend):
                look_again(friend)
            assert to_move(friend), friend.read("#turn")
            self.newest = friend
            return friend
        for friend in self.friends:
            if friend is not self.newest:
                look_again(friend)
        return None

    def due(self) -> list[int]:
        """The numbers of the players who are to move."""
        seats = self.newest.page.locator(".seats li")
        return list(seats.evaluate_all("all => all.flatMap((li, i) => li.matches('.now') ? [i] : [])"))

    def give_up(self) -> None:
        """One after the other leaves for good, until the game is over."""
        for friend in self.friends:
            look_again(friend)
            if over(friend):
                break
            friend.follow("Leave …")
            friend.press("Leave for good")
        for friend in self.friends:
            look_again(friend)

    def play_again(self) -> None:
        """All want a rematch."""
        for friend in self.friends:
            look_again(friend)
            friend.press("To the rematch" if friend.see("text=To the rematch") else "Rematch")
        for friend in self.friends:
            look_again(friend)


def nobody(person: Person) -> Remote:
    """Somebody new at the same site, without a browser."""
    return Remote(urlsplit(person.address).port or 80)


def visitor(person: Person) -> Remote:
    """The same person, without their browser."""
    quick = nobody(person)
    quick.cookies = {each["name"]: each["value"] for each in person.context.cookies()}
    return quick


def unasked(people: Iterable[Person]) -> None:
    """They do not want to be asked once more before each move, where there are days for it."""
    for person in people:
        person.context.add_cookies([{"name": "sure", "value": "no", "url": person.address}])


def to_move(person: Person) -> bool:
    """Whether the page before them says that it is their turn."""
    return person.see("#turn.mine")


def over(person: Person) -> bool:
    return person.see("section.result")


def look_again(person: Person) -> None:
    """By the page's own link, where it has one; a page that renews itself might do so under the click."""
    if person.see("p.refresh") and not person.alive:
        person.follow("Refresh")
    else:
        person.reload()


# -- how to choose ------------------------------------------------------------------


def at_random(chance: Random) -> Choose:
    """Any button that may be pressed, perhaps after picking something up; or a form filled in."""

    def choose(person: Person) -> None:
        anything = f"{PLAYABLE}, {PICKS}"
        for step in range(20):  # who has picked something up puts it somewhere, if it can go anywhere
            ways = person.page.locator(PLAYABLE if step and person.see(PLAYABLE) else anything)
            number = ways.count()
            folded = person.page.locator(FOLDED)
            if not number and folded.count():
                folded.nth(chance.randrange(folded.count())).click()
                continue
            if not number:
                break
            way = ways.nth(chance.randrange(number))
            moves = way.evaluate("each => each.tagName === 'BUTTON'")
            person.press(way)
            if moves:
                return
        fill_in(person, person.page.locator(MOVES).first, chance)

    return choose


def unfold(person: Person) -> None:
    """Open the first sheet that holds a move, where no move is seen yet."""
    if not person.see(PLAYABLE):
        person.page.locator(FOLDED).first.click()


def any_of(chance: Random) -> Pick:
    return lambda _, moves: chance.choice(moves)


def typed(moves: Iterable[str]) -> Choose:
    """These, each typed into the field there is for that."""
    coming = iter(moves)

    def choose(person: Person) -> None:
        person.page.locator(f"{MOVES} input:not([type])").fill(next(coming))
        person.press(person.page.locator(f"{MOVES} button[name=do]"))

    return choose


def fill_in(person: Person, form: Locator, chance: Random) -> None:
    """A form of boxes to tick, as many as the sentence above says; and whatever else it has, at random."""
    for select in form.locator("select").all():
        values = select.evaluate("menu => [...menu.options].map(each => each.value)")
        select.select_option(chance.choice(values))
    boxes = person.values(f"{MOVES} input[type=checkbox]")
    tick(person, chance.sample(boxes, min(len(boxes), wanted(person))))
    person.press(form.locator("button:not([name=move])").first)


def wanted(person: Person) -> int:
    """How many the sentence that says what to do asks for."""
    digits = [word for word in person.read("#turn").split() if word.isdecimal()]
    return int(digits[0]) if digits else 1


def tick(person: Person, values: Sequence[str]) -> None:
    for value in values:
        person.page.locator(f'{MOVES} input[type=checkbox][value="{value}"]').check()


class Lookouts:
    """Captains of one sea who cheat, since by honest guesses a game takes a hundred shots.

    Nobody is offered a square where they lie themselves.  So what one captain is offered and another was not,
    the last time they looked, is a ship of the other's; the squares are found by looking over their shoulder.
    """

    def __init__(self, chance: Random, honest: float = 0.15) -> None:
        self.chance = chance
        self.honest = honest  # how often somebody just guesses
        self.offered: dict[Person, set[str]] = {}

    def choose(self, captain: Person) -> None:
        salvo = captain.values(f"{MOVES} input[type=checkbox]")
        shots = captain.values(PLAYABLE)
        squares = salvo or shots
        named = self.aim(captain, squares, wanted(captain) if salvo else 1)
        if salvo:
            tick(captain, named)
            captain.press(captain.page.get_by_role("button", name="Fire", exact=True))
        else:
            captain.press(captain.page.locator(f'{MOVES} button[value="{named[0]}"]'))

    def pick(self, captain: Person, shots: list[str]) -> str:
        [shot] = self.aim(captain, shots, 1)
        return shot

    def aim(self, captain: Person, squares: list[str], number: int) -> list[str]:
        others = [offered for other, offered in self.offered.items() if other is not captain]
        self.offered[captain] = set(squares)
        ships = [square for square in squares if any(square not in offered for offered in others)]
        targets = [] if self.chance.random() < self.honest else ships
        self.chance.shuffle(targets)
        rest = [square for square in squares if square not in targets]
        return [*targets, *self.chance.sample(rest, min(len(rest), number))][:number]
