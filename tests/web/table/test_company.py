"""Several people in a seat, and what clears the readiness of all: on the pages."""

from collections.abc import Callable

import pytest

from strifebarge.rules.pace import DAY
from strifebarge.tables.model.table import Status
from tests.support.visitor import Local, Page
from tests.web.company import follow, link
from tests.web.house import House, Party, leave, suspend, token
from tests.web.markup import must_be_sound, text
from tests.web.table.test_put_aside import hand_of, press

# -- several people in a seat ---------------------------------------------------------------


def together(house: House) -> tuple[Party, Local]:
    """Eights, where Cleo plays the second seat together with Ben."""
    ann, ben, cleo = house.visitor(), house.visitor(), house.visitor()
    table = ann.start("eights", seats="2", name="Ann", t_begins="agreed").table
    ben.join(table, name="Ben")
    assert follow(cleo, link(ben, table, "beside"), "Cleo").status == 303
    party = Party(house, table, [ann, ben])
    for who in (ann, ben, cleo):
        press(who, party, "/ready")
    return party, cleo


def test_those_who_play_a_seat_together_see_the_same_and_either_moves_for_it(house: House) -> None:
    party, cleo = together(house)
    ben = party.players[1]
    assert hand_of(ben.get(party.table)) == hand_of(cleo.get(party.table))
    assert "Ben & Cleo" in party.players[0].get(party.table).words
    while not cleo.get(party.table).my_turn:
        ann = party.players[0]
        page = ann.get(party.table)
        ann.submit(page, "/turn", page.form("/turn").moves[0])
    late = ben.get(party.table)
    page = cleo.get(party.table)
    assert cleo.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    assert "(Cleo)" in party.players[0].get(f"{party.table}/log").words
    refused = ben.submit(late, "/turn", late.form("/turn").moves[0])
    assert refused.status == 409
    assert house.referee.store.waiting_for("nobody") == 0


def test_it_is_the_turn_of_all_who_play_a_seat_and_the_game_is_among_theirs(house: House) -> None:
    party, cleo = together(house)
    ben = party.players[1]
    for who in (ben, cleo):
        assert party.table in who.get("/games").text
        assert ('class="badge"' in who.get("/").text) == who.get(party.table).my_turn


def test_a_game_begins_when_all_of_a_seat_are_ready(house: House) -> None:
    ann, ben, cleo = house.visitor(), house.visitor(), house.visitor()
    table = ann.start("eights", seats="2", t_begins="agreed").table
    ben.join(table)
    follow(cleo, link(ben, table, "beside"))
    party = Party(house, table, [ann, ben])
    press(ann, party, "/ready")
    press(ben, party, "/ready")
    assert "Ready?" in cleo.get(table).words
    assert "Waiting for" in ben.get(table).words
    press(cleo, party, "/ready")
    assert house.referee.views.status(party.code).status is Status.PLAYING


def test_who_sits_down_beside_somebody_in_a_game_put_aside_sees_nothing_before_all_agree(
    house: House,
) -> None:
    party = house.gathered("eights", 2)
    keeper, other, guest = *party.players, house.visitor()
    hand = hand_of(keeper.get(party.table))
    suspend(other, party)
    follow(guest, link(keeper, party.table, "beside"), "Cleo")
    public = house.visitor().get(party.table).text
    for look in (party.table, f"{party.table}/at/0", f"{party.table}/log", f"{party.table}?view=text"):
        text = guest.get(look).text
        assert not [card for card in hand if card in text and card not in public]
    for who in (guest, keeper, other):
        press(who, party, "/ready")
    guest.get(f"{party.table}?view=board")
    assert hand_of(guest.get(party.table)) == hand


def test_nobody_sits_down_beside_somebody_in_the_middle_of_a_game(house: House) -> None:
    party = house.gathered("eights", 2)
    suspend(party.players[0], party)
    path, guest = link(party.players[0], party.table, "beside"), house.visitor()
    for who in party.players:
        press(who, party, "/ready")
    guest.start("rps")
    page = guest.get(path)
    with house.unchanged():
        assert token(guest.submit(page, "/seat")) == "table.begun"
    assert "while it's suspended" in party.players[0].get(f"{party.table}/company").words


