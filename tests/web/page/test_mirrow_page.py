"""The page of Strife on the Mirrow: a turn is composed on it, and nobody else sees it before its end."""

import re

import pytest

from tests.support.short import SHORT_GAMES, dealt
from tests.support.visitor import REFERENCE
from tests.web.house import Party, token

MOVES = [(int(words[0]), words[2:]) for words in SHORT_GAMES["mirrow"]]
KEY = r'name="key" value="\w+"'  # drawn anew for every page


@pytest.fixture
def party(house):
    house.referee.entropy = dealt
    return house.gathered("mirrow")


def play(party: Party, count: int, skip: int = 0) -> None:
    for seat, words in MOVES[skip : skip + count]:
        answer = party.players[seat].move(party.table, words)
        assert answer.status == 303, answer.words


def shown(party: Party, who: str, path: str = "") -> str:
    """What somebody is sent, but for what each request draws anew."""
    return REFERENCE.sub("", re.sub(KEY, "", party.viewers[who].get(party.table + path).text))


def log(party: Party, seat: int) -> str:
    return party.players[seat].get(f"{party.table}/log").words


def test_nothing_of_a_turn_is_on_anybody_elses_page_before_it_is_ended(party):
    play(party, 6)
    others = ["player 0", "stranger"]
    paths = ["?view=board", "/log", "/version", "/status?v=1&n=3", "/at/3", "/at/4", "?view=text"]
    before = {who: [shown(party, who, path) for path in paths] for who in others}
    play(party, 7, skip=6)
    assert "Block 8 is at Hollow Basin." in party.players[1].get(party.table).words
    assert {who: [shown(party, who, path) for path in paths] for who in others} == before
    assert "You activate Gannet" in log(party, 1)
    assert "activates Gannet" not in log(party, 0)
    play(party, 2, skip=13)
    assert shown(party, "player 0", paths[0]) != before["player 0"][0]
    assert "activates Gannet" in log(party, 0)


def test_that_a_turn_is_composed_tells_nobody_that_who_was_away_is_back(timed):
    timed.referee.entropy = dealt
    party = timed.gathered("mirrow", pace="days-3")
    play(party, 6)
    composer, other = party.players[1], party.players[0]
    assert composer.submit(composer.get("/games"), "/vacation", days="3").status == 303
    with timed.referee.store.change(party.code) as change:
        change.table.clock.seat_clocks[1].missed = 1
    paths = ["?view=board", "/status?v=1&n=3", "?view=text"]
    before = [shown(party, "player 0", path) for path in paths]
    assert "is on vacation until" in other.get(party.table).words
    play(party, 7, skip=6)
    assert [shown(party, "player 0", path) for path in paths] == before
    assert timed.referee.views.status(party.code).clock.seat_clocks[1].missed == 1
    play(party, 2, skip=13)
    assert "is on vacation until" not in other.get(party.table).words
    assert timed.referee.views.status(party.code).clock.seat_clocks[1].missed == 0
    assert "You're on vacation" not in composer.get("/games").words


def test_a_turn_is_one_move_of_the_history_when_it_is_ended(party):
    play(party, 12)
    for player in party.players:
        assert player.get(f"{party.table}/at/4").status == 404
        words = player.get(f"{party.table}/at/3").words
        assert not [each for each in ("activates Gannet", "You activate Gannet") if each in words]
    play(party, 3, skip=12)
    in_words = ["Guest Golf activates Gannet", "You activate Gannet"]
    for player, expected in zip(party.players, in_words, strict=True):
        page = player.get(f"{party.table}/at/4").words
        assert "Move 4 of 4" in page
        assert expected in page


def test_whoever_composes_has_news_on_their_other_pages_and_nobody_else_has(party):
    play(party, 6)
    before = [player.get(f"{party.table}/version").text for player in party.players]
    play(party, 2, skip=6)
    after = [player.get(f"{party.table}/version").text for player in party.players]
    assert after[0] == before[0]
    assert after[1] == before[1].replace("@", "+2@")
    assert party.players[1].submit(party.players[1].get(party.table), "/undo").status == 303
    assert party.players[1].get(f"{party.table}/version").text == before[1].replace("@", "+3@")


def test_a_form_for_a_step_that_was_taken_is_stale(party):
    play(party, 6)
    old = party.players[1].get(party.table)
    play(party, 3, skip=6)
    again = next(each for each in old.form("/turn").moves if each.value == "activate Gannet")
    answer = party.players[1].submit(old, "/turn", again)
    assert (answer.status, token(answer)) == (409, "game.stale")


def test_neither_sees_where_the_other_places_blocks(party):
    before = shown(party, "player 1")
    assert party.players[0].move(party.table, "place 1 Dunmouth").status == 303
    assert party.players[0].move(party.table, "place 2 Bittern").status == 303
    assert party.players[0].move(party.table, "auto").status == 303
    assert shown(party, "player 1") == before
    answer = party.players[1].move(party.table, "auto")
    assert answer.status == 303, "what one does makes nobody else's page old"


def test_a_form_from_before_anothers_step_still_counts(party):
    page = party.players[1].get(party.table)
    assert party.players[0].move(party.table, "auto").status == 303
    button = next(each for each in page.form("/turn").moves if each.value == "auto")
    assert party.players[1].submit(page, "/turn", button).status == 303


