"""The documentation: it names what there is and nothing else, its links lead somewhere, its examples run."""

import doctest
import inspect
import os
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
from flask import Flask

import games
import strifebarge.rules
from benchmarks import scaling
from strifebarge.app import create_app
from strifebarge.cli import main
from strifebarge.rules import Chance, Game, Hidden, Ranking, Secret, Standard
from strifebarge.rules.board import BoardView
from strifebarge.rules.match import Match
from strifebarge.rules.schema import every_options, seat_numbers
from strifebarge.rules.testing import Tabletop, random_choice, random_play
from strifebarge.rules.text import pack, tell
from strifebarge.settings import SETTINGS, Settings
from strifebarge.settings import read as read_settings
from strifebarge.starter import new_game
from strifebarge.store.migrations import upgrade
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.log import Line
from strifebarge.tables.view import Offer, SeatView, View
from strifebarge.web.site import host
from strifebarge.web.site.host_acts import ACTS
from tests.support import seeds
from tests.support.sentences import of_the_site
from tests.support.visitor import Local

ROOT = Path(__file__).resolve().parents[2]
FOR_AUTHORS = [f"docs/authors/{path.name}" for path in sorted(ROOT.glob("docs/authors/*.md"))]
FIRST = FOR_AUTHORS[0]
PAGES = [
    *("README.md", "CHANGELOG.md"),
    *(f"docs/{path.name}" for path in sorted(ROOT.glob("docs/*.md"))),
    *FOR_AUTHORS,
]
GENERATED = {"docs/picture.png", "benchmarks/RESULTS.md"}  # by `make screenshots` and `make benchmark`


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def authors_pages() -> str:
    """All pages for authors, one after the other."""
    return "\n".join(map(read, FOR_AUTHORS))


def prose_of(page: str) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    @property
    def file(self) -> str:
        """`pig/rules.py`, where its first line says so; else ""."""
        first_line = re.match(r"(?:# |\{# )(\w\S*\.\w+)(?: #\})?\n", self.text)
        return first_line[1] if first_line and self.language in ("python", "jinja") else ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line} {self.file}".strip()


def examples_of(page: str) -> Iterator[Example]:
    text = read(page)
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Example(page, text.count("\n", 0, match.start()) + 1, match[1], match[2])


EXAMPLES = [example for page in PAGES for example in examples_of(page)]
FILES = [example for example in EXAMPLES if example.file]
STARTED = "stones"  # the game in ten minutes, which its page shows in parts
CHANGE = f"# in {STARTED}/rules.py\n"  # begins what is to be put in the place of what begins alike
PARTS = [
    example
    for example in EXAMPLES
    if example.language == "python" and not example.file and not example.text.startswith(CHANGE)
]
GAMES = sorted({STARTED, *(each.file.split("/")[0] for each in FILES if each.file.endswith("/rules.py"))})


def by_place(examples: list[Example]) -> list[Any]:
    return [pytest.param(example, id=str(example)) for example in examples]


# -- nothing is left out, and nothing made up ------------------------------------


def unexplained(words: list[str]) -> list[str]:
    """Those of the words that the authors' pages do not name as code."""
    code = re.findall(r"`[^`\n]+`|^```.*?^```", authors_pages(), re.MULTILINE | re.DOTALL)
    return sorted(set(words) - set(re.findall(r"\w+", " ".join(code))))


def public(kind: type) -> list[str]:
    return [name for name in vars(kind) if not name.startswith("_")]


def test_every_word_of_the_vocabulary_is_explained_to_authors():
    assert unexplained(strifebarge.rules.__all__) == []


# What the framework alone has use for.
INTERNAL = {"content", "visible_to", "unseen", "items", "readers", "insert", "drawn", "seed", "name"}


@pytest.mark.parametrize("kind", [Game, Chance, Hidden, Secret, Ranking])
def test_every_method_and_field_of_a_class_is_explained_to_authors(kind):
    assert set(unexplained(public(kind))) <= INTERNAL


def test_every_class_variable_of_a_game_is_in_the_table():
    names = [name for name, hint in inspect.get_annotations(Game).items() if "ClassVar" in str(hint)]
    assert [name for name in names if f"| `{name}` |" not in authors_pages()] == []


def test_every_helper_for_tests_is_explained_to_authors():
    parameters = inspect.signature(Tabletop).parameters
    assert unexplained(["Tabletop", "random_play", *public(Tabletop), *parameters]) == []


