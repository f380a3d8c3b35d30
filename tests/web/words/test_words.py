"""Everything is said in the reader's language, and nothing was forgotten."""

import re
import sys
from collections.abc import Callable, Iterator
from gettext import GNUTranslations
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import polib
import pytest
from flask import Flask

import games
from strifebarge.app import create_app
from strifebarge.rules.text import pieces
from strifebarge.settings import Settings
from strifebarge.settings.check import LOCALE
from strifebarge.starter import new_game
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.ports import Busy
from strifebarge.web.words.languages import Language
from tests.support.sentences import ROOT, Sentence, catalogue_in, holes, of_a_game, of_the_site
from tests.support.visitor import Local, Page
from tests.web.house import copied
from tests.web.visits import some_pages

LIBRARY = Library()
OURS = [title.slug for title in LIBRARY if title.folder.parent == Path(games.__path__[0])]
IN_GERMAN = [slug for slug in OURS if (LIBRARY[slug].folder / "de.po").is_file()]
GERMAN = {"Accept_Language": "de-AT,de;q=0.9,en;q=0.5"}


# -- the German catalogues are whole --------------------------------------------------


def catalogues() -> list[Any]:
    site = pytest.param(LOCALE / "de.po", of_the_site, id="site")
    of_games = [
        pytest.param(
            LIBRARY[slug].folder / "de.po",
            lambda slug=slug: of_a_game(LIBRARY[slug]),
            id=slug,
        )
        for slug in IN_GERMAN
    ]
    return [site, *of_games]


@pytest.mark.parametrize(("path", "sentences"), catalogues())
def test_every_sentence_has_its_german_and_no_german_is_left_over(
    path: Path, sentences: Callable[[], set[Sentence]]
) -> None:
    german = {entry.msgid for entry in catalogue_in(path) if not entry.obsolete}
    texts = {each.text for each in sentences()}
    assert texts - german == set(), "not translated"
    assert german - texts - {"{whole}.{part}"} == set(), "said nowhere"


@pytest.mark.parametrize(("path", "sentences"), catalogues())
def test_each_german_sentence_is_sure_and_has_the_holes_of_the_english_one(
    path: Path, sentences: Callable[[], set[Sentence]]
) -> None:
    plurals = {each.text: each.plural for each in sentences()}
    for entry in catalogue_in(path):
        forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        assert not entry.fuzzy, entry.msgid
        assert entry.msgid_plural == plurals.get(entry.msgid, ""), entry.msgid
        assert len(forms) == (2 if entry.msgid_plural else 1)
        for n, form in enumerate(forms, 1):
            assert form.strip(), entry.msgid
            assert not set('<>"') & set(form), "templates put it into attributes as it is"
            wanted = holes(entry.msgid) | holes(entry.msgid_plural)
            of_one = wanted - {"num"} if len(forms) > n == 1 else wanted  # "ein" in place of 1
            assert holes(form) in (wanted, of_one), entry.msgid


# Endings of a genitive, which is another for "Hans" and for "Bot (leicht)"; and what asks for a dative, which
# the words for a time are not in.
ENDING = re.compile(r"\|s\b|\}s\b|\)ss\b")
DATIVE = re.compile(r"\b(nach|seit|vor|von|in) (\{(time|long)\}|%\(time\)s)")


@pytest.mark.parametrize(("path", "sentences"), catalogues())
def test_german_fits_every_name_and_every_time(path: Path, sentences: Callable[[], set[Sentence]]) -> None:
    forms = [form for entry in catalogue_in(path) for form in [entry.msgstr, *entry.msgstr_plural.values()]]
    assert [form for form in forms if ENDING.search(form) or DATIVE.search(form)] == []


def test_a_catalogue_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(str(path))} is missing$"):
        catalogue_in(path)
    path.write_text("nonsense")
    with pytest.raises(OSError, match=f"^Syntax error in po file {re.escape(str(path))} "):
        catalogue_in(path)


@pytest.mark.parametrize("slug", IN_GERMAN)
def test_every_game_of_ours_has_its_rules_in_german(slug: str) -> None:
    tongue, rules = LIBRARY[slug].about_in("de")
    headings = [rules.count("\n## "), LIBRARY[slug].about.count("\n## ")]
    assert tongue == "de"
    assert headings[0] == headings[1] > 0