def test_a_step_is_taken_back_by_a_button_in_the_bar(party):
    play(party, 9)
    page = party.players[1].get(party.table)
    bar = page.text[page.text.index('<div class="bar"') : page.text.index("</main>")]
    assert f'<form method="post" action="{party.table}/undo" class="acts" id="undo">' in bar
    assert 'value="end_turn"' in bar
    assert party.players[1].submit(page, "/undo").status == 303
    assert "Block 4 is at Juniper Reach." in party.players[1].get(party.table).words


def test_a_block_that_is_picked_has_its_goals_on_the_chart(party):
    page = party.players[0].get(f"{party.table}?pick=4")
    chart = page.text[page.text.index('<ol class="areas">') : page.text.index("</ol>")]
    goals = re.findall(r'value="(place 4 [^"]*)"', chart)
    assert len(goals) == 5
    assert page.text.count('value="place 4 Dunmouth"') == 1, "and not in the list too"


def test_while_there_are_many_blocks_what_each_may_do_is_folded(party):
    page = party.players[0].get(party.table).text
    folds = re.findall(r'<details name="deeds"><summary>Block (\d+), .*?</details>', page, re.DOTALL)
    assert folds == [str(token) for token in range(2, 11)], "the first block is in hand"
    play(party, 7)
    assert '<details name="deeds">' not in party.players[1].get(party.table).text


def test_blocks_have_names_of_their_own_that_everybody_sees_alike(party):
    play(party, 6)
    named = {who: re.findall(r'data-piece="([\w-]+)"', shown(party, who)) for who in party.viewers}
    assert {*named["stranger"]} == {f"block-{seat}-{token}" for seat in (0, 1) for token in range(1, 11)}
    assert all(names == named["stranger"] for names in named.values())
    assert len(named["stranger"]) == 20


def test_every_block_on_the_chart_has_the_flag_the_name_and_the_ground_of_its_side(house):
    party = house.gathered("mirrow", open_fleets="true")
    for player in party.players:
        for words in ("auto", "ready"):
            assert player.move(party.table, words).status == 303
    chart = shown(party, "stranger").partition('<ol class="areas">')[2].partition("</ol>")[0]
    for seat, flag in enumerate(("Foxtrot", "Golf")):
        blocks = re.findall(rf'<span class="block side-{seat}".*?</li>', chart, re.DOTALL)
        assert len(blocks) == 10
        assert all(f"#f-{flag[0]}" in block and f"Guest {flag}" in block for block in blocks)


def test_a_button_or_link_on_the_chart_is_called_by_what_is_read_on_it(party):
    page = shown(party, "player 0")
    chart = page[page.index('<ol class="areas">') : page.index("</ol>")]
    called = re.findall(r'aria-label="([^"]*)"[^>]*><b>([^<]*)</b>', chart)
    assert len(called) == 5
    assert all(face in label for label, face in called)
    assert not re.search(r'<a class="block[^>]*aria-label', page)


def test_the_terms_are_one_press_away(party):
    words = party.players[0].get(party.table).words
    assert re.search(r"Weather Gauge\s*Its holder goes first on a tie, then hands it over\.", words)


def test_what_may_not_be_done_is_greyed_and_says_why(party):
    play(party, 10)
    greyed = [button for button in party.players[1].get(party.table).form("/turn").buttons if button.greyed]
    assert "sail 5 Bittern" in [button.value for button in greyed]
    assert "The sluice to Bittern is closed. Choose another way." in party.players[1].get(party.table).text


def test_a_question_is_answered_beside_the_board_and_in_words(party):
    play(party, 6)
    player = party.players[0]
    assert "Which cards were played in this year?" in player.get(party.table).words
    answer = player.get(f"{party.table}?view=text&say=played").words
    assert re.search(r"You asked:\s*played\s*Full Sail\s*Steady Oars", answer)
    none = player.get(f"{party.table}?view=text&say=losses").words
    assert re.search(r"You asked:\s*losses\s*none", none)


def test_headings_stand_out_in_the_log(party):
    play(party, 6)
    page = party.players[0].get(f"{party.table}/log")
    assert re.search(r'<li class="heading apart"><a[^>]*>\d+</a> Round 1</li>', page.text)


def test_a_heading_in_the_bar_is_a_sentence(party):
    play(party, 4)
    headings = [party.players[0].get(party.table + path).text for path in ("", "/at/2", "/at/4")]
    news = [words for page in headings for words in re.findall(r'<ul class="news".*?</ul>', page, re.DOTALL)]
    assert any("Year 1 of 3.</li>" in each for each in news)
    assert not any(re.search(r"\w</li>", each) for each in news)


def test_a_heading_in_an_answer_is_a_sentence(party):
    play(party, 4)
    heading = party.players[0].get(f"{party.table}?view=text&say=last").text
    answer = heading[heading.index('id="answer"') :]
    assert re.search(r"<p>(Year|Round) [^<]*\.</p>", answer)


def test_guests_go_by_their_flags_in_the_readers_language(party):
    party.players[0].get("/?lang=de")
    words = party.players[0].get(f"{party.table}?view=text", **{"Accept-Language": "de"}).words
    assert "Gast" in words
    assert "Guest" not in words


def test_so_they_do_at_sea(house):
    party = house.fleet()
    for square in ("A1", "B2"):
        for player in party.players:
            page = player.get(party.table)
            if page.my_turn:
                player.move(party.table, f"fire {square}")
    words = party.players[0].get(f"{party.table}?view=text", **{"Accept-Language": "de"}).words
    assert "Guest" not in words
