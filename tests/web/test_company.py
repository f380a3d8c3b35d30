"""Several people in a seat, substitutes, who is here, and what is done about who stays away: on the pages."""

from collections.abc import Callable
from itertools import count
from time import time

import pytest

from strifebarge.table.deadlines import silence
from strifebarge.table.policy import DAY
from strifebarge.table.table import Status, Table
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, token
from tests.web.test_put_aside import hand_of, press

numbers = count()


def key() -> list[tuple[str, str]]:
    """A form's key, never used before."""
    return [("key", f"{next(numbers):032}")]


class Clock:
    """The time at the tables, which a test may let pass."""

    def __init__(self, house: House):
        self.at = time()
        house.referee.now = lambda: self.at

    def days(self, number: float) -> None:
        self.at += number * DAY

    def seconds(self, number: float) -> None:
        self.at += number


@pytest.fixture
def clock(house: House) -> Clock:
    return Clock(house)


link = House.link


def follow(who: Local, path: str, name: str = "") -> Page:
    return who.submit(who.get(path), "/seat", name=name)


def seen(house: House) -> list[tuple[object, ...]]:
    return house.kept_of("seen")


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
        assert ("badge" in who.get("/").text) == who.get(party.table).my_turn


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
    assert house.referee.status(party.code).status is Status.PLAYING


def test_who_sits_down_beside_somebody_in_a_game_put_aside_sees_nothing_before_all_agree(
    house: House,
) -> None:
    party = house.gathered("eights", 2)
    keeper, other, guest = *party.players, house.visitor()
    hand = hand_of(keeper.get(party.table))
    press(other, party, "/suspend")
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
    press(party.players[0], party, "/suspend")
    path, guest = link(party.players[0], party.table, "beside"), house.visitor()
    for who in party.players:
        press(who, party, "/ready")
    guest.start("rps")
    page = guest.get(path)
    with house.unchanged():
        assert token(guest.submit(page, "/seat")) == "table.begun"
    assert "while it is put aside" in party.players[0].get(f"{party.table}/company").words


def test_one_of_several_who_leaves_leaves_the_seat_to_the_others(house: House) -> None:
    party, cleo = together(house)
    ben = party.players[1]
    assert "They play on without you." in ben.get(f"{party.table}/quit").words
    assert leave(ben, party.table, "free").status == 303
    assert "(you)" not in ben.get(party.table).words
    assert hand_of(cleo.get(party.table))
    chair = house.referee.status(party.code).chairs[1]
    assert (chair.called, list(chair.sat.values())) == ("Cleo", ["Ben", "Cleo"])


def test_the_books_know_all_who_played_a_seat(house: House) -> None:
    party, cleo = together(house)
    leave(party.players[0], party.table, "resign")
    table = house.referee.status(party.code)
    entry = house.referee.store.entry(table.record)
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
    return [chair.ready for chair in party.house.referee.status(party.code).chairs]


def setting(name: str, value: str) -> Callable[[Party], object]:
    def change(party: Party) -> object:
        who = party.players[0]
        return who.submit(who.get(f"{party.table}/settings"), "/settings", **{name: value})

    return change


CLEAR = {
    "somebody sits down": lambda party: party.house.visitor().join(party.table),
    "somebody stands up": lambda party: leave(party.players[2], party.table, "free"),
    "somebody changes seats": lambda party: press(party.players[2], party, "/sit", seat="3"),
    "somebody sits down beside another": lambda party: follow(
        party.house.visitor(), link(party.players[2], party.table, "beside")
    ),
    "the host frees a seat": lambda party: party.players[0].post(
        f"{party.table}/remove", [*key(), ("seat", "2")]
    ),
    "an option is changed": setting("salvo", "true"),
    "what becomes of the result is changed": setting("afterwards", "rated"),
    "who sits where is changed": setting("t_seating", "chance"),
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
    "what", ["afterwards", "seating", "patience", "remedy", "begins", "language", "salvo"]
)
def test_a_setting_set_to_what_it_was_asks_nobody_anew(house: House, what: str) -> None:
    party = agreeing(house)
    who = party.players[0]
    assert who.submit(who.get(f"{party.table}/settings"), "/settings").status == 303
    assert ready(party) == [True, True, False, False]
    assert not house.referee.status(party.code).set_by