# -- which language a page is in --------------------------------------------------------


@pytest.fixture
def make_app(migrated: Path, tmp_path: Path) -> Callable[..., Flask]:
    """A site with settings of the test's own."""

    def make(**settings: Any) -> Flask:
        url = copied(migrated, tmp_path)
        return create_app(
            Settings(data=tmp_path, database_url=url, secret_keys=("k" * 32,), limit_create=99, **settings)
        )

    return make


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app()


def tongue(page: Page) -> str:
    match = re.search(r'<html lang="([\w-]+)" dir="(\w+)"', page.text)
    assert match, page.text[:100]
    return f"{match[1]} {match[2]}"


class German(Local):
    """Somebody whose browser asks for German."""

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Page:
        return super().request(method, path, body, **GERMAN, **headers)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.5", "de"),
        ("fr", "en"),
        ("*", "en"),
        ("", "en"),
        ("de;q=0", "en"),
        (";;q=,,\x7f", "en"),
    ],
)
def test_a_page_is_in_the_language_the_browser_asks_for_if_the_site_speaks_it(app, header, language):
    page = Local(app).get("/", Accept_Language=header)
    assert tongue(page) == f"{language} ltr"


@pytest.mark.parametrize(
    ("setting", "language"), [("de", "de"), ("de-AT", "de"), ("en", "en"), ("fr", "en"), ("fr-CA", "en")]
)
def test_a_browser_that_asks_for_nothing_spoken_here_gets_the_language_of_the_setting(
    make_app, setting, language
):
    site = make_app(language=setting)
    assert tongue(Local(site).get("/", Accept_Language="fi")) == f"{language} ltr"
    assert tongue(Local(site).get("/")) == f"{language} ltr"
    assert tongue(Local(site).get("/", Accept_Language="en")) == "en ltr"


def test_the_language_chosen_in_a_browser_goes_before_what_it_asks_for(app):
    visitor = Local(app)
    page = visitor.get("/rules/rps")
    english, german = page.form("/prefer").buttons[-2:]
    assert [english.face, german.face] == ["English", "Deutsch"]
    answer = visitor.submit(page, "/prefer", german)
    assert (answer.status, answer.location) == (303, "/")
    assert tongue(visitor.get("/rules/rps", Accept_Language="en")) == "de ltr"
    visitor.submit(page, "/prefer", english)
    assert tongue(visitor.get("/", Accept_Language="de")) == "en ltr"


@pytest.mark.parametrize("wrong", ["xx", "", "../../etc/passwd", "de\r\nX-Evil: 1"])
def test_a_language_that_is_not_spoken_cannot_be_chosen(app, wrong):
    visitor = Local(app)
    visitor.post("/prefer/lang", [("lang", wrong), ("back", "/")])
    assert "lang" not in visitor.cookies
    visitor.cookies["lang"] = "xx"
    assert tongue(visitor.get("/", Accept_Language="de")) == "de ltr"


def test_a_page_anyone_may_keep_says_that_it_differs_by_language(app):
    table = begun(app, "rps")[2]
    watched = Local(app).get(table)
    assert watched.headers["Cache-Control"] == "public, max-age=1"
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", ", ".join(watched.headers.get_all("Vary"))))


# -- what is said in it -----------------------------------------------------------------


def begun(
    app: Flask, game: str, one: type[Local] = Local, other: type[Local] = Local, **options: str
) -> tuple[Local, Local, str]:
    """Two at a table where the game has begun, and its address."""
    ann, ben = one(app), other(app)
    table = ann.start(game, name="Ann", **options).table
    ben.join(table, "Ben")
    return ann, ben, table


def test_the_same_log_is_told_to_each_in_their_own_language(app):
    ann, ben, table = begun(app, "rps", German)
    ann.move(table, "throw rock")
    ben.move(table, "throw scissors")
    assert "Du zeigst Stein, Ben zeigt Schere." in ann.get(table).words
    assert "2 Stein schleift Schere. 2 Du hast die Runde gewonnen." in ann.get(f"{table}/log").words
    assert "Ann throws rock, you throw scissors." in ben.get(table).words
    assert "Zu Ende am" in ann.get(table).words


