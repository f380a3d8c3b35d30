"""Plans on pages, without scripts: made by a field or by the board, shown to their player alone, dropped."""

import re

import pytest

from tests.web.house import House, Party
from tests.web.markup import must_be_sound

PLANNING = "/plan"


@pytest.fixture
def party(house: House) -> Party:
    """Ann and Ben at a chess board; Ben waits."""
    return house.gathered("chess", 2)


def plan(party: Party, text: str):
    ben = party.players[1]
    return ben.follow(ben.submit(ben.get(party.table), PLANNING, plan=text))


def sheet(party: Party) -> list[str]:
    return party.house.referee.views.show(None, party.code).position.game.sheet


def test_a_plan_is_made_shown_and_played(party):
    ann, ben = party.players
    page = plan(party, "e4 e5; Nf3 Nc6")
    assert "Your plan, which only you can see: e4 e5; Nf3 Nc6" in page.words
    must_be_sound(page)
    ann.move(party.table, "move e4")
    assert sheet(party) == ["e4", "e5"]
    assert "e4 e5; Nf3 Nc6" not in ben.get(party.table).words.partition("Or put")[0]
    assert "Nf3 Nc6" in ben.get(party.table).words


@pytest.mark.parametrize("view", ["board", "text"])
def test_only_who_waits_may_plan_and_nobody_else_sees_it(house, party, view):
    ann, ben = party.players
    stranger = house.visitor()
    path = f"{party.table}?view={view}"
    before = [who.get(path).text for who in (ann, stranger)]
    assert "Plan ahead" in ben.get(path).words
    plan(party, "h5")
    assert "h5" in ben.get(path).form(PLANNING)["plan"]
    for who, text in zip((ann, stranger), before, strict=True):
        assert "Plan ahead" not in text
        assert _without_keys(who.get(path).text) == _without_keys(text)


def _without_keys(text: str) -> str:
    """Without what is another one in each answer."""
    text = re.sub(r'name="?key"? value="?[^">]*|data-now="?[^">]*|datetime="?[^">]*', "", text)
    return re.sub(r"[?&]key=[^\"&]*|nonce-[^\"]*|request-[^\"]*", "", text)


def test_a_plan_is_dropped(party):
    ann, ben = party.players
    page = ben.follow(ben.submit(plan(party, "e5"), "/plan/drop"))
    assert "Your plan" not in page.words
    ann.move(party.table, "move e4")
    assert sheet(party) == ["e4"]


def test_who_had_a_plan_dropped_is_told_why_until_they_have_seen_it(party):
    ann, ben = party.players
    plan(party, "Qh4")
    ann.move(party.table, "move e4")
    page = ben.get(party.table)
    assert "Your plan was dropped: Qh4" in page.words
    assert "isn't possible" in page.words
    must_be_sound(page)
    assert "dropped" not in ann.get(party.table).words
    page = ben.follow(ben.submit(page, "/plan/drop"))
    assert "dropped" not in page.words


@pytest.mark.parametrize(
    ("text", "token", "status"),
    [
        ("", "table.empty_plan", 422),
        ("e4 e5 d4", "table.not_a_line", 422),
        ("e5; blah", "chess.unreadable_move", 422),
        ("<b>", "chess.unreadable_move", 422),
        ("Qxh8; exd6; O-O-O; e8=Q; a1a8", "", 303),
    ],
)
def test_what_cannot_be_planned_is_refused_and_stays_in_the_field(party, text, token, status):
    ben = party.players[1]
    page = ben.submit(ben.get(party.table), PLANNING, plan=text)
    assert page.status == status
    if token:
        assert f'data-token="{token}"' in page.text or f"data-token={token}" in page.text
        assert page.form(PLANNING)["plan"] == text


