"""What somebody has chosen in secret, or that they have chosen, changes nothing on anybody else's board."""

from collections.abc import Iterator
from random import Random
from xml.etree.ElementTree import tostring

from strifebarge.rules.schema import seat_numbers
from tests.support.visitor import Local, Page
from tests.web.house import House, Party
from tests.web.markup import elements, parsed

FORMS = 5  # sent at each table


def board(page: Page) -> str:
    [section] = [each for each in elements(parsed(page)) if each.get("id") == "board"]
    return tostring(section, encoding="unicode")


def chosen_in_secret(party: Party, dice: Random) -> Iterator[tuple[Local, dict[Local, Page]]]:
    """Play at random; yield who has just chosen while others are to choose, and all pages before it."""
    watching = party.house.visitor()
    for _ in range(FORMS):
        before = {who: who.get(party.table) for who in (*party.players, watching)}
        movers = [who for who in party.players if before[who].my_turn]
        if not movers:
            return
        who = dice.choice(movers)
        moves = before[who].form("/turn").moves
        if not moves:  # they are picked on the board: nobody chooses in secret
            return
        answer = who.submit(before[who], "/turn", dice.choice(moves))
        assert answer.status == 303, answer.words
        others = [each for each in movers if each is not who]
        if others and all(each.get(party.table).my_turn for each in others):
            yield who, before


def test_another_players_secret_choice_changes_nothing_on_a_board(house: House) -> None:
    games = set()
    for title in house.referee.library:
        for seats in {*seat_numbers(title.rules)[:1], *seat_numbers(title.rules)[-1:]} - {1}:
            party = house.gathered(title.slug, seats)
            for who, before in chosen_in_secret(party, Random(f"{title.slug} {seats}")):
                others = {each: page for each, page in before.items() if each is not who}
                assert {each: board(each.get(party.table)) for each in others} == {
                    each: board(page) for each, page in others.items()
                }, party.table
                games.add(title.slug)
    assert games, "some games ask several at once"