def test_a_secret_is_kept_in_german_too(app):
    ann, ben, table = begun(app, "eights", German, German, draw="by_hand")
    ann.move(table, "draw")
    moves = [
        re.findall(r"(?:Ann zieht|Du ziehst) ([^.]*)\.", each.get(table).words)[0] for each in (ann, ben)
    ]
    assert re.match("(Kreuz|Karo|Herz|Pik) ", moves[0])
    assert moves[1] == "eine Karte"


def test_a_refusal_is_told_in_german_with_its_arguments(app):
    ann, ben, table = begun(app, "strifebarge", German)
    page = ann.move(table, "fire ZZ9")
    assert (page.status, page.token) == (422, "strifebarge.no_such_square")
    assert "Ein Feld ZZ9 gibt es in diesem Meer nicht. Es reicht von A1 bis J10." in page.words
    assert "zu fire gehört 1 Wort" in ann.move(table, "fire A1 B2").words
    assert "„dance“ gibt es hier nicht" in ann.move(table, "dance").words
    page = ben.submit(ben.get(f"{table}/quit"), "/quit", how="free")
    assert page.status == 303
    page = German(app).post(f"{table}/turn", [("key", "0" * 32), ("asked", "0"), ("move", "fire A1")])
    assert (page.status, tongue(page)) == (403, "de ltr")
    assert "Du bist nicht an diesem Tisch." in page.words


def test_dates_and_numbers_are_written_as_the_language_does(app):
    from strifebarge.web.words.dates import instant
    from strifebarge.web.words.numbers import number

    for language, day, half in (
        ("en", "2 May 2026, 18:30 UTC", "2.5"),
        ("de", "2. Mai 2026, 18:30 Uhr UTC", "2,5"),
    ):
        with app.test_request_context(headers={"Accept-Language": language}):
            assert instant(1777746600.0).striptags() == day
            assert [number(2.5), number(3.0), number(-1)] == [half, "3", "-1"]


def test_an_error_page_is_in_the_readers_language_even_when_nobody_can_be_known(app, monkeypatch):
    def fail(*_: Any) -> None:
        raise Busy

    visitor = German(app)
    visitor.start("rps")
    monkeypatch.setattr(app.extensions["sessions"], "open", fail)
    busy = visitor.get("/")
    assert (busy.status, tongue(busy)) == (503, "de ltr")
    assert "Der Server ist überlastet." in busy.words
    monkeypatch.undo()
    for page, status, words in (
        (visitor.get("/nowhere"), 404, "Hier ist nichts"),
        (visitor.post("/about"), 405, "Diese Adresse lässt sich so nicht benutzen."),
        (visitor.post("/code", Sec_Fetch_Site="cross-site"), 403, "deshalb ist nichts passiert"),
        (visitor.post("/code", [("code", "x" * 70000)]), 413, "Das war zu viel für ein Formular."),
    ):
        assert (page.status, tongue(page)) == (status, "de ltr")
        assert words in page.words


def test_without_a_request_there_is_english(app):
    from strifebarge.web.words.languages import language

    with app.app_context():
        assert language().code == "en"


# -- games of others ----------------------------------------------------------------------


@pytest.fixture
def dropped_in(tmp_path: Path) -> Iterator[Path]:
    """A game's folder from elsewhere, which brings no words in other languages."""
    new_game("plain_heap", tmp_path)
    before = list(games.__path__)
    yield tmp_path
    games.__path__[:] = before
    for name in ("games.plain_heap.rules", "games.plain_heap"):
        sys.modules.pop(name, None)
    vars(games).pop("plain_heap", None)