@pytest.mark.parametrize(
    ("game", "text", "token"),
    [
        ("strifebarge", "A1; banana", "strifebarge.no_such_square"),
        ("strifebarge", "👻", "strifebarge.no_such_square"),
        ("strifebarge", "A1; A1", ""),
        ("eights", "banana", "eights.unknown_card"),
        ("eights", "8H; 8H", ""),
    ],
)
def test_what_is_no_move_of_the_game_is_not_planned_and_all_else_is(house, game, text, token):
    party = house.gathered(game)
    mover = party.to_move()
    waiting = next(each for each in party.players if each is not mover)
    page = waiting.submit(waiting.get(party.table), PLANNING, plan=text)
    assert page.status == (422 if token else 303), page.words
    assert token in page.text


def test_odd_forms_are_refused(party):
    ben = party.players[1]
    form = ben.get(party.table).form(PLANNING)
    for seen in ("", "x", "-1", "9" * 30):
        fields = [(name, seen if name == "seen" else value) for name, value in form.filled(plan="e5")]
        assert ben.post(form.action, fields).status == 422
    fields = [(name, "77" if name == "seen" else value) for name, value in form.filled(plan="e5")]
    assert ben.post(form.action, fields).status == 409


def test_a_piece_is_picked_up_while_the_other_side_is_to_move_and_its_move_planned(party):
    ann, ben = party.players
    page = ben.get(party.table)
    pick = next(link for link in page.seen.links if "pick=e7" in link)
    page = ben.get(pick)
    must_be_sound(page)
    form = next(form for form in page.forms if form.action.endswith("/plan") and form.moves)
    assert {button.value for button in form.moves} == {f"move e7{to}" for to in ("e6", "d6", "f6", "e5")}
    button = next(each for each in form.moves if each.value == "move e7e5")
    page = ben.follow(ben.post(form.action, form.filled(button)))
    assert "planned" in page.words
    assert "planned" not in ann.get(party.table).words
    ann.move(party.table, "move e4")
    assert sheet(party) == ["e4", "e5"]


def test_what_is_not_ones_own_is_not_picked_up(party):
    ben = party.players[1]
    for at in ("e2", "e5", "h2h1"):
        page = ben.get(f"{party.table}?pick={at}")
        assert not any(form.action.endswith("/plan") and form.moves for form in page.forms)


def test_where_nobody_plans_there_is_no_field(house):
    party = house.gathered("rps", 2)
    for who in (*party.players, house.visitor()):
        assert "Plan ahead" not in who.get(party.table).words


def test_a_shot_is_planned_in_a_game_that_hides_something(house):
    party = house.gathered("strifebarge", 2)
    waiting = next(who for who in party.players if "Plan ahead" in who.get(party.table).words)
    page = waiting.follow(waiting.submit(waiting.get(party.table), PLANNING, plan="A1; fire B2"))
    assert "Your plan, which only you can see: A1; fire B2" in page.words


def test_a_plan_says_itself_in_german(party):
    ben = party.players[1]
    plan(party, "e5")
    page = ben.get(party.table, Accept_Language="de")
    assert "Dein Plan, den nur du siehst: e5" in page.words


def test_a_plan_that_is_typed_in_the_text_view_needs_one_more_press(party):
    ann, ben = party.players
    page = ben.get(f"{party.table}?view=text&say=plan+e7e5")
    must_be_sound(page)
    assert page.form(PLANNING)["plan"] == "e7e5"
    ben.submit(page, PLANNING)
    ann.move(party.table, "move e4")
    assert sheet(party) == ["e4", "e5"]
    assert "Plan ahead" not in ann.get(f"{party.table}?view=text&say=plan+e7e5").words


# -- on the board ----------------------------------------------------------------------


def waiting_at(party: Party):
    """Return somebody who waits, and the page to which `Plan` in the action bar leads them."""
    who = next(who for who in party.players if "Plan ahead" in who.get(party.table).words)
    [link] = [link for link in who.get(party.table).seen.links if "pick=plan" in link]
    return who, who.get(link.partition("#")[0])


def buttons(page, name: str):
    """Return the form of the board, and those of its buttons that have this name."""
    form = next(form for form in page.forms if form.action.endswith("/plan") and "more" in form)
    return form, re.findall(rf'name="?{name}"? value="([^"]+)"', page.text)