@pytest.mark.parametrize("event", ["start", "suspend", "resume", "end"])
def test_readiness_does_not_outlive(house: House, event: str) -> None:
    party = house.fleet(2)
    if event in ("suspend", "resume"):
        press(party.players[0], party, "/suspend")
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
    assert "as chance decides when the game begins set by Guest Foxtrot" in words
    page = party.players[1].get(f"{party.table}/settings")
    wrong = {"t_patience": "1", "t_remedy": "shoot", "t_seating": "x", "t_language": "no such one"}
    for name, value in (("t_patience", "x"), *wrong.items()):
        with house.unchanged():
            refused = party.players[1].submit(page, "/settings", **{name: value})
            assert refused.status == 422


def test_it_begins_with_those_who_are_there_when_all_of_them_agree(house: House) -> None:
    party = agreeing(house)
    assert "Waiting for Guest Juliett." in party.players[0].get(party.table).words
    press(party.players[2], party, "/ready")
    table = house.referee.status(party.code)
    assert (table.status, len(table.chairs)) == (Status.PLAYING, 3)


def test_one_alone_waits_for_somebody_though_ready(house: House) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="4", t_begins="agreed").table
    press(host, Party(house, table, [host]), "/ready")
    assert "1 sit here: too few to begin." in host.get(table).words


def test_chance_decides_who_sits_where(house: House) -> None:
    orders = set()
    for _ in range(12):
        players = [house.visitor() for _ in range(3)]
        table = players[0].start("strifebarge", seats="3", t_seating="chance", name="Ann").table
        players[1].join(table, name="Ben")
        players[2].join(table, name="Cleo")
        chairs = house.referee.status(table.removeprefix("/g/")).chairs
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
    table = house.referee.status(again.removeprefix("/g/"))
    assert table.options["best_of"] == 3
    assert table.chairs[1].player == house.referee.status(party.code).chairs[0].player
    assert not any(chair.ready for chair in table.chairs)
    other.submit(other.get(again), "/ready")
    one.submit(one.get(again), "/ready")
    assert house.referee.status(table.id).status is Status.PLAYING


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
    status = house.referee.status(party.code).status
    assert status is (Status.OVER if first == "/end" else Status.PLAYING)


def test_two_who_are_ready_on_pages_of_the_same_moment_both_are(house: House) -> None:
    party = agreeing(house)
    for player in party.players[:2]:
        press(player, party, "/unready")
    pages = [player.get(party.table) for player in party.players]
    for player, page in zip(party.players, pages, strict=True):
        assert player.submit(page, "/ready").status == 303
    assert house.referee.status(party.code).status is Status.PLAYING


def test_who_asks_for_a_rematch_that_is_played_otherwise_by_now_looks_first(house: House) -> None:
    party = house.thrown("rock", "paper")
    one, other = party.players
    before = other.get(party.table)
    again = one.submit(one.get(party.table), "/rematch").table
    one.submit(one.get(f"{again}/settings"), "/settings", best_of="5")
    press(one, Party(house, again, party.players), "/ready")
    answer = other.submit(before, "/rematch")
    assert (answer.status, answer.table) == (303, again)
    assert house.referee.status(again.removeprefix("/g/")).status is Status.OPEN
    press(other, Party(house, again, party.players), "/ready")
    assert house.referee.status(again.removeprefix("/g/")).status is Status.PLAYING


# -- who stays away ---------------------------------------------------------------------------------


def waiting(house: House, people: int = 3, **terms: str) -> tuple[Party, Local, Local]:
    """A fleet at sea, who is to move, and somebody who waits for them."""
    party = house.gathered("strifebarge", people, **terms)
    mover = party.to_move()
    return party, mover, next(player for player in party.players if player is not mover)