def test_a_game_without_words_in_a_language_is_told_in_english_on_a_page_in_it(dropped_in, make_app):
    site = make_app(games=(dropped_in,))
    page = German(site).get("/rules/plain_heap")
    assert tongue(page) == "de ltr"
    assert "Take one, two or three stones" in page.words
    assert '<div lang="en" dir="ltr">' in page.text
    ann, _, table = begun(site, "plain_heap", German)
    assert "Du bist dran. Take some of the 15 stones." in ann.get(table).words


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_words_put_beside_a_games_rules_are_used_and_go_before_the_sites(dropped_in, make_app, encoding):
    (dropped_in / "plain_heap" / "de.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "Take some of the {left} stones."\nmsgstr "Nimm etwas von den {left} Steinen."\n\n'
        'msgid "Your turn."\nmsgstr "never"\n\nmsgid "Table"\nmsgstr "Haufen"\n',
        encoding=encoding,
    )
    (dropped_in / "plain_heap" / "about.de.md").write_text("Ein *Haufen* Steine.", encoding=encoding)
    site = make_app(games=(dropped_in,))
    ann, _, table = begun(site, "plain_heap", German)
    page = ann.get(table)
    assert "Du bist dran. Nimm etwas von den 15 Steinen." in page.words
    assert "Haufen" in page.words
    assert "Ein Haufen Steine." in German(site).get("/rules/plain_heap").words


# -- another script -------------------------------------------------------------------------

PSEUDO = "ar-XB"


