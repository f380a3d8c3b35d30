"""The page of 7 Startups: what a card costs now, one click for the cheapest, one page to pay otherwise."""

import re

import pytest

from games.startups.rules import Build, Startups
from strifebarge.rules import Hidden
from strifebarge.rules.notation import write

FIXED = {"companies": "ogle, yodel, chirp", "sides": "A", "seating": "fixed"}


@pytest.fixture
def laid_out(monkeypatch):
    """P (Ogle, development) is to buy of L (Yodel, marketing) or of R, who has a Marketroid.

    These are the built cards with their seats; a test may lay out more.
    """
    usual, built = Startups.setup, {"marketroid-1#4": 2}

    def setup(game):
        usual(game)
        for copy, seat in built.items():
            game.seats[seat].built = [copy]
        hand = ["free-drinks-1#3", "garage-1#3", "fussball-1#3", "artisan-chef-1#3", "private-cloud-1#3"]
        game.seats[0].hand = Hidden([*hand, "generics-1#3", "marketroid-1#3"])

    monkeypatch.setattr(Startups, "setup", setup)
    return built


@pytest.fixture
def party(house, laid_out):
    return house.gathered("startups", 3, **FIXED)


def test_the_same_player_twice_is_one_player(house):
    ann = house.visitor()
    table = ann.start("startups", seats="3").table
    form = house.visitor().get(table).form("/join")
    for key in ("1", "2"):
        assert ann.post(f"{table}/join", form.filled(key=key * 32)).location == f"{table}?new=1"
    assert "2 of 3 seats free." in ann.get(table).words


def test_a_choice_that_comes_after_the_last_one_is_told_that_it_is_too_late(party):
    old = party.players[0].get(party.table)
    for player in party.players:
        player.submit(page := player.get(party.table), "/turn", page.form("/turn").moves[-1])
    with party.house.unchanged():
        late = party.players[0].submit(old, "/turn", old.form("/turn").moves[0])
    assert (late.status, late.token) == (409, "game.stale")
    assert late.my_turn


def paying(party):
    return party.players[0].get(f"{party.table}?pick=build%20free-drinks-1%233")


def test_every_card_is_a_sheet_that_opens_without_a_script(party):
    page = party.players[0].get(party.table).text
    sheets = re.findall(r'<details name="office" id="([\w-]+)"><summary data-piece="([\w-]+)">', page)
    assert len(sheets) == len({sheet for sheet, _ in sheets}) == 7
    assert {piece for _, piece in sheets} >= {"garage-1-3", "free-drinks-1-3"}
    build = re.search(r'<button[^>]*value="build &#39;?garage-1#3[^>]*>(.*?)</button>', page)
    assert build
    assert "Build (free)" in build[1]
    assert 'aria-label="Build (free): Build Garage"' in build[0], "its name begins as it reads"


def test_a_greyed_button_says_why_in_words_beside_it(party):
    page = party.players[0].get(party.table).text
    greyed = re.findall(
        r'<div class="way">\s*<button[^>]*aria-disabled="true"[^>]*>.*?</div>', page, re.DOTALL
    )
    assert greyed
    for way in greyed:
        [reason] = re.findall(r'title="([^"]+)"', way)
        beside = re.sub(r"<[^>]+>", "", way.partition("</button>")[2])
        assert " ".join(reason.split()) in " ".join(beside.split())


def test_pieces_have_names_of_their_own_and_hands_are_named_to_their_holders_alone(party):
    named = {
        who: re.findall(r'data-piece="([\w-]+)"', viewer.get(party.table).text)
        for who, viewer in party.viewers.items()
    }
    assert all(len(names) == len({*names}) for names in named.values())
    assert named["stranger"] == ["marketroid-1-4"], "which is built"
    assert len(named["player 0"]) == 8
    assert "fussball-1-3" in named["player 0"]


def test_plates_tell_funds_strength_and_stages(party):
    for viewer in party.viewers.values():
        plates = re.findall(
            r'<span class="tells">(.*?)</span>\s*(?:<span class="digits|</li>|</div>)',
            viewer.get(party.table).text,
            re.DOTALL,
        )
        assert len(plates) == 3
        assert all("#startups-r-fund" in plate and "0/3" in plate for plate in plates)


def test_the_cheapest_way_is_one_click_and_the_others_one_page_away(party):
    page = party.players[0].get(party.table)
    moves = {button.value: button.greyed for button in page.form("/turn").buttons if button.name == "move"}
    left = write(Build("free-drinks-1#3", False, {"left": {"marketing": 1}}))
    right = write(Build("free-drinks-1#3", False, {"right": {"marketing": 1}}))
    assert moves[left] is False
    assert right not in moves
    assert any("pick=build" in link and "free-drinks-1" in link for link in page.seen.links)
    assert {left, right} <= {button.value for button in paying(party).form("/turn").buttons}