def can(who: Local, party: Party) -> str:
    """The step that is offered about who is late."""
    page = who.get(party.table)
    return dict(page.form("/miss").fields)["step"] if page.has_form("/miss") else ""


def test_nothing_is_offered_before_the_time_that_was_agreed_and_then_what_was(
    house: House, clock: Clock
) -> None:
    party, mover, other = waiting(house, t_remedy="skip", t_patience=str(3 * DAY))
    clock.days(1)
    words = other.get(party.table).words
    assert "for 1 day. From " in words
    assert "Whoever keeps the others waiting for longer than 3 days: the game plays for them" in words
    seat = str(house.referee.status(party.code).waiting[0])
    with house.unchanged():
        early = other.post(f"{party.table}/miss", [*key(), ("seat", seat), ("step", "skip")])
        assert (early.status, token(early)) == (409, "table.not_late")
    clock.days(2.1)
    assert "that is long enough" in other.get(party.table).words
    assert can(other, party) == "skip"
    assert can(mover, party) == ""
    assert can(house.visitor(), party) == ""


def test_the_game_plays_for_who_is_away_and_after_two_times_they_may_be_taken_out(
    house: House, clock: Clock
) -> None:
    party, mover, other = waiting(house, 2, t_remedy="skip", t_patience=str(DAY))
    for step in ("skip", "skip", "out"):
        while not mover.get(party.table).my_turn:
            page = other.get(party.table)
            other.submit(page, "/turn", page.form("/turn").moves[0])
        clock.days(1.1)
        assert can(other, party) == step
        press(other, party, "/miss")
    page = other.get(party.table)
    assert page.over
    assert "is away: the game plays for them." in other.get(f"{party.table}/log").words


def test_who_comes_back_and_moves_starts_anew(house: House, clock: Clock) -> None:
    party, mover, other = waiting(house, 2, t_remedy="skip", t_patience=str(DAY))
    clock.days(1.1)
    press(other, party, "/miss")
    assert [chair.skipped for chair in house.referee.status(party.code).chairs].count(1) == 1
    while not mover.get(party.table).my_turn:
        page = other.get(party.table)
        other.submit(page, "/turn", page.form("/turn").moves[0])
    page = mover.get(party.table)
    mover.submit(page, "/turn", page.form("/turn").moves[0])
    assert not any(chair.skipped for chair in house.referee.status(party.code).chairs)


def test_the_seat_of_who_is_away_may_be_freed_and_somebody_else_plays_on(house: House, clock: Clock) -> None:
    party, mover, other = waiting(house, 2, t_remedy="replace", t_patience=str(DAY))
    clock.days(1.1)
    assert can(other, party) == "free"
    press(other, party, "/miss")
    assert "(you)" not in mover.get(party.table).words
    taker = house.visitor()
    taker.join(party.table)
    assert taker.get(party.table).my_turn
    leave(taker, party.table, "free")
    clock.days(1.1)
    assert can(other, party) == "out"
    press(other, party, "/miss")
    assert other.get(party.table).over


def test_the_game_may_be_ended_without_a_result(house: House, clock: Clock) -> None:
    party, _, other = waiting(house, 3, t_remedy="end", t_patience=str(DAY))
    clock.days(1.1)
    press(other, party, "/miss")
    assert "Ended without a result: somebody stayed away." in other.get(party.table).words
    table = house.referee.status(party.code)
    assert house.referee.store.entry(table.record).kind == "unfinished"


def test_of_two_the_other_may_take_the_win(house: House, clock: Clock) -> None:
    party, mover, other = waiting(house, 2)
    clock.days(7.1)
    assert can(other, party) == "out"
    press(other, party, "/miss")
    result = house.referee.status(party.code).result
    assert result is not None
    assert result.winners == [party.players.index(other)]
    assert mover.get(party.table).over