def pseudo(text: str) -> str:
    """A sentence as a language would have it that is longer and written the other way: ⟦ecnetnes …⟧.

    Its arguments stay, and so do the words for those who may not know one.
    """
    turned = []
    for part in re.split(r"(%\(\w+\)s)", text):
        if part.startswith("%("):
            turned.append(part)
            continue
        for literal, name, otherwise in braced(part):
            turned.append(literal[::-1].replace("%", "").replace("{", "{{").replace("}", "}}"))
            if name is not None:
                turned.append(f"{{{name}:{otherwise}}}" if otherwise else f"{{{name}}}")
    return "⟦" + "".join(turned) + "·" * (len(text) * 2 // 5) + "⟧"


def braced(part: str) -> tuple[tuple[str, str | None, str], ...]:
    try:
        return pieces(part)
    except ValueError:
        return ((part, None, ""),)


def in_pseudo(sentences: set[Sentence]) -> polib.POFile:
    words = polib.POFile()
    words.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for each in sentences:
        if each.plural:
            forms = {0: pseudo(each.text), 1: pseudo(each.plural)}
            words.append(polib.POEntry(msgid=each.text, msgid_plural=each.plural, msgstr_plural=forms))
        else:
            words.append(polib.POEntry(msgid=each.text, msgstr=pseudo(each.text)))
    return words


class Turned(Local):
    """Somebody whose browser asks for the pseudo-language."""

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> Page:
        return super().request(method, path, body, Accept_Language=PSEUDO, **headers)


def catalogue(words: polib.POFile) -> GNUTranslations:
    return GNUTranslations(BytesIO(words.to_binary()))


@pytest.fixture(scope="module")
def turned_round(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """A site that speaks the pseudo-language too."""
    data = tmp_path_factory.mktemp("turned")
    app = create_app(
        Settings(data=data, database_url=copied(migrated, data), secret_keys=("k" * 32,), limit_create=99)
    )
    language = Language(PSEUDO, "⟦عربي⟧", "rtl", catalogue(in_pseudo(of_the_site())))
    for title in LIBRARY:
        language.add(title.slug, catalogue(in_pseudo(of_a_game(title))))
    app.extensions["languages"].by_code[PSEUDO] = language
    return app


class Texts(HTMLParser):
    """Every text on a page that is read or spoken, where it is not somebody's name, an address or a code."""

    OWN = {"bdi", "code", "script", "style", "title", "time"}
    SPOKEN = ("aria-label", "title", "alt", "placeholder")
    VOID = {"meta", "link", "input", "br", "use", "path", "img"}

    def __init__(self, page: str):
        super().__init__()
        self.read: list[str] = []
        self.spoken: list[str] = []
        self.within: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if not any(own for _, own in self.within):
            self.spoken += [has[name] for name in self.SPOKEN if name in has]
        if tag not in self.VOID:
            other_tongue = has.get("lang") not in (None, PSEUDO) or has.get("class") in ("brand", "attempt")
            self.within.append((tag, tag in self.OWN or other_tongue))

    def handle_endtag(self, tag: str) -> None:
        while self.within and any(name == tag for name, _ in self.within):
            if self.within.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if not any(own for _, own in self.within):
            self.read.append(data)


# Chess positions, time zones, flags, squares and cards as they are written, the addresses of the test's site,
# files' endings, `QR:`.
CODES = (
    r"(?:[KQRBNPkqrbnp1-8]+/){7}[KQRBNPkqrbnp1-8]+ [wb] [KQkq-]+|[A-Z][\w-]*(?:/[\w+-]+)+"
    r"|(?:-?[A-Z0-9]{4}){2,4}"
    r"|UTC|QR|PGN|SRE|Nf3|[NBRQK]?[a-h]?x?[a-h][1-8]|[A-Z]{1,2}\d*|\d+[CDHSJQKA]?"
)
NAMES = "Foxtrot|Golf|Juliett|Lima|Mike|Oscar|Sierra|India|Guest|Ann|Ben|Cleo|Dora"


def forgotten(page: Page) -> set[str]:
    """The English words that stand on a page outside of every ⟦…⟧."""
    texts = Texts(re.sub(r"^.*?<body", "<body", page.text, flags=re.S))
    # A sentence may go on beyond the tags round a name in it.
    left, several = "\0".join([*texts.spoken, *texts.read]), 1
    while several:
        left, several = re.subn("⟦[^⟦⟧]*⟧", "", left)
    left = re.sub(rf"https?://\S+|/g/\w+|\b({CODES}|{NAMES})\b", "", left)
    return {" ".join(text.split()) for text in left.split("\0") if re.search(r"[^\W\d_]{2}", text)}


def test_a_language_written_from_right_to_left_turns_every_page_and_no_english_is_left(turned_round):
    seen = 0
    for name, page in some_pages(turned_round, Turned):
        seen += 1
        assert page.status < 500, name
        assert tongue(page) == f"{PSEUDO} rtl", name
        assert forgotten(page) == set(), name
        assert "%(" not in page.text, name
        boards = re.findall(r'<table class="(?:sea|chess)[^>]*>', page.text)
        assert all('dir="ltr"' in board for board in boards), name
    assert seen > 60


def test_the_board_of_a_game_that_has_none_is_in_the_readers_language(turned_round, monkeypatch):
    title = turned_round.extensions["referee"].library["eights"]
    monkeypatch.setitem(vars(title), "board", "")
    texts = of_a_game(LIBRARY["eights"])
    names = *title.rules.__struct_fields__, "hand", "missed"
    fields = {name.replace("_", " ").capitalize() for name in names}
    language = turned_round.extensions["languages"].by_code[PSEUDO]
    words = in_pseudo(texts | {Sentence(each) for each in fields if each not in {one.text for one in texts}})
    monkeypatch.setitem(language.games, "eights", catalogue(words))
    language.games["eights"].add_fallback(language.site)
    ann, _, table = begun(turned_round, "eights", Turned, Turned)
    assert forgotten(ann.get(table)) == set()


def test_a_sentence_of_a_games_classes_is_text_and_not_html(app):
    from strifebarge.web.words.catalogue import game_words

    title: Title = LIBRARY["rps"]
    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert game_words("100 % <b>&", title) == "100 % &lt;b&gt;&amp;"
        assert game_words("", title) == ""


@pytest.mark.parametrize(
    "path",
    [
        *sorted((ROOT / "strifebarge" / "templates").rglob("*.html")),
        *(
            LIBRARY[slug].folder / name
            for slug in OURS
            for name in ("board.html", "cells.html", "text.html")
            if (LIBRARY[slug].folder / name).is_file()
        ),
    ],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_no_template_holds_words_that_are_not_in_a_catalogue(path: Path) -> None:
    markup = re.sub(r"\{% trans.*?endtrans %\}", "", path.read_text(encoding="utf-8"))
    markup = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", markup, flags=re.S)
    texts = Texts(re.sub(r"\{\{.*?\}\}", "0", markup, flags=re.S))
    bare = [re.sub(r"StrifeBarge|Nf3|&\w+;", "", text) for text in (*texts.read, *texts.spoken)]
    assert [text.strip() for text in bare if re.search(r"[^\W\d_]{2}", text)] == []