def pressed(who, page, name: str, words: str):
    form, offered = buttons(page, name)
    assert words in offered
    return who.follow(who.post(form.action, [*form.filled(), (name, words)]))


@pytest.mark.parametrize("game", ["strifebarge", "eights"])
def test_moves_are_planned_one_after_the_other_by_pressing_them_and_taken_back_there(house, game):
    party = house.gathered(game, 2)
    who, page = waiting_at(party)
    must_be_sound(page)
    first, second, *_ = buttons(page, "move")[1]
    page = pressed(who, page, "move", first)
    must_be_sound(page)
    assert buttons(page, "without")[1] == [first]
    page = pressed(who, page, "move", second)
    assert buttons(page, "without")[1] == [first, second]
    assert "Your plan, which only you can see:" in page.words
    page = pressed(who, page, "without", first)
    assert buttons(page, "without")[1] == [second]
    page = pressed(who, page, "without", second)
    assert buttons(page, "without")[1] == []
    assert "Your plan, which only you can see:" not in page.words
    for other in (*party.players, house.visitor()):
        if other is not who:
            assert "pick=plan" not in other.get(party.table).text
            assert not [form for form in other.get(f"{party.table}?pick=plan").forms if "more" in form]


def test_a_shot_that_is_planned_on_the_board_is_fired(house):
    party = house.gathered("strifebarge", 2)
    who, page = waiting_at(party)
    other = next(each for each in party.players if each is not who)
    shot = buttons(page, "move")[1][0]
    pressed(who, page, "move", shot)
    page = other.get(party.table)
    other.submit(page, "/turn", page.form("/turn").moves[-1])
    game = party.house.referee.views.show(None, party.code).position.game
    assert shot.removeprefix("fire ") in game.shots
    assert len(game.shots) == 2


def test_a_salvo_is_planned_by_ticking_its_squares(house):
    party = house.gathered("strifebarge", 2, salvo="true")
    who, page = waiting_at(party)
    must_be_sound(page)
    form = next(form for form in page.forms if form.action.endswith("/plan") and "more" in form)
    squares = re.findall(r"name=squares value=(\w+)", page.text)[:3]
    for too_few in ([], squares[:1]):
        fields = [*form.filled(), ("do", "salvo"), *(("squares", square) for square in too_few)]
        refused = who.post(form.action, fields)
        assert (refused.status, refused.token) == (422, "strifebarge.wrong_salvo")
    fields = [*form.filled(), ("do", "salvo"), *(("squares", square) for square in squares)]
    page = who.follow(who.post(form.action, fields))
    assert f"Your plan, which only you can see: {','.join(squares)}" in page.words


def test_odd_forms_of_the_board_are_refused_or_change_nothing(house):
    party = house.gathered("strifebarge", 2)
    who, page = waiting_at(party)
    form = buttons(page, "move")[0]
    page = pressed(who, page, "move", buttons(page, "move")[1][0])
    for odd in (("move", "dance"), ("do", "dance"), ("move", "fire")):
        answer = who.post(form.action, [*form.filled(key="k" * 30 + str(len(odd[1])).zfill(2)), odd])
        assert answer.status == 422
        assert answer.token
    buttons_before = buttons(who.get(f"{party.table}?pick=plan"), "without")[1]
    answer = who.post(form.action, [*form.filled(key="j" * 32), ("without", "fire Z99")])
    assert answer.status == 303
    assert buttons(who.get(f"{party.table}?pick=plan"), "without")[1] == buttons_before


def test_a_long_plan_grows_to_its_bound_and_no_further(house):
    party = house.gathered("strifebarge", 2)
    who, page = waiting_at(party)
    shots = buttons(page, "move")[1]
    typed = "; ".join(shots[:20])
    page = who.follow(who.submit(who.get(party.table), PLANNING, plan=typed))
    form = buttons(page := who.get(f"{party.table}?pick=plan"), "move")[0]
    answer = who.post(form.action, [*form.filled(), ("move", shots[20])])
    assert (answer.status, answer.token) == (422, "table.long_plan")
    assert buttons(who.get(f"{party.table}?pick=plan"), "without")[1] == shots[:20]