def test_every_standard_refusal_is_in_the_table():
    rows = re.findall(r"^\| `(game\.\w+)` \(`(\w+)`\) \|", authors_pages(), re.MULTILINE)
    assert rows == [(refusal.token, refusal.name) for refusal in Standard]


def test_what_boards_are_told_of_a_view_is_there():
    page = authors_pages()
    named = set(re.findall(r"`view\.(\w+)", page))
    assert named
    assert named <= {*dir(View), *View.__struct_fields__}
    parts = dict(re.findall(r"^\| `view\.(\w+)` \|.*each has (.*)\|$", page, re.MULTILINE))
    kinds = {"offers": Offer, "places": SeatView, "lines": Line}
    assert parts.keys() == kinds.keys()
    for name, members in parts.items():
        assert set(re.findall(r"`\.(\w+)`", members)) <= set(dir(kinds[name]))


def test_every_part_of_what_a_board_py_is_given_is_explained_to_authors():
    assert unexplained(["BoardView", "SeenBoard", *public(BoardView)]) == []


def test_every_macro_for_boards_is_shown():
    macros = re.findall(r"macro (\w+)", read("strifebarge/templates/pieces.html"))
    [example] = [each for each in FILES if each.file == "raid/board.html"]
    assert [macro for macro in macros if f"{macro}(" not in example.text] == []


def test_every_drawing_named_is_in_the_sprite():
    listed = authors_pages().partition("<!-- the sprite -->")[2].partition("<!-- so far -->")[0]
    drawn = re.findall(r'id="([^"]+)"', read("strifebarge/static/sprite.svg"))
    assert listed
    assert set(re.findall(r"`([^`]+)`", listed)) <= set(drawn)


def test_the_page_about_scaling_shows_what_the_model_says():
    page = read("docs/scaling.md").splitlines()
    assert [line for line in page if line.startswith("|")] == [line for line in scaling.lines() if line]


def test_every_setting_is_in_the_hosts_table_with_its_default():
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", read("docs/hosting.md"), re.MULTILINE)
    wanted = [(each.variable, each.meta.description, each.default) for each in SETTINGS]
    assert [(name, what, default.replace("`", "")) for name, what, default in rows] == wanted


def test_the_settings_file_that_is_shown_to_hosts_can_be_used(tmp_path, monkeypatch):
    blocks = re.findall(r"^```toml\n(.*?)^```", read("docs/hosting.md"), re.MULTILINE | re.DOTALL)
    [shown] = [each for each in blocks if "games = " in each]
    assert {key for each in blocks for key in tomllib.loads(each)} <= {each.name for each in SETTINGS}
    for folder in tomllib.loads(shown)["games"]:
        shown = shown.replace(folder, str(tmp_path / folder.strip("/").replace("/", "-")))
        (tmp_path / folder.strip("/").replace("/", "-")).mkdir()
    (tmp_path / "strifebarge.toml").write_text(shown)
    monkeypatch.chdir(tmp_path)
    assert read_settings({}).settings == tmp_path / "strifebarge.toml"


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_setting_that_is_not_there(page):
    named = set(re.findall(r"STRIFEBARGE_[A-Z]+(?:_[A-Z]+)*", read(page)))
    assert named <= {*(each.variable for each in SETTINGS), seeds.VARIABLE}


def commands(group: click.Group = main, before: str = "strifebarge") -> dict[str, click.Command]:
    """Every command by its words."""
    by_name: dict[str, click.Command] = {}
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            by_name |= commands(command, f"{before} {name}")
        else:
            by_name[f"{before} {name}"] = command
    return by_name


def options_of(command: click.Command) -> list[str]:
    named = [each.opts for each in command.params if isinstance(each, click.Option)]
    return [name for names in named for name in names if name.startswith("--")]


def test_all_names_of_the_framework_are_promised_to_authors():
    promised = read("docs/stability.md").partition("says of them:")[2].partition("So are")[0]
    assert re.findall(r"`(\w+)`", promised) == sorted(strifebarge.rules.__all__)


def test_every_command_is_in_the_hosts_table_with_its_options():
    row = r"^\| `(strifebarge [a-z -]+?)(?: [A-Z]+)?` \| .* \| (.*?) ?\|$"
    rows = re.findall(row, read("docs/hosting.md"), re.MULTILINE)
    listed = [(name, re.findall(r"`(--[a-z-]+)`", options)) for name, options in rows]
    assert sorted(listed) == sorted((name, options_of(command)) for name, command in commands().items())