def test_one_of_several_who_leaves_leaves_the_seat_to_the_others(house: House) -> None:
    party, cleo = together(house)
    ben = party.players[1]
    assert "They play on without you." in ben.get(f"{party.table}/quit").words
    assert leave(ben, party.table, "free").status == 303
    assert "(you)" not in ben.get(party.table).words
    assert hand_of(cleo.get(party.table))
    chair = house.referee.views.status(party.code).chairs[1]
    assert (chair.called, list(chair.sat.values())) == ("Cleo", ["Ben", "Cleo"])


def test_the_books_know_all_who_played_a_seat(house: House) -> None:
    party, cleo = together(house)
    leave(party.players[0], party.table, "resign")
    table = house.referee.views.status(party.code)
    entry = house.store.results.entry(table.ending.record)
    assert sorted(each.name for each in entry.in_seat(1)) == ["Ben", "Cleo"]
    assert [each.place for each in entry.in_seat(1)] == [1, 1]
    assert cleo.get(party.table).has_form("/rematch")


def test_a_seat_has_room_for_eight(house: House) -> None:
    table = (host := house.visitor()).start("eights", seats="2").table
    path = link(host, table, "beside")
    for _ in range(7):
        assert follow(house.visitor(), path).status == 303
    assert token(follow(house.visitor(), path)) == "table.crowded"


# -- readiness ----------------------------------------------------------------------------------


def agreeing(house: House) -> Party:
    """Three of four at a table that begins when all agree, and two of them have."""
    players = [house.visitor() for _ in range(3)]
    table = players[0].start("strifebarge", seats="4", t_begins="agreed").table
    for player in players[1:]:
        player.join(table)
    party = Party(house, table, players)
    for player in players[:2]:
        press(player, party, "/ready")
    assert ready(party) == [True, True, False, False]
    return party


def ready(party: Party) -> list[bool]:
    return [chair.ready for chair in party.house.referee.views.status(party.code).chairs]


def setting(name: str, value: str) -> Callable[[Party], object]:
    def change(party: Party) -> object:
        who = party.players[0]
        return who.submit(who.get(f"{party.table}/settings"), "/settings", **{name: value})

    return change


def test_a_setting_has_the_same_name_in_its_form_and_at_the_table(house: House) -> None:
    party = agreeing(house)
    who = party.players[0]
    form = must_be_sound(who.get(f"{party.table}/settings"))
    names = {each.get("for"): text(each) for each in form.iter("label")}
    for name, value in (
        ("afterwards", "rated"),
        ("t_seating", "chance"),
        ("t_watching", "3"),
        ("t_language", "de"),
    ):
        setting(name, value)(party)
        facts = [text(each) for each in must_be_sound(who.get(party.table)).iter("dt")]
        assert names[name] in facts


def test_a_language_that_no_one_chose_is_each_players_own(house: House) -> None:
    party = agreeing(house)
    form = must_be_sound(party.players[0].get(f"{party.table}/settings"))
    [select] = [each for each in form.iter("select") if each.get("id") == "t_language"]
    [chosen] = [text(each) for each in select if each.get("selected") is not None]
    assert chosen == "each player's own language"


def free(party: Party, seat: int) -> Page:
    """The host frees a seat before the game."""
    forms = party.players[0].get(party.table).forms
    form = next(each for each in forms if ("seat", str(seat)) in each.fields and "/remove" in each.action)
    return party.players[0].post(f"{party.table}/remove", form.filled())


