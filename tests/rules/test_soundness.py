"""What is wrong with a game is said when it is read, where its classes and its source show it."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import games
from strifebarge.rules import Action, Game, No, Options, Seat
from strifebarge.rules.schema import games_in
from strifebarge.rules.soundness import faults
from strifebarge.tables.library.library import Library, NotAGame

SOUND = '''
from strifebarge.rules import Action, Game, Next, Options, Seat


class Go(Action):
    """Go on."""


class Length(Options, frozen=True):
    rounds: int = 2


class Walker(Seat):
    steps: int = 0


class Walk(Game[Walker]):
    """A walk."""

    title = "Walk"
    questions = {"far": "How far?"}

    options: Length = Length()
    done: int = 0

    async def play(self) -> Next:
        for walker in self.round():
            await self.step(walker)
        self.done += 1
        return self.play if self.done < self.options.rounds else self.home

    async def step(self, walker: Walker) -> None:
        await self.ask(walker, "Go.", [Go()])
        await self.call("stumble", walker)

    def stumble(self, walker: Walker) -> None:
        walker.steps += self.chance.die()

    async def home(self) -> Next:
        if self.done > 9:
            self.go_on(self.play)
        return self.ranking(lambda walker: walker.steps)

    def far(self, you: Walker | None) -> list[str]:
        return []
'''

# What is changed in the sound game, and a part of what is said then.
FAULTY = {
    "no title": ('    title = "Walk"\n', "", "It has no title."),
    "players": ("    title =", "    players = 2\n    title =", "`players` is 2: a range"),
    "no players": ("    title =", "    players = range(0)\n    title =", "`players` is range(0, 0): a range"),
    "usual": ("    title =", "    usual = 3\n    title =", "`usual` is 3, and that many cannot play."),
    "late": ("    title =", '    late = "later"\n    title =', "`late` is 'later': one of move, pass, loss"),
    "version": (
        "    title =",
        '    version = "2"\n    title =',
        "`version` is '2': a number from 1 is wanted.",
    ),
    "no play": ("async def play(", "async def playing(", "It has no `play`."),
    "play": ("async def play(", "def play(self): ...\n    async def other(", "`play` is no `async def`."),
    "question": ("def far(", "def near(", "`questions` has “far”, and there is no method of that name."),
    "seat": (
        "    done: int",
        "    lead: Walker | None = None\n    done: int",
        "lead may hold a seat",
    ),
    "taken": (
        "class Go(",
        "class Leave(Action):\n    pass\n\n\nclass Go(",
        "written `leave`, as the site's",
    ),
    "twice": ("class Go(", "class GO(Action, tag='go'):\n    pass\n\n\nclass Go(", "`go`, as another, GO."),
    "a method": ("def stumble(", "def turns(", "Walk has `turns`, which is a name of the framework's"),
    "a field": ("done: int", "round: int = 0\n    done: int", "Walk has `round`, which is a name of the f"),
    "a constant": ("    title =", '    log = "oak"\n    title =', "Walk has `log`, which is a name of the f"),
    "a class variable": ("    title =", "    title: str =", "Walk has `title`, which is a name of the f"),
    "of a seat": ("steps: int = 0", 'number: str = ""', "Walker has `number`, which is a name of the f"),
    "of an option": ("rounds: int = 2", "refuse: int = 2", "Length has `refuse`, which is a name of the f"),
    "of an action": (
        '    """Go on."""',
        "    words: int = 0",
        "Go has `words`, which is a name of the framework's",
    ),
    "of a template": (
        "class Go(",
        "class offer(Action):\n    pass\n\n\nclass Go(",
        "The action offer needs a capital letter",
    ),
    "in a form": (
        '    """Go on."""',
        "    move: int = 0",
        "The action Go has a field `move`, which is in the way",
    ),
    "number": (
        "class Length(",
        "from strifebarge.rules import Refusal\n\n\nclass Why(Refusal):\n"
        '    TIRED = "You are tired.", 901\n\n\nclass Length(',
        "TIRED has the number 901, as game.not_your_turn has: choose another.",
    ),
    "option": (
        "rounds: int = 2",
        "rounds: int = 2\n    pace: int = 1",
        "The option `pace` could never be chosen",
    ),
    "default": (
        "rounds: int = 2",
        'rounds: int = "two"',
        "The option `rounds` begins as 'two', which nobody may choose: Expected `int`, got `str`.",
    ),
    "default out of bounds": (
        "class Length(Options, frozen=True):\n    rounds: int",
        "from typing import Annotated\nfrom msgspec import Meta\n\n\n"
        "class Length(Options, frozen=True):\n    rounds: Annotated[int, Meta(ge=3)]",
        "The option `rounds` begins as 2, which nobody may choose: Expected `int` >= 3.",
    ),
    "await ask": ("await self.ask(", "self.ask(", "In `step`, line 33: `self.ask(…)` needs an `await`."),
    "await assigned": (
        "await self.ask(walker",
        "went = self.ask(walker",
        "In `step`, line 33: `self.ask(…)` needs an `await`.",
    ),
    "await matched": (
        'await self.ask(walker, "Go.", [Go()])',
        'match self.ask(walker, "Go.", [Go()]):\n            case _: pass',
        "In `step`, line 33: `self.ask(…)` needs an `await`.",
    ),
    "await given to Python": (
        'await self.ask(walker, "Go.", [Go()])',
        'while isinstance(self.ask(walker, "Go.", [Go()]), Go): pass',
        "In `step`, line 33: `self.ask(…)` needs an `await`.",
    ),
    "await returned": (
        'await self.call("stumble", walker)',
        'return self.call("stumble", walker)',
        "In `step`, line 34: `self.call(…)` needs an `await`.",
    ),
    "ask in setup": (
        "    async def play(",
        '    def setup(self): self.ask(self.seats[0], "Go.", [Go()])\n\n    async def play(',
        "In `setup`, line 26: `setup` cannot ask: `self.ask(…)` belongs in `play`.",
    ),
    "await in setup": (
        "    async def play(",
        '    async def setup(self): await self.ask(self.seats[0], "Go.", [Go()])\n\n    async def play(',
        "In `setup`, line 26: `setup` is an `async def`, and it cannot ask: ask in `play`.",
    ),
    "own returned": (
        "else self.home",
        "else self.home()",
        "In `play`, line 30: `self.home()` needs an `await`; where it is the next stage, it is returned as "
        "`self.home`.",
    ),
    "own returned with what it is given": (
        'await self.call("stumble", walker)',
        "return self.step(walker)",
        "In `step`, line 34: `self.step(…)` needs an `await`.",
    ),
    "no field": (
        "done: int = 0",
        "done = 0",
        "In `play`, line 29: `self.done` is set, and would be forgotten: a field has a type, as in "
        "`done: int = 0`.",
    ),
    "await own": ("await self.step(", "self.step(", "In `play`, line 28: `self.step(…)` needs an `await`."),
    "call": ('"stumble"', '"tumble"', "In `step`, line 34: “tumble” is called, and there is no procedure"),
    "stage": (
        "else self.home",
        "else self.hame",
        "`play`, line 30: the next stage is `hame`, and there is no",
    ),
    "no stage": ("async def home", "def home", "the next stage is `home`, which is no `async def`"),
    "go on": (
        "go_on(self.play",
        "go_on(self.far",
        "`home`, line 41: the next stage is `far`, which",
    ),
}


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A function that writes the rules of a game, games/soundly_…, and gives the file."""
    before, names = list(games.__path__), list[str]()
    games.__path__.append(str(tmp_path))

    def write(text: str, name: str = "soundly_walk") -> Path:
        names.append(name)
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.py").write_text(text, encoding="utf-8")
        return tmp_path / name / "rules.py"

    yield write
    games.__path__[:] = before
    for name in names:
        for module in [each for each in sys.modules if f"{each}.".startswith(f"games.{name}.")]:
            del sys.modules[module]
        vars(games).pop(name, None)


