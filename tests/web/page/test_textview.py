"""The text view: whole games in words, questions and their answers, and nothing that leads out of it."""

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from strifebarge.rules import Action
from strifebarge.rules.notation import write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from strifebarge.web.page import textview
from tests.support.short import begun, dealt, short_game
from tests.support.visitor import Local, Page
from tests.web.house import House, Party
from tests.web.markup import must_be_sound, text

TITLES = {title.slug: title for title in Library()}
EVERY_GAME = pytest.mark.parametrize("slug", TITLES)
Play = Callable[[Local, Page, Action], Page]


def gathered(house: House, slug: str) -> Party:
    """A game at its beginning, everybody looking at it as text; its chance is that of the short games."""
    house.referee.entropy = dealt
    party = house.gathered(slug, usual_seats(TITLES[slug].rules))
    for player in party.players:
        assert is_text(player.get(f"{party.table}?view=text"))
    return party


def is_text(page: Page) -> bool:
    """By its first link after the one that skips to the content: the way back to the board."""
    first, second = re.findall(r"<a [^>]*href=\"([^\"]*)", page.text)[:2]
    return (first, second.partition("?")[2]) == ("#main", "view=board")


# -- whole games --------------------------------------------------------------------


def by_typing(player: Local, page: Page, action: Action) -> Page:
    return player.submit(page, "/turn", say=write(action))


def by_typing_no_more_than_needed(player: Local, page: Page, action: Action) -> Page:
    """`K9`, and not `fire K9`; but `discard garage-1#3`, where the card alone would be built."""
    words = write(action)
    do, _, rest = words.partition(" ")
    moves = [button.value for form in page.forms for button in form.moves]
    alike = [move for move in moves if rest and move.partition(" ")[2] == rest]
    return player.submit(page, "/turn", say=words if alike and alike[0] != words else rest or do)


def by_pressing(player: Local, page: Page, action: Action) -> Page:
    """A button, a line of a menu, or a form filled in."""
    words = write(action)
    for form in page.forms:
        if not form.action.endswith("/turn"):
            continue
        for button in form.buttons:
            if (button.name, button.value) == ("move", words):
                return player.post(form.action, form.filled(button))
        if words in form.choices.get("move", []):
            return player.post(form.action, form.filled(move=words))
        if "do" in form and form["do"] == words.split()[0]:
            fields = {name: str(getattr(action, name)) for name in action.__struct_fields__}
            return player.post(form.action, form.filled(**fields))
    raise AssertionError(f"{words} is nowhere on offer: {page.words}")


@EVERY_GAME
@pytest.mark.parametrize("play", [by_typing, by_typing_no_more_than_needed, by_pressing])
def test_every_game_is_played_to_its_end_in_the_text_view(house: House, slug: str, play: Play) -> None:
    party = gathered(house, slug)
    for step in short_game(TITLES[slug].rules):
        player = party.players[step.seat]
        page = player.get(party.table)
        assert is_text(page)
        assert page.my_turn
        answer = play(player, page, step.action)
        assert answer.status == 303, answer.words
        assert is_text(player.follow(answer))
    for viewer in party.viewers.values():
        page = viewer.get(f"{party.table}?view=text")
        assert page.over
        assert "text" in page.headers["Set-Cookie"]
        must_be_sound(page)
    again = player.submit(player.get(party.table), "/rematch")
    assert is_text(player.follow(again))


# -- one box ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "typed", "sentence"),
    [
        ("rps", "Rock", "You chose rock."),
        ("rps", "throw PAPER", "You chose paper."),
        ("chess", "Nf3", "You played Nf3."),
        ("chess", " g1f3 ", "You played Nf3."),
        ("chess", "offer draw", "You offer a draw."),
        ("chess", "Offer a draw", "You offer a draw."),
    ],
)
def test_a_move_is_typed_as_people_say_it(house: House, slug: str, typed: str, sentence: str) -> None:
    party = gathered(house, slug)
    player = party.to_move()
    answer = player.submit(player.get(party.table), "/turn", say=typed)
    assert answer.status == 303
    assert sentence in player.follow(answer).words