def test_a_game_put_aside_does_not_wait_for_ever_either(house: House, clock: Clock) -> None:
    for remedy, step in (("skip", "go_on"), ("replace", "free"), ("end", "end"), ("lose", "out")):
        party, _, other = waiting(house, 2, t_remedy=remedy, t_patience=str(DAY))
        press(other, party, "/suspend")
        press(other, party, "/ready")
        clock.days(1.1)
        assert can(other, party) == step
        press(other, party, "/miss")
        status = house.referee.status(party.code).status
        expected = {"skip": Status.PLAYING, "replace": Status.SUSPENDED}
        assert status is expected.get(remedy, Status.OVER)


@pytest.mark.parametrize("remedy", ["skip", "replace", "end", "lose"])
def test_who_has_put_a_game_aside_and_not_agreed_to_go_on_waits_for_nobody(
    house: House, clock: Clock, remedy: str
) -> None:
    party, mover, other = waiting(house, 2, t_remedy=remedy, t_patience=str(DAY))
    press(other, party, "/suspend")
    clock.days(5)
    seat = str(party.players.index(mover))
    assert can(other, party) == can(mover, party) == ""
    for step in ("go_on", "free", "end", "out"):
        with house.unchanged():
            refused = other.post(f"{party.table}/miss", [*key(), ("seat", seat), ("step", step)])
            assert token(refused) == "table.not_late"
    press(other, party, "/ready")
    clock.days(0.9)
    assert can(other, party) == ""
    clock.days(0.2)
    assert can(other, party)
    assert can(mover, party) == ""


def test_whoever_is_away_does_not_agree_to_an_end(house: House, clock: Clock) -> None:
    party, _, other = waiting(house, 2, t_remedy="skip", t_patience=str(DAY))
    press(other, party, "/suspend")
    press(other, party, "/end")
    press(other, party, "/ready")
    clock.days(1.1)
    assert can(other, party) == "go_on"
    press(other, party, "/miss")
    assert "Ready to go on?" in other.get(party.table).words
    press(other, party, "/ready")
    assert house.referee.status(party.code).status is Status.PLAYING


def test_one_who_is_left_with_a_seat_that_was_freed_may_end_the_game(house: House, clock: Clock) -> None:
    party, _, other = waiting(house, 2, t_remedy="replace", t_patience=str(DAY))
    for form in ("/suspend", "/end", "/ready"):
        press(other, party, form)
    clock.days(1.1)
    assert can(other, party) == "free"
    press(other, party, "/miss")
    press(other, party, "/ready")
    assert house.referee.status(party.code).status is Status.OVER


def test_a_step_that_has_become_another_is_refused(house: House, clock: Clock) -> None:
    party, _, other = waiting(house, 2, t_remedy="end", t_patience=str(DAY))
    clock.days(1.1)
    seat = str(house.referee.status(party.code).waiting[0])
    with house.unchanged():
        for step in ("skip", "", "nonsense"):
            refused = other.post(f"{party.table}/miss", [*key(), ("seat", seat), ("step", step)])
            assert (refused.status, token(refused)) == (409, "game.stale")


def test_a_game_that_nobody_comes_back_to_ends_after_half_a_year(house: House, clock: Clock) -> None:
    party = house.fleet(3)
    clock.days(179)
    house.referee.tend_all()
    assert house.referee.status(party.code).status is Status.PLAYING
    clock.days(1.1)
    silence(house.referee)(house.referee.now())  # as the ticker does
    assert house.referee.tend_all() == 0
    assert "nothing has happened for half a year" in party.players[0].get(party.table).words


# -- substitutes ------------------------------------------------------------------------------------


