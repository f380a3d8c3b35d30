"""What can be measured of the look: weights, contrasts, and that nothing points into the void."""

import gzip
import re
from pathlib import Path

import pytest

from strifebarge.rules.pieces import Suit
from strifebarge.tables.model.table import LETTERS
from strifebarge.web.render.assets import SCRIPTS, SPACED, script, squeezed

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "strifebarge" / "static"
STYLES = sorted([*STATIC.glob("*.css"), *ROOT.glob("games/*/board.css")])
TEMPLATES = sorted(
    [
        *ROOT.glob("strifebarge/templates/**/*.html"),
        *ROOT.glob("games/*/board.html"),
        *ROOT.glob("games/*/cells.html"),
    ]
)
SPRITES = [STATIC / "sprite.svg", *ROOT.glob("games/*/drawings.svg")]
# What boards are made of has more of its own: it shows whatever a game may hold.
OF_BOARDS = {"board.html", "pieces.html", "plain.html"}
SITE_TEMPLATES = [
    path for path in TEMPLATES if path.is_relative_to(STATIC.parent) and path.name not in OF_BOARDS
]
DRAWINGS = {name for path in SPRITES for name in re.findall(r'<symbol id="([\w-]+)"', path.read_text())}

# All scripts as they are sent. Beside live.js some pages have one more, and no page has two; listener.js and
# worker.js are of no page.
SENT = {name: script(name).encode() for name in SCRIPTS}
SENT |= {path.name: squeezed(path.read_text()).encode() for path in STATIC.glob("*.js")}
OTHER = max((SENT[name] for name in {*SENT} - {"live.js", "listener.js", "worker.js"}), key=len)

# The most they may weigh in kilobytes, as they are and with gzip; of scripts those of one page.
WEIGHTS = {
    "style": ([(STATIC / "site.css").read_bytes()], 26.25, 7),
    "the stage": ([(STATIC / "stage.css").read_bytes()], 15.65, 4.3),
    "the moments": ([(STATIC / "moments.css").read_bytes()], 4, 1.5),
    "how to play": ([(STATIC / "how.css").read_bytes()], 2, 1),
    "on paper": ([(STATIC / "print.css").read_bytes()], 1.25, 0.7),
    "drawings": ([path.read_bytes() for path in SPRITES], 24, 7),
    "scripts": ([SENT["live.js"], OTHER], 43.2, 14.5),
    "the script of all pages of a browser": ([SENT["listener.js"]], 4, 2),
}

PACKED_WORSE = 1.05  # by another zlib than the one these were measured with
ALL_SCRIPTS = 20 * 1024  # bytes with gzip

# What stands on what: text needs 4.5 to 1, a mark 3 to 1.
TEXT = {
    "paper": "ink ink2 link visited magenta red green amber",
    "card": "ink ink2 link visited magenta red green navy",
    "sunk": "ink ink2 link",
    "deep": "ink magenta",
    "sea": "ink ink2 magenta",
    "shoal": "ink",
    "land": "ink",
    "foreshore": "ink",
    "turnbg": "ink ink2 magenta",
    "redbg": "ink red",
    "greenbg": "ink green",
    "amberbg": "ink amber",
    "navy": "onnavy",
    "navyhover": "onnavy",
    "magenta": "onmagenta",
    "red": "onred",
    "cardface": "suit-s suit-h suit-d suit-c",
}
MARKS = {
    "paper": "ctl navy",
    "card": "ctl",
    "sunk": "ctl",
    "deep": "ctl",
    "sea": "ctl magenta red navy",
    "shoal": "magenta red navy",
    "land": "navy",
    "hull": "ink",
}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def colours(night: bool) -> dict[str, str]:
    """The tokens by day, or those of the night over them."""
    css = (STATIC / "site.css").read_text()
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", css)
    day, by_system, chosen = (dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in blocks[:3])
    assert by_system == chosen, "the two nights differ"
    return day | chosen if night else day


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Of two colours: 1 where they are alike, 21 between black and white."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
@pytest.mark.parametrize(("grounds", "least"), [(TEXT, 4.5), (MARKS, 3)], ids=["text", "marks"])
def test_contrasts(night: bool, grounds: dict[str, str], least: float) -> None:
    tokens = colours(night)
    for ground, inks in grounds.items():
        for ink in inks.split():
            assert contrast(tokens[ink], tokens[ground]) >= least, f"{ink} on {ground}"


def test_what_skips_is_read_on_its_own_ground() -> None:
    [ink] = re.findall(r"\.skip, \.skip:visited \{ color: (#\w{6}); \}", (STATIC / "site.css").read_text())
    assert all(contrast(ink, colours(night)["focus"]) >= 4.5 for night in (False, True))


# What stands on the squares of chess, by day and by night the same: a piece, or a mark of two tones.
ON_SQUARES = [
    ".man.w",
    ".man.b",
    ".chess .last",
    ".chess .chk::before",
    ".chess .sel",
    ".chess i",
    ".chess .ring",
]


