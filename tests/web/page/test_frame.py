"""What a page of a table says first: its players before what a host may do, the log and the chat before the
settings, and what one's own move did beside whose turn it is."""

import re

import pytest

from strifebarge.rules.notation import write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.support.short import dealt, short_game
from tests.web.house import House

TITLES = {title.slug: title for title in Library()}
FIELD = re.compile(r'<(?:select|textarea|input(?! type="hidden"))\b')
IN_THE_BAR = re.compile(r'<div class="saying".*?<div class="boardcol">', re.DOTALL)


def test_at_a_table_in_set_up_the_players_stand_before_what_a_host_may_do(house: House) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="8").table
    for _ in range(6):
        house.visitor().join(table)
    page = host.get(table).text
    assert page.count('class="seats"') == 1
    assert page.index('id="link"') < page.index('class="seats"') < page.index("Take seat")
    names = re.findall(r"<bdi>(Guest \w+)</bdi>|(Remove Guest \w+)", page[page.index('class="seats"') :])
    labels = [name or remove for name, remove in names][1:]
    assert labels[1::2] == [f"Remove {name}" for name in labels[::2]]
    assert len(labels) == 12


def test_the_text_of_a_table_in_set_up_has_its_players_once(house: House) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="8").table
    house.visitor().join(table)
    page = host.get(f"{table}?view=text").text
    assert page.count('class="seats"') == 1
    assert page.index('class="seats"') < page.index("Remove Guest")


def test_the_log_and_the_chat_stand_before_the_settings(house: House) -> None:
    party = house.fleet()
    page = party.players[0].get(party.table).text
    names = ('id="board"', 'id="tab-log"', 'id="tab-chat"', 'id="tab-table"', "Absent players", "Fairness")
    places = [page.index(each) for each in names]
    assert places == sorted(places)


def test_what_ones_own_move_did_is_said_beside_whose_turn_it_is(house: House) -> None:
    party = house.fleet()
    captain = party.to_move()
    page = captain.get(party.table)
    [shot, *_] = page.form("/turn").moves
    answer = captain.follow(captain.submit(page, "/turn", move=shot.value))
    match = IN_THE_BAR.search(answer.text)
    assert match
    assert re.search(r'<li id="told-[^"]*-own-1" class="own"[^>]*>You (missed|hit|sank)', match[0]), match[0]


def test_the_field_for_a_name_stands_above_the_button_that_joins(house: House) -> None:
    host = house.visitor()
    table = host.start("rps").table
    page = house.visitor().get(table).text
    assert page.index('name="name"') < page.index('<button class="btn">Join')


def test_the_first_page_shows_a_position_of_every_game_and_strifebarge_first(house: House) -> None:
    page = house.visitor().get("/").text
    tiles = re.split(r"<li>\s*<form", page)[1:]
    assert 'action="/new/strifebarge"' in tiles[0]
    for title in house.referee.library:
        [tile] = [each for each in tiles if f'action="/new/{title.slug}"' in each]
        assert ('<svg class="picture"' in tile) == bool(title.picture), title.slug


@pytest.mark.parametrize("slug", TITLES)
def test_options_begin_with_what_matters_and_keep_the_rest_folded(house: House, slug: str) -> None:
    page = house.visitor().get(f"/new/{slug}").text
    form = page.partition('class="options"')[2].partition("</form>")[0]
    before, _, rest = form.partition('<details class="more"')
    folded, _, after = rest.rpartition("</details>")
    assert 3 <= len(FIELD.findall(before + after)) <= 5
    assert 'name="t_watching"' in folded


@pytest.mark.parametrize("slug", TITLES)
def test_no_log_tells_its_reader_of_themselves_by_their_name(house: House, slug: str) -> None:
    house.referee.entropy = dealt
    rules = TITLES[slug].rules
    party = house.gathered(slug, usual_seats(rules))
    for step in short_game(rules):
        assert party.players[step.seat].move(party.table, write(step.action)).status == 303
    for player, name in zip(party.players, ("Guest Foxtrot", "Guest Golf"), strict=False):
        words = player.get(f"{party.table}/log").words
        assert re.search(r"\b[Yy]our? ", words)
        assert name not in words
