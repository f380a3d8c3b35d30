"""The end of a game in words for each who is there; what a table and a tile say before anything happened."""

import re

from tests.web.house import House

KINDLY = "Well played! Another game?"
DRAWN = "Well matched! Another game?"


def saying(text: str) -> str:
    """Return what the bar says whose turn it is, without marks."""
    [sentence] = re.findall(r'<p class="turn[^>]*>(.*?)</p>', text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", sentence).split())


def test_who_won_and_who_lost_and_who_watched_read_it_each_in_their_words(house: House) -> None:
    party = house.gathered("chess")
    for number, move in enumerate(["f3", "e5", "g4", "Qh4"]):
        party.players[number % 2].move(party.table, f"move {move}")
    lost, won = (each.get(party.table).text for each in party.players)
    watched = house.visitor().get(party.table).text
    assert saying(won) == "Game over. You won!"
    assert saying(lost).endswith(" won.")
    assert saying(watched) == saying(lost)
    assert (KINDLY in lost, KINDLY in won, KINDLY in watched) == (True, False, False)
    for page in (won, lost, watched):
        [flag] = re.findall(r'<span class="victor">.*?#f-(\w)', page, re.DOTALL)
        assert flag
    for page in (won, lost):
        bar = page[page.index('id="bar"') :]
        assert "Rematch" in re.sub(
            r"<[^>]+>", "", re.findall(r"<button[^>]*>.*?</button>", bar, re.DOTALL)[0]
        )


def test_a_draw_is_nobodys_win_and_both_are_told_the_same(house: House) -> None:
    party = house.gathered("chess")
    white, black = party.players
    white.move(party.table, "offer_draw")
    white.move(party.table, "move e4")
    black.move(party.table, "accept_draw")
    for each in (white, black):
        page = each.get(party.table).text
        assert saying(page) == "Game over. A draw."
        assert DRAWN in page
        assert 'class="victor"' not in page


def test_a_table_in_set_up_has_a_log_that_says_that_nothing_has_happened(house: House) -> None:
    page = house.visitor().start("chess")
    assert "Nothing has happened yet." in page.text
    assert 'id="tab-log"' in page.text


def test_each_tile_for_several_players_has_a_button_to_play_anyone(house: House) -> None:
    page = house.visitor().get("/")
    for slug in ("chess", "strifebarge", "startups"):
        assert f'formaction="/anyone/{slug}"' in page.text
    assert "Anyone" in page.words
    assert house.visitor().get("/tables?game=chess").status == 200
