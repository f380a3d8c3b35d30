"""What is picked on a board stays picked in the page's news, until another question is asked."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode, urlsplit

from strifebarge.rules.schema import usual_seats
from tests.support.visitor import Local, Page
from tests.web.house import House
from tests.web.visits import picks

KEY = re.compile(r'name="key" value="[^"]*"|data-at="[^"]*"')


def news_address(page: Page) -> str:
    """Where the page's script asks for it again."""
    return unescape(page.seen.ids["live"]["data-page"])


def picked_pages(house: House) -> Iterator[tuple[Local, str, Page]]:
    """What each player sees at the start of each game with something picked, and at which table."""
    for title in house.referee.library:
        party = house.gathered(title.slug, usual_seats(title.rules))
        for player in party.players:
            for address in picks(player.get(party.table))[:2]:
                yield player, party.table, player.get(address)


def test_the_news_of_a_page_keep_what_is_picked_and_so_does_the_answer_to_a_message(house: House) -> None:
    tables = set()
    for player, table, page in picked_pages(house):
        tables.add(table)
        address = news_address(page)
        assert "pick=" in address
        assert KEY.sub("", player.get(address).text) == KEY.sub("", page.text)
        form = page.form("/say").filled(text=f"Number {address}")
        answer = player.post(f"{table}/say?{urlsplit(address).query}", form, X_Piece="main")
        assert news_address(answer) == address
    assert len(tables) > 1


def test_for_another_question_nothing_is_picked_any_more_and_the_page_says_so(house: House) -> None:
    told = 0
    for player, table, page in picked_pages(house):
        moves = player.get(table).form("/turn").moves if player.get(table).my_turn else []
        if not moves or "asked=" not in news_address(page):
            continue
        assert "pick-dropped" not in page.seen.ids
        assert player.move(table, moves[0].value).status == 303
        later = player.get(news_address(page))
        assert "The game has moved on. Please choose again." in later.words
        assert "asked=" not in news_address(later)
        assert "pick-dropped" not in player.get(news_address(later)).seen.ids
        told += 1
    assert told


def test_a_number_that_is_none_leaves_a_pick_as_it_is(house: House) -> None:
    player, table, page = next(each for each in picked_pages(house) if "asked=" in news_address(each[2]))
    pick = urlencode({"pick": re.findall(r"pick=([^&]*)", news_address(page))[0]})
    for asked in ("", "x", "-", "9" * 5000):
        odd = player.get(f"{table}?{pick}&asked={asked}")
        assert (odd.status, "pick-dropped" in odd.seen.ids) == (200, False)