def test_every_address_of_the_hosts_page_is_in_its_table():
    page = read("docs/hosting.md").partition("### Host's page")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`/host.*?) \|", page, re.MULTILINE)
    listed = [address for row in rows for address in re.findall(r"`(/host[\w/-]*)`", row)]
    app = Flask("the host's page")
    app.register_blueprint(host.blueprint)
    there = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/host")}
    acts = {f"/host/do/{act}" for act in ACTS}
    assert sorted(listed) == sorted({*there, *acts} - {"/host/do/<what>"})


def typed(page: str) -> list[str]:
    """The command lines of a page, in blocks and in sentences, without what is set before them."""
    blocks = "".join(each.text for each in examples_of(page) if each.language == "console")
    lines = re.findall(r"^[$#] (.*)$", blocks, re.MULTILINE) + re.findall(r"`([^`\n]+)`", read(page))
    return [re.sub(r"^(?:[A-Z_]+=\S+ )*(?:\S+/)?", "", line) for line in lines]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_an_option_that_is_not_there(page):
    options = commands()
    for line in typed(page):
        words = line.split()
        name = max(
            (each for each in options if words[: len(each.split())] == each.split()), default="", key=len
        )
        if name:
            named = {word.partition("=")[0] for word in words if word.startswith("--")}
            assert named <= {*options_of(options[name]), "--help"}, line


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_command_that_is_not_there(page):
    names = {command.split()[1] for command in commands()}
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    for line in typed(page):
        match line.split():
            case ["strifebarge", word, *_]:
                assert word in names, line
            case ["make", word, *_]:
                assert word in targets, line


@pytest.mark.parametrize("page", PAGES)
def test_no_page_installs_a_release_before_there_is_one(page):
    assert not re.search(r"pipx? install [\"']?strifebarge", read(page))


@pytest.mark.parametrize("page", sorted({*PAGES} - {"CHANGELOG.md"}))
def test_what_is_named_in_italics_is_on_a_page_of_the_site(page):
    rules = "".join([rules_of_ours(), *(example.text for example in EXAMPLES)])
    titles = re.findall(r'^    title = "(.*)"', rules, re.MULTILINE)
    sentences = {sentence.text for sentence in of_the_site()} | {*titles, STARTED.capitalize()}
    named = re.findall(r"(?<![*\w])\*([A-Z][^*\n]*[^*.\n])\*(?![*\w])", prose_of(page))
    assert [name for name in named if not any(f"{each}:".startswith(f"{name}:") for each in sentences)] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_site_on_this_machine_is_named_with_the_port_at_which_it_listens(page):
    usual = str(Settings(data=Path()).port)
    assert {*re.findall(r"http://(?:localhost|127\.0\.0\.1|<this machine>):(\d+)", read(page))} <= {usual}


def rules_of_ours() -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("games/*/rules.py")))


def test_every_game_that_comes_with_the_site_is_named_on_the_first_page():
    titles = re.findall(r'^    title = "(.*)"', rules_of_ours(), re.MULTILINE)
    assert len(titles) == len([*ROOT.glob("games/*/rules.py")])
    assert [title for title in titles if title not in read("README.md")] == []


# -- links -------------------------------------------------------------------------


