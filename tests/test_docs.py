"""The documentation: it names all there is and nothing that is not, its links lead somewhere, its examples run."""

import doctest
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

import games
import strifebarge.rules
from strifebarge import create_app
from strifebarge.cli import main
from strifebarge.rules import Chance, Game, Ranking, Standard
from strifebarge.rules.match import Match
from strifebarge.rules.schema import every_options, seat_numbers
from strifebarge.rules.testing import Tabletop, random_choice, random_play
from strifebarge.rules.text import pack, tell
from strifebarge.settings import SETTINGS, Settings
from strifebarge.starter import new_game
from strifebarge.store.migrations import upgrade
from strifebarge.table.library import Library
from strifebarge.table.view import Line, Offer, Place, View
from tests.support.visitor import Local

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["README.md", "CHANGELOG.md", *(f"docs/{path.name}" for path in sorted(ROOT.glob("docs/*.md")))]
MADE_LATER = {"docs/picture.png", "benchmarks/RESULTS.md"}  # by `make screenshots` and `make benchmark`


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Example:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    @property
    def file(self) -> str:
        """`pig/rules.py`, where its first line says so."""
        if self.language not in ("python", "jinja"):
            return ""
        found = re.match(r"(?:# |\{# )(\w\S*\.\w+)(?: #\})?\n", self.text)
        return found[1] if found else ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line} {self.file}".strip()


def examples_of(page: str) -> Iterator[Example]:
    text = read(page)
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Example(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])


EXAMPLES = [example for page in PAGES for example in examples_of(page)]
FILES = [example for example in EXAMPLES if example.file]
GAMES = sorted({example.file.split("/")[0] for example in FILES if example.file.endswith("/rules.py")})
STARTED = "stones"  # the game in ten minutes, which the page shows in parts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """All that the pages have one write into a folder of games; gone from `games` afterwards."""
    folder = tmp_path_factory.mktemp("documented")
    new_game(STARTED, folder)
    for example in FILES:
        path = folder / example.file
        path.parent.mkdir(exist_ok=True)
        path.write_text(example.text, encoding="utf-8")
    before = list(games.__path__)
    yield folder
    games.__path__[:] = before
    for name in (STARTED, *GAMES):
        sys.modules.pop(f"games.{name}.rules", None)
        sys.modules.pop(f"games.{name}", None)
        vars(games).pop(name, None)


@pytest.fixture(scope="module")
def library(folder: Path) -> Library:
    return Library([folder])


# -- nothing is left out, and nothing made up ------------------------------------


def has_words(page: str, *words: str) -> list[str]:
    """Those of the words that a page does not name in code."""
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`|^```.*?^```", read(page), re.M | re.S))))
    return [word for word in words if word not in named]


def public(kind: type) -> list[str]:
    return [name for name in vars(kind) if not name.startswith("_")]


def test_every_word_of_the_vocabulary_is_explained_to_authors():
    assert has_words("docs/authors.md", *strifebarge.rules.__all__) == []


@pytest.mark.parametrize(
    "kind", [Game, *map(vars(strifebarge.rules).get, ["Chance", "Hidden", "Secret", "Ranking"])]
)
def test_every_method_and_field_of_a_class_is_explained_to_authors(kind):
    internal = {"content", "seen", "unseen", "items", "known", "insert", "drawn", "seed", "name"}
    assert has_words("docs/authors.md", *set(public(kind)) - internal) == []


def test_every_class_variable_of_a_game_is_in_the_table():
    said = [name for name, hint in inspect.get_annotations(Game).items() if "ClassVar" in str(hint)]
    assert [name for name in said if f"| `{name}` |" not in read("docs/authors.md")] == []


def test_every_helper_for_tests_is_explained_to_authors():
    parameters = list(inspect.signature(Tabletop).parameters)
    assert has_words("docs/authors.md", "Tabletop", "random_play", *public(Tabletop), *parameters) == []


def test_every_standard_refusal_is_in_the_table():
    rows = re.findall(r"^\| `(game\.\w+)` \(`(\w+)`\) \|", read("docs/authors.md"), re.M)
    assert rows == [(refusal.token, refusal.name) for refusal in Standard]


def test_what_boards_are_told_of_a_view_is_there():
    named = set(re.findall(r"`view\.(\w+)", read("docs/authors.md")))
    assert named
    assert named <= {*dir(View), *View.__struct_fields__}
    rows = re.findall(r"^\| `view\.(\w+)` \|.*each has (.*)\|$", read("docs/authors.md"), re.M)
    kinds = {"offers": Offer, "places": Place, "lines": Line}
    assert {name for name, _ in rows} == kinds.keys()
    for name, said in rows:
        assert set(re.findall(r"`\.(\w+)`", said)) <= set(dir(kinds[name]))