CLEAR = {
    "somebody sits down": lambda party: party.house.visitor().join(party.table),
    "somebody stands up": lambda party: leave(party.players[2], party.table, "free"),
    "somebody changes seats": lambda party: press(party.players[2], party, "/sit", seat="3"),
    "somebody sits down beside another": lambda party: follow(
        party.house.visitor(), link(party.players[2], party.table, "beside")
    ),
    "the host frees a seat": lambda party: free(party, 2),
    "an option is changed": setting("salvo", "true"),
    "what becomes of the result is changed": setting("afterwards", "rated"),
    "who sits where is changed": setting("t_seating", "chance"),
    "who may watch is changed": setting("t_watching", "3"),
    "the patience is changed": setting("t_patience", str(DAY)),
    "the remedy is changed": setting("t_remedy", "end"),
    "the language is changed": setting("t_language", "de"),
    "the list of open tables": lambda party: press(party.players[0], party, "/publish"),
    "when it begins is changed": setting("t_begins", "full"),
}


@pytest.mark.parametrize("what", CLEAR)
def test_readiness_is_asked_anew_when(house: House, what: str) -> None:
    party = agreeing(house)
    CLEAR[what](party)
    assert ready(party) == [False] * 4


@pytest.mark.parametrize(
    "what", ["afterwards", "seating", "watching", "patience", "remedy", "begins", "language", "salvo"]
)
def test_a_setting_set_to_what_it_was_asks_nobody_anew(house: House, what: str) -> None:
    party = agreeing(house)
    who = party.players[0]
    assert who.submit(who.get(f"{party.table}/settings"), "/settings").status == 303
    assert ready(party) == [True, True, False, False]
    assert not house.referee.views.status(party.code).settings.set_by


@pytest.mark.parametrize("event", ["start", "suspend", "resume", "end"])
def test_readiness_does_not_outlive(house: House, event: str) -> None:
    party = house.fleet(2)
    if event in ("suspend", "resume"):
        suspend(party.players[0], party)
    if event == "resume":
        for player in party.players:
            press(player, party, "/ready")
    if event == "end":
        leave(party.players[0], party.table, "resign")
    assert ready(party) == [False, False]


def test_each_setting_says_who_set_it_and_wrong_ones_are_refused(house: House) -> None:
    party = agreeing(house)
    setting("t_seating", "chance")(party)
    words = party.players[1].get(party.table).words
    assert "random set by Guest Foxtrot" in words
    page = party.players[1].get(f"{party.table}/settings")
    wrong = {"t_patience": "1", "t_remedy": "shoot", "t_seating": "x", "t_language": "no such one"}
    for name, value in (("t_patience", "x"), *wrong.items()):
        with house.unchanged():
            refused = party.players[1].submit(page, "/settings", **{name: value})
            assert refused.status == 422


@pytest.mark.parametrize("code", ["xx", "fr", "de-DE", "no such one"])
def test_a_language_that_the_site_does_not_speak_is_refused(house: House, code: str) -> None:
    party = agreeing(house)
    page = party.players[1].get(f"{party.table}/settings")
    before = ready(party)
    with house.unchanged():
        refused = party.players[1].submit(page, "/settings", t_language=code)
        assert refused.status == 422
        assert "setting doesn't exist" in refused.words
        opening = party.players[1].submit(
            party.players[1].get("/new/strifebarge"), "/new/strifebarge", t_language=code
        )
        assert opening.status == 422
    assert ready(party) == before
    assert any(before)


def test_it_begins_with_those_who_are_there_when_all_of_them_agree(house: House) -> None:
    party = agreeing(house)
    assert "Waiting for Guest Juliett." in party.players[0].get(party.table).words
    press(party.players[2], party, "/ready")
    table = house.referee.views.status(party.code)
    assert (table.status, len(table.chairs)) == (Status.PLAYING, 3)


def test_one_alone_waits_for_somebody_though_ready(house: House) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="4", t_begins="agreed").table
    press(host, Party(house, table, [host]), "/ready")
    assert "1 here. You need more to start." in host.get(table).words