def test_a_substitute_sees_nothing_and_takes_the_seat_when_its_player_stays_away(
    house: House, clock: Clock
) -> None:
    party = house.gathered("eights", 2, t_patience=str(DAY))
    mover = party.to_move()
    helper = house.visitor()
    assert follow(helper, link(mover, party.table, "substitute"), "Dora").status == 303
    assert "substitute: Dora" in house.visitor().get(party.table).words
    hand = hand_of(mover.get(party.table))
    assert not helper.get(party.table).has_form("/take-over")
    seat = str(house.referee.status(party.code).waiting[0])
    with house.unchanged():
        early = helper.post(f"{party.table}/take-over", [*key(), ("seat", seat)])
        assert token(early) == "table.not_late"
        stranger = next(player for player in party.players if player is not mover)
        assert token(stranger.post(f"{party.table}/take-over", [*key(), ("seat", seat)])) == (
            "table.no_substitute"
        )
    assert helper.submit(helper.get("/me"), "/me/name", name="Eve").status == 303
    clock.days(1.1)
    page = helper.get(party.table)
    assert helper.submit(page, "/take-over").status == 303
    assert "Dora (you)" in helper.get(party.table).words
    assert 'value="Eve"' in helper.get("/me").text  # who is called so elsewhere
    assert hand_of(helper.get(party.table)) == hand
    assert "(you)" not in mover.get(party.table).words


# -- who is here ------------------------------------------------------------------------------------


def test_only_who_sits_at_a_table_is_noted_there_and_seldom(house: House, clock: Clock) -> None:
    party = house.fleet()
    for who in (house.visitor(), house.visitor()):
        who.start("rps")
        for path in ("", "/status", "/version"):
            who.get(party.table + path)
    players = {chair.player for chair in house.referee.status(party.code).chairs}
    assert {row[1] for row in seen(house) if row[0] == party.code} == players
    with house.unchanged():
        for path in ("", "/status", "/version", "/log", "/at/0"):
            house.visitor().get(party.table + path)
    player = party.players[0]
    clock.seconds(11)
    for path in ("/version", "/status", ""):
        player.get(party.table + path)
    first = [row for row in seen(house) if row[0] == party.code]
    clock.seconds(9)
    player.get(f"{party.table}/version")
    assert [row for row in seen(house) if row[0] == party.code] == first
    clock.seconds(2)
    before = house.referee.status(party.code).revision
    player.get(f"{party.table}/version")
    assert [row for row in seen(house) if row[0] == party.code] != first
    assert house.referee.status(party.code).revision == before


def test_all_are_told_who_is_here_and_when_who_is_not_was(house: House, clock: Clock) -> None:
    party = house.fleet()
    one, other = party.players
    clock.seconds(60)
    assert "last here just now" in one.get(party.table).words
    other.get(party.table)
    assert "here now" in one.get(party.table).words
    clock.seconds(20)
    assert "here now" in one.get(party.table).words
    clock.seconds(1200)
    assert "last here 20 minutes ago" in one.get(party.table).words
    assert "last here 20 minutes ago" in one.get(f"{party.table}?view=text&say=who").words


# -- live tables ------------------------------------------------------------------------------------


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "live", property(lambda table: True))


@pytest.mark.usefixtures("live")
def test_a_live_game_is_disrupted_while_somebody_is_away_and_goes_on_when_they_are_back(
    house: House, clock: Clock
) -> None:
    party = house.fleet()
    one, other = party.players
    for who in party.players:
        who.get(party.table)
    assert house.referee.show(None, party.code).status is Status.PLAYING
    clock.seconds(30)
    one.get(party.table)
    assert house.referee.show(None, party.code).status is Status.DISRUPTED
    assert "Not here now: Guest Golf." in one.get(party.table).words
    assert (
        "Not here now: Guest Golf." in one.get(f"{party.table}/status").words or one.get(party.table).my_turn
    )
    if one.get(party.table).my_turn:  # which may go on
        page = one.get(party.table)
        assert one.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    other.get(party.table)
    assert house.referee.show(None, party.code).status is Status.PLAYING