def test_a_card_says_what_it_costs_now_what_is_missing_and_what_it_frees_later(party):
    words = party.players[0].get(party.table).words
    assert "2 ways to pay" in words
    assert "free: you make all it needs" in words  # Artisan Chef
    assert "You still need finance." in words  # Fußball
    assert re.search(r"Garage.*?Makes\s*Office free later", words)
    assert "Next stage needs development." in words


def test_the_page_of_payments_says_what_the_card_gives(party):
    assert "Gives: 1 poaching strength" in paying(party).words


def test_where_both_neighbours_are_paid_each_is_named_with_the_price(house, laid_out, monkeypatch):
    usual = Startups.setup

    def setup(game):
        usual(game)
        game.seats[0].funds, game.seats[0].hand = 4, Hidden(["containers-2#3"] * 7)

    monkeypatch.setattr(Startups, "setup", setup)
    party = house.gathered("startups", 3, **FIXED)
    words = party.players[0].get(party.table).words
    assert "4 funds; M marketing from Guest Golf for 2, H hype from Guest Juliett for 2" in words


def test_a_payment_is_put_together_from_what_the_neighbours_sell(party):
    page, player = paying(party), party.players[0]
    form = page.form("/turn")
    assert form.choices["buy.right.marketing"] == ["", "1"]
    [button] = [each for each in form.buttons if each.name == "do"]
    answer = player.submit(page, "/turn", button, **{"buy.right.marketing": "1"})
    assert answer.status == 303
    assert "Build Free Drinks, buying marketing from the right" in player.follow(answer).words


def test_a_payment_that_is_refused_is_there_to_be_mended(party):
    page, player = paying(party), party.players[0]
    [button] = [each for each in page.form("/turn").buttons if each.name == "do"]
    both = {"buy.left.marketing": "1", "buy.right.marketing": "1"}
    answer = player.submit(page, "/turn", button, **both)
    assert (answer.status, answer.token) == (422, "startups.purchase_not_needed")
    assert dict(answer.form("/turn").fields) | both == dict(answer.form("/turn").fields)


def test_that_somebody_has_chosen_is_said_and_nothing_else_of_a_choice(party):
    ann, ben, cleo = party.players
    before = ben.get(party.table)
    assert ann.move(party.table, "discard 'garage-1#3'").status == 303
    after = ben.get(party.table)
    assert "has chosen" in after.words
    assert "Garage" not in after.words.replace("Garage", "", before.words.count("Garage"))
    assert "Your choice: Discard Garage." in ann.get(party.table).words
    assert "has chosen" in cleo.get(party.table).words


def test_a_card_typed_alone_is_built_or_else_goes_under_the_stage(house, laid_out):
    """What can be done goes before what is refused, and building before the rest."""
    laid_out["brogrammer-1#3"] = 0  # with what Ogle produces itself it pays for the first stage
    party = house.gathered("startups", 3, **FIXED)
    player = party.players[0]
    player.get(f"{party.table}?view=text")
    for typed, expected in (
        ('generics-1#3 false \'{"right":{"hype":1}}\'', "Build Generics, buying hype from the right"),
        ("garage-1#3", "Build Garage"),
        ("fussball-1#3", "Build the next stage with Fußball"),  # which itself cannot be paid
        ("Discard Fußball", "Discard Fußball"),
    ):
        answer = player.submit(player.get(party.table), "/turn", say=typed)
        assert f"Your choice: {expected}. " in player.follow(answer).words


def test_the_text_lists_every_way_to_pay_and_says_why_not(party):
    page = party.players[0].get(f"{party.table}?view=text")
    moves = [button.value for form in page.forms for button in form.moves]
    for side in ("left", "right"):
        assert write(Build("free-drinks-1#3", False, {side: {"marketing": 1}})) in moves
    words = page.words
    assert re.search(r"Build – 2 funds; marketing from\s+Guest Golf\s+\(2 ways to pay\)", words)
    assert "Build – free: you make all it needs" in words
    assert "Build – You still need finance." in words
    assert "Makes: development" in words


def test_the_drawings_are_the_games_own(house):
    """Those it brings have its name, in the one file that has the site's as well."""
    stranger = house.visitor()
    landing = stranger.get("/")
    [sprite] = set(re.findall(r'href="(/static/sprite\.\w+\.svg)#startups-r-F"', landing.text))
    drawn = stranger.get(sprite).text
    assert len(re.findall(r'<symbol id="startups-[\w-]+"', drawn)) == 13
    party = house.gathered("startups", 3)
    board = next(iter(party.viewers.values())).get(party.table)
    assert f'href="{sprite}#startups-r-fund"' in board.text
    assert f'href="{sprite}#f-' in board.text
    named = set(re.findall(rf'href="{re.escape(sprite)}#([\w-]+)"', board.text))
    assert named <= set(re.findall(r'<symbol id="([\w-]+)"', drawn))