def read(rules: Path) -> type[Game[Any]]:
    [rules_class] = games_in(import_module(f"games.{rules.parent.name}.rules"))
    return rules_class


def test_in_a_sound_game_nothing_is_wrong(written):
    assert faults(read(written(SOUND))) == ()


@pytest.mark.parametrize(
    "asking",
    [
        'await (self.ask(walker, "Go.", [Go()]) if self.done else self.call("stumble", walker))',
        'await self.compose(lambda each: self.ask(each, "Go.", [Go()]), of=[walker])',
        'await self.later(self.ask(walker, "Go.", [Go()]))',
        'def again(): return self.ask(walker, "Go.", [Go()])\n        await again()',
        'for each in [self.ask(walker, "Go.", [Go()])]: await each',
        "self._moment = 1",
    ],
)
def test_a_question_may_be_handed_on_to_be_awaited(written, asking):
    text = SOUND.replace('await self.ask(walker, "Go.", [Go()])', asking)
    assert text != SOUND
    assert faults(read(written(text))) == ()


@pytest.mark.parametrize(("was", "is_", "sentence"), FAULTY.values(), ids=FAULTY)
def test_what_is_wrong_is_said_in_a_sentence(written, was, is_, sentence):
    assert was in SOUND
    sentences = faults(read(written(SOUND.replace(was, is_, 1))))
    assert [fault for fault in sentences if sentence in fault], sentences