@pytest.mark.usefixtures("live")
def test_a_page_turned_within_the_grace_is_not_leaving(house: House, clock: Clock) -> None:
    party = house.fleet()
    for who in party.players:
        who.get(party.table)
    clock.seconds(15)
    assert house.referee.show(None, party.code).status is Status.PLAYING


@pytest.mark.usefixtures("live")
def test_a_live_game_that_all_have_left_is_put_aside_after_three_minutes_and_ends_after_90_seconds_more(
    house: House, clock: Clock
) -> None:
    party = house.fleet()
    for who in party.players:
        who.get(party.table)
    clock.seconds(30)
    assert house.referee.show(None, party.code).status is Status.ABANDONED
    assert not house.referee.tend(party.code)
    clock.seconds(150)
    assert house.referee.show(None, party.code).status is Status.ABANDONED
    clock.seconds(15)
    assert house.referee.show(None, party.code).status is Status.SUSPENDED
    assert house.referee.status(party.code).status is Status.PLAYING  # nobody has decided it yet
    assert house.referee.tend(party.code)
    assert house.referee.status(party.code).status is Status.SUSPENDED
    assert not house.referee.tend(party.code)
    clock.seconds(90)
    assert house.referee.tend(party.code)
    table = house.referee.status(party.code)
    assert (table.status, table.stopped) == (Status.OVER, "Ended without a result: everybody had gone.")


@pytest.mark.usefixtures("live")
def test_who_comes_back_in_time_to_a_live_game_that_was_put_aside_goes_on_with_it(
    house: House, clock: Clock
) -> None:
    party = house.fleet()
    for who in party.players:
        who.get(party.table)
    clock.seconds(230)
    page = party.players[0].get(party.table)
    assert "Everybody had gone, and the game was put aside by itself." in page.words
    for who in party.players:
        assert who.submit(who.get(party.table), "/ready").status == 303
    assert house.referee.status(party.code).status is Status.PLAYING


@pytest.mark.usefixtures("live")
def test_who_is_away_from_a_live_game_for_a_minute_on_their_turn_may_be_dealt_with(
    house: House, clock: Clock
) -> None:
    party, mover, other = waiting(house, 2)
    mover.get(party.table)
    clock.seconds(40)
    other.get(party.table)
    assert can(other, party) == ""
    clock.seconds(50)
    other.get(party.table)
    assert can(other, party) == "out"
    mover.get(party.table)  # back again
    assert can(other, party) == ""


@pytest.mark.usefixtures("live")
def test_the_script_is_told_when_somebody_comes_or_goes(house: House, clock: Clock) -> None:
    party = house.fleet()
    one, other = party.players
    clock.seconds(30)
    one.get(party.table)
    before = one.get(f"{party.table}/version").text
    other.get(party.table)
    assert (now := one.get(f"{party.table}/version").text) != before
    assert f'data-version="{now}"' in one.get(party.table).text


@pytest.mark.usefixtures("live")
def test_without_a_script_the_frame_is_the_presence_also_on_ones_own_turn(house: House, clock: Clock) -> None:
    party, mover, other = waiting(house, 2)
    page = mover.get(party.table)
    frame = page.text.split('<iframe class="status"')[1].split('src="')[1].split('"')[0].replace("&amp;", "&")
    for _ in range(4):
        told = mover.get(frame)
        assert "Nothing new." in told.words
        frame = told.text.split("url=")[1].split('"')[0].replace("&amp;", "&")
        clock.seconds(10)
        other.get(party.table)
        seat = house.referee.status(party.code).waiting[0]
        assert house.referee.show(None, party.code).places[seat].here


@pytest.mark.usefixtures("live")
def test_those_who_have_gone_from_a_live_table_before_the_game_have_not_agreed(
    house: House, clock: Clock
) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("rps").table
    host.get(table)
    clock.seconds(200)
    guest.join(table)
    assert house.referee.status(table.removeprefix("/g/")).status is Status.OPEN
    assert host.submit(host.get(table), "/ready").status == 303
    assert house.referee.status(table.removeprefix("/g/")).status is Status.PLAYING