def test_every_macro_for_boards_is_shown():
    macros = re.findall(r"macro (\w+)", read("strifebarge/templates/pieces.html"))
    [example] = [each for each in FILES if each.file == "raid/board.html"]
    assert [macro for macro in macros if f"{macro}(" not in example.text] == []


def test_every_drawing_named_is_in_the_sprite():
    listed = read("docs/authors.md").partition("<!-- the sprite -->")[2].partition("<!-- so far -->")[0]
    drawn = re.findall(r'id="([^"]+)"', read("strifebarge/static/sprite.svg"))
    assert set(re.findall(r"`([^`]+)`", listed)) <= set(drawn)


def test_every_setting_is_in_the_hosts_table_with_its_default():
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", read("docs/hosting.md"), re.M)
    wanted = [(each.variable, each.meta.description, each.default) for each in SETTINGS]
    assert [
        (name, what, default.replace("`", "")) for name, what, default in rows if name.isupper()
    ] == wanted


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_setting_that_is_not_there(page):
    named = set(re.findall(r"STRIFEBARGE_[A-Z]+(?:_[A-Z]+)*", read(page)))
    assert {name for name in named if not name.startswith("STRIFEBARGE_TEST_")} <= {
        s.variable for s in SETTINGS
    }


def commands(group: click.Group = main, before: str = "strifebarge") -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before} {name}")
        else:
            yield f"{before} {name}"


def test_every_command_is_in_the_hosts_table():
    rows = re.findall(r"^\| `(strifebarge [a-z -]+?)(?: [A-Z]+)?` \|", read("docs/hosting.md"), re.M)
    assert sorted(rows) == sorted(commands())


def typed(page: str) -> list[str]:
    """The command lines of a page, in blocks and in sentences, without what is set before them."""
    blocks = "".join(each.text for each in examples_of(page) if each.language == "console")
    lines = re.findall(r"^[$#] (.*)$", blocks, re.M) + re.findall(r"`([^`\n]+)`", read(page))
    return [re.sub(r"^(?:[A-Z_]+=\S+ )*(?:\S+/)?", "", line) for line in lines]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_command_that_is_not_there(page):
    known = {command.split()[1] for command in commands()}
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.M))
    for line in typed(page):
        match line.split():
            case ["strifebarge", word, *_]:
                assert word in known, line
            case ["make", word, *_]:
                assert word in targets, line


# -- links --------------------------------------------------------------------------