@EVERY_GAME
@pytest.mark.parametrize("field", ["say", "move"])
def test_what_was_not_played_is_named_above_its_reason(house: House, slug: str, field: str) -> None:
    party = gathered(house, slug)
    player = party.to_move()
    for view in textview.VIEWS:
        page = player.get(f"{party.table}?view={view}")
        refused = player.submit(page, "/turn", **{field: "dance"})
        assert refused.status == 422
        [notice] = [each for each in must_be_sound(refused).iter("div") if each.get("id") == "notice"]
        heading, reason = map(text, notice)
        assert heading == "Not played: dance"
        assert reason


def test_a_salvo_is_typed_with_or_without_commas(house: House) -> None:
    house.referee.entropy = dealt
    party = house.gathered("strifebarge", salvo="true")
    game = begun(TITLES["strifebarge"].rules).game
    one, other, third = game.targets(game.seats[0])[:3]
    player = party.to_move()
    assert player is party.players[0]
    done = player.submit(
        player.get(f"{party.table}?view=text"), "/turn", say=f"{one}, {other} {third.lower()}"
    )
    assert done.status == 303
    log = player.follow(done).words
    assert all(re.search(rf"You (missed|hit .+) at {square}\b", log) for square in (one, other, third))


def test_a_move_may_be_typed_as_its_german_button_says_it(house: House) -> None:
    party = gathered(house, "rps")
    player = party.to_move()
    form = player.get(party.table, Accept_Language="de").form("/turn")
    answer = player.post(form.action, form.filled(say="stein"), Accept_Language="de")
    assert answer.status == 303
    assert "Du hast Stein gewählt" in player.get(party.table, Accept_Language="de").words


QUESTIONS = {
    "last": "The starter is the",
    "time": "The game started",
    "hand": "can be played",
    "who": "Golf: Guest Golf, 7 cards",
    "board": "On the pile:",
    "help": "play CARD",
    "?": "play CARD",
    "Who?": "Golf: Guest Golf, 7 cards",
}


@pytest.mark.parametrize(("question", "sentence"), QUESTIONS.items())
def test_a_question_is_answered_on_the_page_and_changes_nothing(
    house: House, question: str, sentence: str
) -> None:
    party = gathered(house, "eights")
    player = party.to_move()
    page = player.get(party.table)
    with house.unchanged():
        [form] = [form for form in page.forms if any(field.get("id") == "say" for field in form.inputs)]
        sent = form.filled(say=question)
        posted = player.post(form.action, sent)
        assert posted.status == 303
        assert "key=" not in posted.location
        answer = player.follow(posted)
        assert sentence in answer.words.partition("You asked:")[2].partition("Type a move")[0]
        must_be_sound(answer)
        by_asking = player.follow(player.get(f"{party.table}?{urlencode(sent)}"))
        assert sentence in by_asking.words
        assert by_asking.my_turn


@EVERY_GAME
def test_every_question_has_an_answer_in_every_game_for_everybody(house: House, slug: str) -> None:
    party = gathered(house, slug)
    viewers = party.viewers.values()
    with house.unchanged():
        for viewer in viewers:
            for question in textview.QUESTIONS:
                page = viewer.get(f"{party.table}?view=text&say={question}")
                assert page.status == 200
                assert "You asked:" in page.words
                assert "don't know that question" not in page.words
                must_be_sound(page)


def test_a_question_asked_in_german_is_answered_in_german(house: House) -> None:
    party = gathered(house, "eights")
    page = party.players[0].get(f"{party.table}?say=wer", Accept_Language="de")
    assert "Golf: Gast Golf, 7 Karten" in page.words.partition("Du fragst:")[2]


def test_what_nobody_understands_is_told_with_all_that_can_be_typed(house: House) -> None:
    party = gathered(house, "rps")
    stranger = house.visitor()
    answered = stranger.get(f"{party.table}?view=text&say=who")
    assert answered.seen.ids["live"]["data-page"] == f"{party.table}?say=who"  # news leave the answer there
    page = stranger.get(f"{party.table}?view=text&say=what+now")
    assert page.seen.ids["live"]["data-page"] == party.table
    assert "I don't know that question." in page.words
    assert "Who plays, and whose turn is it?" in page.words
    player = party.to_move()
    page = player.submit(player.get(party.table), "/turn", say="what now")
    assert (page.status, page.token) == (422, "rps.unknown_hand")