def test_a_library_does_not_take_a_game_in_which_something_is_wrong(written):
    written(SOUND.replace("await self.ask(", "self.ask("))
    with pytest.raises(NotAGame) as no:
        Library()
    assert str(no.value).endswith(
        "soundly_walk/rules.py: In `step`, line 33: `self.ask(…)` needs an `await`."
    )


def test_a_library_may_leave_a_broken_game_out_and_say_so(written):
    written(SOUND.replace("async def home(", "def home("))
    written("1 / 0", "soundly_broken")
    written(SOUND, "soundly_sound")
    sentences = list[str]()
    library = Library((), lambda fault: sentences.append(str(fault)))
    assert "soundly_sound" in library.titles
    assert not {"soundly_walk", "soundly_broken"} & library.titles.keys()
    broken = "rules.py cannot be read: ZeroDivisionError: division by zero (rules.py, line 1)"
    assert [each for each in sentences if each.endswith(broken)]
    assert [each for each in sentences if each.endswith("the next stage is `home`, which is no `async def`.")]


def test_an_emblem_is_a_drawing_of_the_site_or_of_the_game(written):
    rules = written(SOUND.replace("    title =", '    emblem = "cart"\n    title ='))
    with pytest.raises(NotAGame, match=r"rules\.py: `emblem` is 'cart': drawings\.svg has no such drawing"):
        Library()
    cart = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="cart" viewBox="0 0 9 9"/></svg>'
    (rules.parent / "drawings.svg").write_text(cart, encoding="utf-8")
    assert Library()["soundly_walk"].emblem == "cart"


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("board.py", "CELLS = 9", "board.py: `CELLS` is 9, and the site wants a dict by that name."),
        ("board.py", "CUES = []", "board.py: `CUES` is [], and the site wants a dict by that name."),
        ("board.py", "sheet = {}", "board.py: `sheet` is {}, and the site wants a function by that name."),
        (
            "picture.py",
            "picture = 1",
            "picture.py: `picture` is 1, and the site wants a function by that name.",
        ),
        (
            "board.html",
            '<p class="far{{ " near" if view.mine }} bar">',
            "board.html: `bar` is a class or id of the site's frame: begin yours with the game's name.",
        ),
        (
            "text.html",
            '{% call offer(Go(), class="tool") %}on{% endcall %}',
            "text.html: `tool` is a class or id of the site's frame: begin yours with the game's name.",
        ),
        (
            "cells.html",
            '<p id="board">',
            "cells.html: `board` is a class or id of the site's frame: begin yours with the game's name.",
        ),
        (
            "board.html",
            '<p id="name" class="name">',
            "board.html: `name` is a class or id of the site's frame: begin yours with the game's name.",
        ),
        (
            "text.html",
            '<p id="sayings">',
            "text.html: `sayings` is a class or id of the site's frame: begin yours with the game's name.",
        ),
    ],
)
def test_a_name_of_a_board_that_is_something_else_to_the_site_is_told(written, file, text, told):
    (written(SOUND).parent / file).write_text(text, encoding="utf-8")
    with pytest.raises(NotAGame) as no:
        Library()
    assert str(no.value).endswith(told)


def test_an_error_while_a_game_is_read_is_told_with_the_last_line_of_its_own(written):
    rules = written("from .cards import suit\n\nsuit()\n", "soundly_broken")
    (rules.parent / "cards.py").write_text("def suit():\n    return [][int('7')]\n", encoding="utf-8")
    with pytest.raises(NotAGame, match=r": IndexError: list index out of range \(cards\.py, line 2\)$"):
        Library()


def test_a_game_that_ends_the_program_while_it_is_read_is_left_out(written):
    written("import sys\n\nsys.exit(3)\n", "soundly_broken")
    with pytest.raises(NotAGame, match=r"cannot be read: SystemExit: 3 \(rules\.py, line 3\)$"):
        Library()


def test_a_game_that_is_not_read_from_a_file_is_looked_at_as_far_as_it_goes():
    class Lone(Game[Seat]):
        async def play(self) -> Any: ...

        def refuse(self, seat: Seat, action: Action) -> No:
            return None

    assert [fault for fault in faults(Lone) if "title" in fault] == ["It has no title."]
    assert Options().refuse() is None
