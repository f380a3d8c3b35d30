"""Every page: sound HTML, small, with the turn said first, and never changing anything by being looked at."""

import gzip
import re
from random import Random
from urllib.parse import urljoin

import pytest

from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.model.table import Status
from tests.support.visitor import Local, Page
from tests.web.house import House, Party
from tests.web.markup import after_heading, must_be_sound, name, parsed, text

KEY = re.compile(rb"[0-9a-f]{32}")


# -- the way to a game --------------------------------------------------------------------


def test_the_landing_page_starts_every_game_with_one_form_each(house: House) -> None:
    page = house.visitor().get("/")
    slugs = [title.slug for title in house.referee.library]
    first = sorted(slugs, key=lambda slug: slug != "strifebarge")  # in the order of their titles but for that
    assert [form.action for form in page.forms if form.action != "/prefer"] == [
        *(f"/new/{slug}" for slug in first),
        "/code",
    ]
    pictured = [title for title in house.referee.library if title.picture]
    assert page.text.count('<svg class="picture" ') == len(pictured)
    for title in house.referee.library:
        assert title.title in page.words
        assert f"/new/{title.slug}" in page.seen.links


def test_the_landing_page_and_an_invitation_are_small(house: House) -> None:
    landing = house.visitor().get("/")
    assert len(landing.body) <= 20 * 1024
    assert len(gzip.compress(landing.body)) <= 4 * 1024
    for game in house.referee.library:
        table = house.visitor().start(game.slug).table
        joining = house.visitor().get(table)
        assert len(joining.body) <= 12 * 1024, game.slug


def test_starting_is_one_press_that_leads_to_a_table_with_a_link_to_share(house: House) -> None:
    host = house.visitor()
    answer = host.submit(host.get("/"), "/new/rps")
    assert answer.status == 303
    table = host.follow(answer)
    assert re.fullmatch(r"/g/[0-9A-HJKMNP-TV-Z]{8}", table.path)
    assert table.seen.ids["link"]["value"] == f"http://localhost{table.path}"
    assert f"{table.code[:4]}-{table.code[4:]}" in table.words