def test_a_move_that_is_asked_for_is_played_only_when_it_is_said_again(house: House) -> None:
    """A text browser may send the box by GET: then the page that asks once more comes first."""
    party = gathered(house, "chess")
    player = party.to_move()
    with house.unchanged():
        page = player.follow(player.get(f"{party.table}?say=Nf3"))
    assert "Nothing is played yet." in page.words
    answer = player.submit(page, "/turn")
    assert "played Nf3." in player.follow(answer).words


# -- staying there ------------------------------------------------------------------


def test_the_text_view_is_remembered_until_the_board_is_wanted_again(house: House) -> None:
    party = house.gathered("chess")
    player = party.players[0]
    assert not is_text(player.get(party.table))
    chosen = player.get(f"{party.table}?view=text")
    assert is_text(chosen)
    assert chosen.headers["Cache-Control"] == "no-store"
    assert is_text(player.get(party.table))
    assert not is_text(player.get(f"{party.table}?view=board"))
    assert not is_text(player.get(party.table))


def test_the_first_link_of_a_board_leads_to_the_text(house: House) -> None:
    party = house.gathered("chess")
    page = party.players[0].get(party.table)
    second = re.findall(r"<a [^>]*href=\"([^\"]*)[^>]*>([^<]*)", page.text)[1]
    assert second == (f"{party.table}?view=text", "Text version")


def test_it_can_be_chosen_in_the_menu_of_every_page(house: House) -> None:
    party = house.gathered("chess")
    player = party.players[0]
    page = player.get(party.table)
    assert not is_text(page)
    [text] = [each for each in page.form("/prefer").buttons if (each.name, each.value) == ("view", "text")]
    came_from = f"http://localhost{party.table}/turn"  # the answer to a form: it cannot be fetched again
    answer = player.post("/prefer", [(text.name, text.value)], Referer=came_from)
    assert answer.location == party.table
    assert is_text(player.get(party.table))


def test_a_refusal_comes_in_text_with_what_was_typed(house: House) -> None:
    party = gathered(house, "strifebarge")
    player = party.to_move()
    page = player.get(party.table)
    wrong = player.submit(page, "/turn", say="Z99")
    assert (wrong.status, wrong.token) == (422, "strifebarge.no_such_square")
    assert is_text(wrong)
    assert 'value="Z99"' in wrong.text
    must_be_sound(wrong)
    first = short_game(TITLES["strifebarge"].rules)[0]
    assert player.submit(page, "/turn", say=write(first.action)).status == 303
    late = player.submit(wrong, "/turn", say="A1")
    assert late.status == 409
    assert is_text(late)


def test_whoever_watches_and_whoever_looks_back_may_have_it_in_text(house: House) -> None:
    party = gathered(house, "chess")
    player = party.to_move()
    player.submit(player.get(party.table), "/turn", say="e4")
    for viewer in (player, house.visitor()):
        viewer.get(f"{party.table}?view=text")
        page = viewer.get(f"{party.table}/at/1")
        assert "4 . . . . P . . ." in " ".join(page.words.split())
        must_be_sound(page)
        other = viewer.get(f"{party.table}/at/1?view=board")
        assert "4 . . . . P . . ." not in other.words
        assert "e4, white pawn, last move" in other.words


def test_very_many_moves_are_a_menu(house: House) -> None:
    party = house.gathered("strifebarge", 3)
    player = party.to_move()
    page = player.get(f"{party.table}?view=text")
    [menu] = [form for form in page.forms if form.choices.get("move")]
    assert len(menu.choices["move"]) > textview.MANY
    assert player.post(menu.action, menu.filled()).status == 303


def test_who_wants_to_be_asked_once_more_is_asked_in_text_too(house: House) -> None:
    party = gathered(house, "chess")
    player = party.to_move()
    player.cookies["sure"] = "yes"
    [box] = [form for form in player.get(party.table).forms if any(f.get("id") == "say" for f in form.inputs)]
    assert (box.method, box.action) == ("GET", f"{party.table}/sure")
    with house.unchanged():
        page = player.get(f"{box.action}?{urlencode(box.filled(say='Nf3'))}")
        question = player.get(f"{box.action}?{urlencode(box.filled(say='who'))}")
    assert "You asked:" in player.follow(question).words
    assert "played Nf3." in player.follow(player.submit(page, "/turn")).words