@pytest.mark.parametrize("selector", ON_SQUARES)
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_what_stands_on_a_chess_board_is_seen_on_every_square(selector: str, night: bool) -> None:
    """One of its tones against the square; or its two tones, which lie side by side, against each other."""
    css = (ROOT / "games" / "chess" / "board.css").read_text()
    [mark] = re.findall(r"--mark: (#\w{6})", css)
    rule = re.search(rf"^{re.escape(selector)} \{{(.*?)\}}", css, re.M | re.S)
    assert rule
    tones = {*re.findall(r"#\w{6}", rule[1].replace("var(--mark)", mark))}
    apart = max(contrast(one, other) for one in tones for other in tones)
    for square in ("sq1", "sq2"):
        best = max(contrast(tone, colours(night)[square]) for tone in tones)
        assert best >= 3 or apart >= 4.5, f"{selector} on {square}"


@pytest.mark.parametrize("kind", WEIGHTS)
def test_weights(kind: str) -> None:
    bodies, raw, sent = WEIGHTS[kind]
    assert sum(map(len, bodies)) <= raw * 1024
    packed = sum(len(gzip.compress(body)) for body in bodies)
    assert packed <= sent * 1024 * PACKED_WORSE


def test_all_scripts_together_are_sent_in_less_than_20_kilobytes() -> None:
    assert sum(len(gzip.compress(body)) for body in SENT.values()) <= ALL_SCRIPTS


def test_no_chapter_is_sent_in_two_scripts() -> None:
    chapters = [chapter for parts in SCRIPTS.values() for chapter in parts]
    assert sorted(chapters) == sorted({*chapters})


def test_no_page_has_two_scripts_beside_the_one_of_all_pages() -> None:
    loaded = [re.findall(r"asset\('(\w+)\.js'\)", path.read_text()) for path in TEMPLATES]
    assert {"live"} in map(set, loaded)
    assert all(len({*scripts} - {"live"}) <= 1 for scripts in loaded)


@pytest.mark.parametrize("path", sorted(STATIC.glob("**/*.js")), ids=name)
def test_no_string_of_a_script_loses_its_spaces(path: Path) -> None:
    strings = re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text())
    assert not [each for each in strings if SPACED.search(each)]


@pytest.mark.parametrize("path", STYLES, ids=name)
def test_sides_are_logical(path: Path) -> None:
    """Nothing is left or right, so that the pages can be turned round for other scripts."""
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    assert not re.findall(r"(?<![\w-])((margin|padding|border)-)?(left|right)\b[\w-]*\s*:", rules)


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_templates_style_nothing_inline_and_draw_what_there_is(path: Path) -> None:
    page = path.read_text()
    assert not re.search(r"<style|\sstyle=|<script(?! src=)|\son\w+=", page)
    drawn = set(re.findall(r'sprite\.svg"\) }}#([\w-]+)"|sprite\.svg\'\) }}#([\w-]+)"', page))
    named = set(re.findall(r'icon\("([\w-]+)"[,)]', page))
    assert {each for pair in drawn for each in pair if each} | named <= DRAWINGS


@pytest.mark.parametrize("path", SITE_TEMPLATES, ids=name)
def test_templates_of_the_site_compute_nothing(path: Path) -> None:
    assert not re.findall(
        r"{%-? *set\b|namespace\(|\|\s*(?:select|reject|map|groupby)(?:attr)?\b", path.read_text()
    )


def test_every_seat_has_its_flag_and_every_card_its_suit() -> None:
    flags = {f"f-{letter}" for letter in LETTERS}
    suits = {f"s-{suit.lower()}" for suit in Suit}
    assert flags | suits | {"f-none", "back"} <= DRAWINGS


ALIKE_BUT_FOR_SHAPE = [
    ["hit", "miss", "wreck", "aim"],
    [f"s-{suit.lower()}" for suit in Suit],
    [f"f-{letter}" for letter in LETTERS],
    ["destroyer", "cruiser", "carrier"],
    ["rps-rock", "rps-paper", "rps-scissors"],
    [f"c-{man}" for man in "pnbrqk"],
]


@pytest.mark.parametrize("drawings", ALIKE_BUT_FOR_SHAPE, ids=lambda drawings: drawings[0])
def test_without_colours_what_must_be_told_apart_still_has_shapes_of_its_own(drawings: list[str]) -> None:
    sprite = (STATIC / "sprite.svg").read_text()
    bodies = [re.search(rf'<symbol id="{each}"[^>]*>(.*?)</symbol>', sprite, re.S) for each in drawings]
    shapes = [tuple(re.findall(r' (?:d|cx|cy|r|x|y)="[^"]*"', body[1])) for body in bodies if body]
    assert len(shapes) == len(drawings) == len(set(shapes))
    assert all(shapes)


def test_what_moves_does_so_only_for_those_who_want_it() -> None:
    for path in STYLES:
        rules = path.read_text()
        calm = re.sub(
            r"@media \(prefers-reduced-motion: no-preference\)[^{]*\{.*?\n\}", "", rules, flags=re.S
        )
        assert not re.search(r"\b(animation|transition)[\w-]*\s*:|@keyframes", calm), path