def anchors(page: str) -> set[str]:
    """The headings of a page as their links are written."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", read(page), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$", "", read(page), flags=re.M | re.S)):
        if target.startswith(("https://", "http://")):
            continue
        path, _, heading = target.partition("#")
        found = (ROOT / page).parent / path if path else ROOT / page
        name = found.resolve().relative_to(ROOT).as_posix()
        assert found.exists() or name in MADE_LATER, target
        assert not heading or heading in anchors(name), target


@pytest.mark.parametrize("page", PAGES)
def test_every_file_of_the_house_that_is_named_is_there(page):
    named = re.findall(r"`((?:strifebarge|tests|games|docs|benchmarks|\.ci)/[\w./-]*)`", read(page))
    shown = {f"games/{example.file}" for example in FILES}
    assert [path for path in named if not (ROOT / path).exists() and path not in MADE_LATER | shown] == []


# -- examples ------------------------------------------------------------------------


def ids(examples: list[Example]) -> list[Any]:
    return [pytest.param(example, id=str(example)) for example in examples]


PARTS = [each for each in EXAMPLES if each.language == "python" and not each.file]


@pytest.mark.parametrize("example", ids(PARTS))
def test_what_is_shown_of_the_first_game_is_what_is_written(folder, example):
    assert example.text in (folder / STARTED / "rules.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(e.language == "pycon" for e in examples_of(page))]
)
def test_what_is_typed_gives_what_is_shown(library, page):
    names: dict[str, Any] = {}
    for example in examples_of(page):
        if example.language == "pycon":
            test = doctest.DocTestParser().get_doctest(example.text, names, str(example), page, example.line)
            told: list[str] = []
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            runner.run(test, out=told.append, clear_globs=False)
            assert not told, "".join(told)
            names = test.globs


@pytest.mark.parametrize("example", ids([each for each in EXAMPLES if each.language == "toml"]))
def test_what_is_toml_is_toml(example):
    tomllib.loads(example.text)


@pytest.mark.parametrize("name", [STARTED, *GAMES])
def test_a_documented_game_can_be_played_to_its_end(library, name):
    rules = library[name].rules
    numbers = seat_numbers(rules)
    for options in every_options(rules):
        if options.refuse():
            continue
        for seats in sorted({numbers[0], numbers[-1]}):
            for match in random_play(Match.new(rules, seats, "documented", options), Chance("play")):
                keeps_the_laws(match)
            ranks_everybody(match)


@pytest.mark.parametrize("name", [STARTED, *GAMES])
def test_anybody_may_leave_a_documented_game(library, name):
    rules = library[name].rules
    seats = seat_numbers(rules)[-1]
    for leaver in range(seats):
        match = Match.new(rules, seats, "documented")
        dice = Chance(f"until {leaver} leaves")
        for _ in range(dice.below(5)):
            seat = dice.choice(match.waiting_for())
            match.move(seat, random_choice(match, seat, dice))
        match.leave(leaver)
        for match in random_play(match, dice):
            keeps_the_laws(match)
        ranks_everybody(match)
        assert leaver in match.game.gone


def keeps_the_laws(match: Match) -> None:
    """It can be put away and taken up, and shown and told to everyone."""
    again = Match(match.rules, match.snapshot, match.ledger, match.pending)
    assert again.fingerprint() == match.fingerprint()
    told = match.told()
    for viewer in (None, *range(len(match.game.seats))):
        view = match.view(viewer)
        for seat in view.seats:
            pack(view.standing(seat))
        assert all(tell(line, viewer) for line in told)


def ranks_everybody(match: Match) -> None:
    assert match.result is not None
    assert sorted(sum(match.result.places, [])) == list(range(len(match.game.seats)))
    assert msgspec.json.decode(msgspec.json.encode(match.result), type=Ranking) == match.result


def test_the_tests_that_are_shown_pass(folder):
    shown = [example.file for example in FILES if "/test_" in example.file]
    assert shown
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--import-mode=importlib",
        "-p",
        "no:cacheprovider",
        *shown,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


# -- on the site -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    data = tmp_path_factory.mktemp("data")
    settings = Settings(
        data=data,
        secret_keys=("a key for tests alone",),
        games=(folder,),
        limit_create=9999,
        limit_codes=9999,
    )
    upgrade(settings.database_url)
    return create_app(settings)


@pytest.mark.parametrize("name", [STARTED, *GAMES])
def test_a_documented_game_is_on_the_site_and_can_be_played_there(library, site, name):
    title = library[name]
    numbers = seat_numbers(title.rules)
    people = [Local(site) for _ in range(numbers[0])]
    onlooker = Local(site)
    assert people[0].get(f"/rules/{name}").status == 200
    fewest = {"seats": str(numbers[0])} if len(numbers) > 1 else {}
    table = people[0].start(name, **fewest).table
    for person in people[1:]:
        person.join(table)
    dice = Chance(name)
    for _ in range(40):
        pages = [person.get(table) for person in (*people, onlooker)]
        assert [page.status for page in pages] == [200] * len(pages)
        turns = [n for n, page in enumerate(pages) if page.my_turn]
        if not turns:
            break
        mover = dice.choice(turns)
        moves = pages[mover].form("/turn").moves
        assert moves or title.has_board, "a page without a board lists all that may be done"
        if not moves:
            break
        assert people[mover].submit(pages[mover], "/turn", dice.choice(moves)).status == 303
    assert onlooker.get(f"{table}/at/1").status == 200


def test_the_first_game_ends_on_the_site_with_a_result(site, library):
    ann, ben = Local(site), Local(site)
    table = ann.start(STARTED, stones="4", seats="2").table
    ben.join(table)
    ann.move(table, "take 1")
    refused = ben.move(table, "take 9")
    assert (refused.status, refused.token) == (422, "game.malformed")
    ben.move(table, "take 3")
    assert "Took the last stone." in ann.get(table).words


def test_a_board_of_stones_offers_what_may_be_taken(site, library):
    ann, ben = Local(site), Local(site)
    table = ann.start(STARTED, stones="4", seats="2").table
    ben.join(table)
    ann.move(table, "take 2")
    greyed = {button.value: button.greyed for button in ben.get(table).form("/turn").buttons}
    assert greyed == {"take 1": False, "take 2": False, "take 3": True}


def test_a_refusal_of_options_is_told(site, library):
    page = Local(site).submit(Local(site).get("/new/toss"), "/new/toss", caller="winner", throws="1")
    assert (page.status, "nobody has won the last one" in page.words) == (422, True)