def anchors(page: str) -> set[str]:
    """The headings of a page as links to them are written."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    words = re.sub(r"`[^`\n]*`", "", prose_of(page))  # what is shown as code is no link
    for target in re.findall(r"\]\(([^)\s]+)\)", words):
        if target.startswith(("https://", "http://")):
            continue
        path, _, heading = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        name = file.resolve().relative_to(ROOT).as_posix()
        assert file.exists() or name in GENERATED, target
        assert not heading or heading in anchors(name), target


@pytest.mark.parametrize("page", PAGES)
def test_every_file_of_the_house_that_is_named_is_there(page):
    named = re.findall(r"`((?:strifebarge|tests|games|docs|benchmarks|\.ci)/[\w./-]*)`", read(page))
    shown = {f"games/{example.file}" for example in FILES}
    assert [path for path in named if not (ROOT / path).exists() and path not in GENERATED | shown] == []


DESIGN = "docs/design.md"


def shown_as_code(page: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", prose_of(page)))


def test_each_room_is_on_the_map():
    rooms = {path.parent for path in ROOT.glob("strifebarge/*/__init__.py")}
    rows = re.findall(r"^\| (`.+) \| .*\|$", read(DESIGN).partition("Imports go down")[0], re.MULTILINE)
    named = {room.split("/")[0] for row in rows for room in re.findall(r"`([\w/.]+)`", row)}
    assert {room.name for room in rooms} - named == set()


def test_each_file_and_folder_on_the_map_is_there():
    named = {each for each in shown_as_code(DESIGN) if re.fullmatch(r"[\w/]+/(?:\w+\.(?:py|js|po))?", each)}
    assert len(named) > 80
    assert [
        each for each in named if not ((ROOT / each).exists() or (ROOT / "strifebarge" / each).exists())
    ] == []


def test_each_name_of_the_code_on_the_map_is_there():
    files = [ROOT / "pyproject.toml", *ROOT.glob("strifebarge/**/*.py")]
    code = {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    code |= {part for path in files for part in path.name.split(".")}
    named = {each for each in shown_as_code(DESIGN) if re.fullmatch(r"[\w.]+", each)}
    assert [each for each in named if not set(each.split(".")) <= code] == []


def test_the_import_contracts_are_those_of_the_project():
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    page = read(DESIGN)
    table = page.partition("| contract |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w.*?) \|", table, re.MULTILINE) == [each["name"] for each in contracts]
    drawn = page.partition("```\n")[2].partition("```")[0].splitlines()
    assert drawn == [re.sub(r" [|:] ", ", ", layer) for layer in contracts[0]["layers"]]


# -- examples ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """All that the pages have one write into a folder of games; gone from `games` afterwards."""
    folder = tmp_path_factory.mktemp("documented")
    new_game(STARTED, folder)
    change(folder / STARTED / "rules.py")
    for example in FILES:
        path = folder / example.file
        path.parent.mkdir(exist_ok=True)
        path.write_text(example.text, encoding="utf-8")
    before = list(games.__path__)
    yield folder
    games.__path__[:] = before
    for name in GAMES:
        for module in [each for each in sys.modules if f"{each}.".startswith(f"games.{name}.")]:
            del sys.modules[module]
        vars(games).pop(name, None)


@pytest.fixture(scope="module")
def library(folder: Path) -> Library:
    return Library([folder])


def change(rules: Path) -> None:
    """Do with the first game's rules what its page asks for: put blocks where others begin alike."""
    lines = rules.read_text(encoding="utf-8").split("\n")
    for example in EXAMPLES:
        if example.text.startswith(CHANGE):
            block = example.text.removeprefix(CHANGE).rstrip("\n").split("\n")
            at = lines.index(block[0])
            deep = len(block[0]) - len(block[0].lstrip())
            end = next(n for n in range(at + 1, len(lines)) if len(lines[n]) - len(lines[n].lstrip()) <= deep)
            lines[at:end] = block
    rules.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("example", by_place(PARTS))
def test_what_is_shown_of_the_first_game_is_what_is_written(folder, example):
    assert example.text in (folder / STARTED / "rules.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", sorted({each.page for each in EXAMPLES if each.language == "pycon"}))
def test_what_is_typed_gives_what_is_shown(library, page):
    names: dict[str, Any] = {}
    lines: list[str] = []
    for example in examples_of(page):
        if example.language == "pycon":
            test = doctest.DocTestParser().get_doctest(example.text, names, str(example), page, example.line)
            doctest.DocTestRunner().run(test, out=lines.append, clear_globs=False)
            names = test.globs
    assert not lines, "".join(lines)


@pytest.mark.parametrize("example", by_place([each for each in EXAMPLES if each.language == "toml"]))
def test_what_is_toml_is_toml(example):
    tomllib.loads(example.text)


@pytest.mark.parametrize("name", GAMES)
def test_a_documented_game_can_be_played_to_its_end(library, name):
    rules = library[name].rules
    numbers = seat_numbers(rules)
    for options in filter(lambda options: not options.refuse(), every_options(rules)):
        for seats in sorted({numbers[0], numbers[-1]}):
            match = Match.new(rules, seats, "documented", options)
            play_on(match, Chance("play"))


@pytest.mark.parametrize("name", GAMES)
def test_anybody_may_leave_a_documented_game(library, name):
    rules = library[name].rules
    seats = seat_numbers(rules)[-1]
    for leaver in {0, seats - 1}:
        match = Match.new(rules, seats, "documented")
        dice = Chance(f"until {leaver} leaves")
        for _ in range(dice.below(5)):
            seat = dice.choice(match.waiting_for())
            match.move(seat, random_choice(match, seat, dice))
        match.leave(leaver)
        play_on(match, dice)
        assert leaver in match.game.gone