def test_chance_decides_who_sits_where(house: House) -> None:
    orders = set()
    for _ in range(12):
        players = [house.visitor() for _ in range(3)]
        table = players[0].start("strifebarge", seats="3", t_seating="chance", name="Ann").table
        players[1].join(table, name="Ben")
        players[2].join(table, name="Cleo")
        chairs = house.referee.views.status(table.removeprefix("/g/")).chairs
        assert [chair.seat for chair in chairs] == [0, 1, 2]
        orders.add(tuple(chair.called for chair in chairs))
        assert sum(player.get(table).my_turn for player in players) == 1
    assert len(orders) > 1


def test_the_settings_of_a_rematch_can_be_changed_and_the_seats_have_turned(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    again = one.submit(one.get(party.table), "/rematch").table
    assert "Guest Foxtrot" in one.get(again).words or "Guest Golf" in one.get(again).words
    page = one.get(f"{again}/settings")
    assert one.submit(page, "/settings", best_of="3", t_remedy="end").status == 303
    table = house.referee.views.status(again.removeprefix("/g/"))
    assert table.settings.options["best_of"] == 3
    assert table.chairs[1].player == house.referee.views.status(party.code).chairs[0].player
    assert not any(chair.ready for chair in table.chairs)
    other.submit(other.get(again), "/ready")
    one.submit(one.get(again), "/ready")
    assert house.referee.views.status(table.id).status is Status.PLAYING


# -- to agree is to agree to what one has seen ---------------------------------------------------------


def stale(who: Local, party: Party, before: Page, ending: str) -> None:
    """A form of a page made before is refused and changes nothing; that of the page shown instead is not."""
    with party.house.unchanged():
        refused = who.submit(before, ending)
        assert (refused.status, refused.token) == (409, "table.changed")
    assert who.submit(refused, ending).status == 303


@pytest.mark.parametrize("what", CLEAR)
def test_nobody_is_ready_for_what_they_have_not_seen(house: House, what: str) -> None:
    party = agreeing(house)
    who = party.players[1]
    press(who, party, "/unready")
    before = who.get(party.table)
    CLEAR[what](party)
    stale(who, party, before, "/ready")


def test_nobody_sits_down_at_a_table_that_is_run_otherwise_than_they_have_seen(house: House) -> None:
    host, guest, other = house.visitor(), house.visitor(), house.visitor()
    party = Party(house, host.start("strifebarge", seats="3").table, [host])
    before = guest.get(party.table)
    other.join(party.table)  # with whom does not matter here
    setting("salvo", "true")(party)
    stale(guest, party, before, "/join")


@pytest.mark.parametrize("first", ["/end", "/ready"])
def test_who_was_ready_to_go_on_does_not_end_the_game_by_it_nor_the_other_way_round(
    house: House, first: str
) -> None:
    party = house.put_aside()
    one, other = party.players
    if first == "/ready":
        press(one, party, "/end")
    before = other.get(party.table)
    press(one, party, "/end")  # proposed, or taken back
    press(one, party, "/ready")
    stale(other, party, before, "/ready")
    status = house.referee.views.status(party.code).status
    assert status is (Status.OVER if first == "/end" else Status.PLAYING)


def test_two_who_are_ready_on_pages_of_the_same_moment_both_are(house: House) -> None:
    party = agreeing(house)
    for player in party.players[:2]:
        press(player, party, "/unready")
    pages = [player.get(party.table) for player in party.players]
    for player, page in zip(party.players, pages, strict=True):
        assert player.submit(page, "/ready").status == 303
    assert house.referee.views.status(party.code).status is Status.PLAYING


def test_who_asks_for_a_rematch_that_is_played_otherwise_by_now_looks_first(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    before = other.get(party.table)
    again = one.submit(one.get(party.table), "/rematch").table
    one.submit(one.get(f"{again}/settings"), "/settings", best_of="5")
    press(one, Party(house, again, party.players), "/ready")
    answer = other.submit(before, "/rematch")
    assert (answer.status, answer.table) == (303, again)
    assert house.referee.views.status(again.removeprefix("/g/")).status is Status.OPEN
    press(other, Party(house, again, party.players), "/ready")
    assert house.referee.views.status(again.removeprefix("/g/")).status is Status.PLAYING