def test_two_people_play_after_two_clicks(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.follow(host.submit(host.get("/"), "/new/rps")).table
    playing = guest.follow(guest.submit(guest.get(table), "/join"))
    assert playing.my_turn
    assert len(playing.form("/turn").moves) == 3


def test_whoever_was_nobody_before_is_told_how_to_keep_the_seat_until_they_wave_it_away(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="4").table
    stranger, player = house.visitor(), house.visitor()
    player.start("rps")
    page = stranger.join(table)
    assert "Your seat is saved in this browser only" in page.words
    assert "/me/code" in page.seen.links
    assert table in page.seen.links
    assert "Your seat is saved in this browser only" not in stranger.get(table).words
    assert "Your seat is saved in this browser only" not in player.join(table).words
    assert "Your seat is saved in this browser only" not in house.visitor().get(f"{table}?new=1").words


def test_a_public_address_is_what_links_begin_with(open_house: type[House]) -> None:
    house = open_house(public_url="https://games.example.org", secure=False)
    page = house.visitor().start("rps")
    assert page.seen.ids["link"]["value"] == f"https://games.example.org{page.table}"


@pytest.mark.parametrize("taken_off", [False, True])
def test_a_site_below_a_path_leads_nowhere_else(open_house: type[House], taken_off: bool) -> None:
    house = open_house(public_url="http://localhost/play", secure=False)
    ann, bob = house.visitor(), house.visitor()
    assert ann.get("/" if taken_off else "/play/").status == 200
    table = ann.start("chess").path
    assert table.startswith("/play/g/")
    bob.join(table)
    assert house.visitor().get(table.removeprefix("/play") if taken_off else table).status == 200
    mover = next(who for who in (ann, bob) if who.get(table).my_turn)
    moved = mover.move(table, "move e2e4")
    assert (moved.status, moved.location.startswith("/play/g/")) == (303, True)
    for path in ("/play/", "/play/games", "/play/rules", table):
        page = ann.get(path)
        assert page.status == 200
        addresses = re.findall(r'(?:href|src|action|formaction)="(/[^"]*)', page.text)
        assert addresses
        assert not [each for each in addresses if not each.startswith("/play/")]


# -- whose turn it is ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def scenes(house: House) -> dict[str, Party]:
    """Tables that these tests only look at."""
    return house.scenes()


def test_on_every_table_the_turn_is_the_first_thing_said_after_the_heading(scenes: dict[str, Party]) -> None:
    for scene, party in scenes.items():
        for viewer, who in party.viewers.items():
            bar = after_heading(parsed(who.get(party.table)))
            assert bar.get("id") == "turn", (scene, viewer)
            assert bar.get("role") is None  # what is new is said in one place, by the script
            assert bar.find("strong") is not None


def test_in_english_the_pages_of_all_tables_are_ascii(house: House, scenes: dict[str, Party]) -> None:
    for scene, party in [*scenes.items(), *house.company().items()]:
        for viewer in (party.players[0], house.visitor()):
            for page in viewer.get(party.table), viewer.get(f"{party.table}?view=text"):
                assert re.findall(r".{20}[^\0-\x7f].{20}", page.text) == [], scene


def must_agree_on_the_turn(house: House, party: Party) -> None:
    """The bar, the title, the icon, the badge and the lists say what the table itself says."""
    table = house.referee.views.status(party.code)
    running = table.status is Status.PLAYING
    for who in [*party.players, house.visitor()]:
        page = who.get(party.table)
        seat = party.players.index(who) if who in party.players else None
        mine = running and seat in table.position.waiting
        title = text(parsed(page).find("head/title"))
        [icon] = re.findall('<link rel="icon"[^>]* href="([^"]*)"', page.text)
        badge = re.findall(r'<span class="badge">(\d+)<', page.text)
        listed = page.text.partition('<ul class="seats">')[2].partition("</ul>")[0]
        marked = [n for n, line in enumerate(listed.split("<li")[1:]) if line.startswith(' class="now"')]
        assert page.my_turn == mine
        assert title.startswith("● Your turn – ") == mine, title
        assert ("favicon-turn" in icon) == mine
        assert badge == (["1"] if mine else [])
        assert marked == (table.position.waiting if running else [])
        if mine:
            assert page.has_form("/turn")


@pytest.mark.parametrize(
    ("game", "seats", "seed"), [("eights", 3, 1), ("eights", 2, 2), ("rps", 2, 3), ("strifebarge", 3, 4)]
)
def test_bar_title_icon_and_badge_agree_with_the_table_all_through_a_game(
    house: House, game: str, seats: int, seed: int
) -> None:
    agree_all_through(house, game, seats, Random(seed))


@pytest.mark.slow
def test_they_agree_in_a_thousand_states(house: House) -> None:
    chance = Random(1000)
    states = 0
    while states < 1000:
        title = chance.choice(list(house.referee.library))
        states += agree_all_through(house, title.slug, chance.choice(seat_numbers(title.rules)[:4]), chance)


def agree_all_through(house: House, game: str, seats: int, chance: Random) -> int:
    """Some moves of a game at random; how many states were looked at."""
    options = {"best_of": "7"} if game == "rps" else {}
    party = house.gathered(game, seats, **options)
    states = 0
    for _ in range(30):
        states += 1
        must_agree_on_the_turn(house, party)
        movers = [player for player in party.players if player.get(party.table).my_turn]
        pages = [(mover, mover.get(party.table)) for mover in movers]
        ways = [(mover, page, way) for mover, page in pages for way in page.form("/turn").moves]
        if not ways:
            break
        mover, page, way = chance.choice(ways)
        assert mover.submit(page, "/turn", way).status == 303
    must_agree_on_the_turn(house, party)
    return states


def test_the_strip_and_the_badge_count_the_games_that_wait_for_me(house: House) -> None:
    me, other = house.visitor(), house.visitor()
    assert "Your turn" not in me.get("/").words
    for number in (1, 2, 3):
        table = me.start("rps").table
        assert f"Your turn in {number}" not in me.get("/").words  # open tables do not wait for a move
        other.join(table)
        words = f"Your turn in {number} {'game' if number == 1 else 'games'}"
        landing = me.get("/")
        assert words in landing.words
        assert "/games/next" in landing.seen.links
        assert f"({number}) My games" in landing_title(me.get("/games"))
    me.move(me.follow(me.get("/games/next")).table, "throw rock")
    assert "Your turn in 2 games" in me.get("/").words
    assert "Your turn in 3 games" in other.get("/").words
    assert "Your turn" not in house.visitor().get("/").words


def group_of(page: Page, table: str) -> str:
    """The heading under which a table stands on the list of one's games."""
    above = page.text.partition(f'href="{table}"')[0]
    return re.findall(r"<h2[^>]*>([^<]*)</h2>", above)[-1]


def test_a_rematch_that_waits_is_the_turn_of_who_has_not_agreed(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    again = one.submit(one.get(party.table), "/rematch").table
    assert group_of(one.get("/games"), again) == "Waiting for others"
    assert group_of(other.get("/games"), again) == "Your turn"
    assert "Your turn in 1 game" in other.get("/").words
    assert "Your turn" not in one.get("/").words
    assert other.get("/games/next").location == again


def test_a_suspended_game_is_the_turn_of_who_has_not_agreed_where_another_has(house: House) -> None:
    party = house.put_aside()
    one, other = party.players
    assert group_of(one.get("/games"), party.table) == group_of(other.get("/games"), party.table)
    one.submit(one.get(party.table), "/ready")
    assert group_of(one.get("/games"), party.table) == "Waiting for others"
    assert group_of(other.get("/games"), party.table) == "Your turn"


def test_nobody_waits_at_an_analysis_board_where_all_seats_have_one_name(house: House) -> None:
    party, me = house.gathered("chess"), house.visitor()
    party.players[0].move(party.table, "move e4")
    asking = me.get(f"{party.table}/from/1")
    board = me.submit(asking, "/from/1", how="analysis").table
    assert group_of(me.get("/games"), board) == "Analysis boards"
    assert "Your turn in" not in me.get("/").words
    me.move(board, "move e5")
    me.submit(me.get("/games"), "/name", name="Ann")
    words = me.get(board).words
    assert "Ann played e5." in words
    assert "Guest" not in words


def landing_title(page: Page) -> str:
    return text(parsed(page).find("head/title"))


def test_after_a_move_the_next_game_that_waits_is_one_click_away(house: House) -> None:
    me, other = house.visitor(), house.visitor()
    one, two = me.start("strifebarge", seats="2").table, me.start("strifebarge", seats="2").table
    for table in (one, two):
        other.join(table)
    page = me.get(one)
    played = me.follow(me.submit(page, "/turn", page.form("/turn").moves[0]))
    assert "Played." in played.words
    [link] = [link for link in played.seen.links if link.startswith("/games/next?")]
    assert me.follow(me.get(link)).table == two


def test_my_games_say_when_anything_has_happened_with_scripts_and_without(house: House) -> None:
    me, other = house.visitor(), house.visitor()
    assert not me.get("/games").seen.ids.get("live")
    table = me.start("rps").table
    page = me.get("/games")
    live = page.seen.ids["live"]
    assert (live["data-page"], live["data-url"]) == ("/games", "/games/version")
    [frame] = [link for link in page.seen.links if link.startswith("/games/status")]
    with house.unchanged():
        assert me.get(live["data-url"]).text == live["data-version"]
        waiting = me.get(frame)
        assert "Nothing new." in waiting.words
        assert 'http-equiv="refresh" content="5; ' in waiting.text
        assert waiting.headers["Cache-Control"] == "no-store"
        assert "Updates stopped." in me.get(f"{frame}&n=1000").words
    other.join(table)
    assert me.get(live["data-url"]).text != live["data-version"]
    moved = me.get(frame)
    assert "There's news: show the games" in moved.words
    assert "refresh" not in moved.text
    assert house.visitor().get("/games/version").text == house.visitor().get("/games/version").text


def test_the_frame_that_waits_is_tiny(house: House) -> None:
    party = house.fleet()
    for who in party.viewers.values():
        for path in (f"{party.table}/status", "/games/status"):
            assert len(who.get(path).body) <= 1.5 * 1024


# -- every post answers so ------------------------------------------------------------------


def press_everything(who: Local, path: str, chance: Random) -> None:
    for form in who.get(path).forms:
        if form.method == "POST":
            button = chance.choice(form.buttons) if form.buttons else None
            answer = who.post(urljoin(path, form.action or path), form.filled(button))
            assert answer.status == 303 or 400 <= answer.status < 500, (path, form, answer.status)


def test_every_form_of_every_page_answers_303_or_refuses_and_is_never_just_a_page(house: House) -> None:
    chance = Random(4)
    party = house.thrown("rock", "paper")
    for path in ("/", "/games", "/about", "/new/eights", "/new/chess", "/rules/rps"):
        press_everything(party.players[0], path, chance)
    for party in house.scenes().values():
        for who in [*party.players, house.visitor()]:
            press_everything(who, party.table, chance)
            press_everything(who, f"{party.table}/quit", chance)


# -- looking ---------------------------------------------------------------------------------


def crawl(who: Local, start: str) -> dict[str, Page]:
    """Every page that links lead to from here, but for tables other than this one.

    Positions that are put up lead to all others, so of these only what other pages lead to.
    """
    pages: dict[str, Page] = {}
    ahead = [start]
    while ahead:
        path = ahead.pop()
        if path in pages or not path.startswith("/") or path.startswith("/static/"):
            continue
        page = pages[path] = who.get(path)
        assert page.status < 400, (path, page.status)
        if page.status in (301, 302, 303):
            ahead.append(page.location)
        elif page.headers["Content-Type"].startswith("text/html") and not path.startswith("/position/"):
            ahead += [urljoin(path, link).partition("#")[0] for link in page.seen.links]
    return pages


@pytest.mark.full("looks at every page", keep=4)
@pytest.mark.parametrize("part", range(12))
def test_looking_at_everything_breaks_nothing_changes_nothing_and_every_page_is_sound(
    house: House, scenes: dict[str, Party], part: int
) -> None:
    seen: set[bytes] = set()
    for scene, party in list(scenes.items())[part::12]:
        viewers = party.viewers
        with house.unchanged():
            for viewer, who in viewers.items():
                pages = crawl(who, party.table)
                assert party.table in pages
                assert len(pages) > 8, (scene, viewer)
                for path, page in pages.items():
                    html = page.headers["Content-Type"].startswith("text/html")
                    alike = KEY.sub(b"", page.body)
                    if page.status == 200 and html and alike not in seen:
                        seen.add(alike)
                        must_be_sound(page, framed="/status" in path)


def test_refusals_are_sound_pages_too(house: House) -> None:
    party, stranger = house.fleet(), house.visitor()
    waiting = next(player for player in party.players if not player.get(party.table).my_turn)
    page = party.to_move().get(party.table)
    refusals = [
        stranger.get("/g/00000000"),
        stranger.get("/nothing/here"),
        stranger.request("PUT", "/"),
        stranger.post(f"{party.table}/turn", [("key", "k" * 32), ("asked", "0"), ("move", "fire A1")]),
        waiting.post(f"{party.table}/turn", [*page.form("/turn").fields, ("move", "fire A1")]),
        party.to_move().submit(page, "/turn", move="fire Z99"),
        stranger.post("/new/eights", [("key", "k" * 32), ("seats", "77")]),
    ]
    for refused in refusals:
        assert 400 <= refused.status < 500
        must_be_sound(refused)


def test_every_asset_a_page_names_is_there_and_kept_for_ever(house: House, scenes: dict[str, Party]) -> None:
    assets: set[str] = set()
    for party in scenes.values():
        assets |= {link.partition("#")[0] for link in party.players[0].get(party.table).seen.links}
    for path in sorted(path for path in assets if path.startswith("/static/")):
        asset = house.visitor().get(path)
        assert asset.status == 200, path
        assert "immutable" in asset.headers["Cache-Control"]
        assert asset.headers.get("Set-Cookie") is None


def test_nothing_is_loaded_from_anywhere_else(scenes: dict[str, Party]) -> None:
    for party in scenes.values():
        tree = parsed(party.players[0].get(party.table))
        for each in tree.iter():
            if name(each) in ("link", "script", "img", "iframe", "use", "form"):
                for attribute in ("href", "src", "action"):
                    target = each.get(attribute)
                    assert target is None or target.startswith(("/", "#")), target