def play_on(match: Match, dice: Chance) -> None:
    """To the end at random: it can be put away, shown and told at every move, and ranks everybody."""
    for position in random_play(match, dice):
        can_be_put_away(position)
        can_be_shown_and_logged(position)
    assert match.result is not None
    assert msgspec.json.decode(msgspec.json.encode(match.result), type=Ranking) == match.result
    ranked = [seat for place in match.result.places for seat in place]
    assert sorted(ranked) == list(range(len(match.game.seats)))


def can_be_put_away(match: Match) -> None:
    again = Match(match.rules, match.snapshot, match.ledger, match.pending)
    assert again.fingerprint() == match.fingerprint()


def can_be_shown_and_logged(match: Match) -> None:
    log = match.take_log()
    for viewer in (None, *range(len(match.game.seats))):
        view = match.view(viewer)
        for seat in view.seats:
            pack(view.standing(seat))
        assert all(tell(line, viewer) for line in log if line.get("line") != "blank")


def test_the_tests_that_are_shown_pass(folder):
    shown = [example.file for example in FILES if "/test_" in example.file]
    assert shown
    options = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", *options, *shown]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


# -- on the site ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    settings = Settings(
        data=tmp_path_factory.mktemp("data"),
        secret_keys=("a key for tests alone",),
        games=(folder,),
        limit_create=9999,
    )
    upgrade(settings.database_url)
    return create_app(settings)


@pytest.mark.parametrize("name", GAMES)
def test_a_documented_game_is_on_the_site_and_can_be_played_there(library, site, name):
    """By its buttons, and in everybody's eyes."""
    title = library[name]
    numbers = seat_numbers(title.rules)
    people, spectator = [Local(site) for _ in range(numbers[0])], Local(site)
    assert spectator.get(f"/rules/{name}").status == 200
    table = people[0].start(name, **({"seats": str(numbers[0])} if len(numbers) > 1 else {})).table
    for person in people[1:]:
        person.join(table)
    dice = Chance(name)
    for _ in range(12):
        pages = [person.get(table) for person in (*people, spectator)]
        assert [page.status for page in pages] == [200] * len(pages)
        turns = [seat for seat, page in enumerate(pages) if page.my_turn]
        if not turns:
            break
        mover = dice.choice(turns)
        button = dice.choice(pages[mover].form("/turn").moves)
        assert people[mover].submit(pages[mover], "/turn", button).status == 303
    assert spectator.get(f"{table}/at/1").status == 200


def test_the_first_game_ends_on_the_site_with_a_result(site, library):
    ann, ben = Local(site), Local(site)
    table = ann.start(STARTED, stones="4", seats="2").table
    ben.join(table)
    ann.move(table, "take 1")
    refused = ben.move(table, "take 9")
    assert (refused.status, refused.token) == (422, "game.malformed")
    ben.move(table, "take 3")
    assert "Had to take the last stone." in ann.get(table).words


def test_the_first_board_offers_what_may_be_taken_and_greys_the_rest(site, library):
    ann, ben = Local(site), Local(site)
    table = ann.start(STARTED, stones="4", seats="2").table
    ben.join(table)
    ann.move(table, "take 2")
    greyed = {button.value: button.greyed for button in ben.get(table).form("/turn").buttons}
    assert greyed == {"take 1": False, "take 2": False, "take 3": True}


def test_a_board_that_is_a_form_is_filled_in(site, library):
    ann, ben = Local(site), Local(site)
    table = ann.start("guess", seats="2").table
    ben.join(table)
    wrong = ann.submit(ann.get(table), "/turn", do="guess", number="fifty")
    assert (wrong.status, wrong.token) == (422, "guess.no_number")
    assert ann.submit(wrong, "/turn", do="guess", number="50").status == 303
    assert "says 50" in ben.get(table).words


def test_a_game_is_told_in_words_of_its_own(site, library):
    ann, ben = Local(site), Local(site)
    table = ann.start("raid", seats="2").table
    ben.join(table)
    page = ann.get(f"{table}?view=text")
    assert "Your cards:" in page.words
    assert page.words.count("nobody knows") == 3
    assert ann.submit(page, "/turn", say="raid 0").status == 303
    answer = ann.get(f"{table}?say=hand").words.partition("You asked:")[2]
    assert " of " in answer.partition("Log")[0]
    assert "Your cards:" not in Local(site).get(f"{table}?view=text").words


def test_options_that_do_not_go_together_are_refused_with_the_reason(site, library):
    ann = Local(site)
    page = ann.submit(ann.get("/new/toss"), "/new/toss", caller="winner", throws="1")
    assert page.status == 422
    assert "nobody has won the last one" in page.words
