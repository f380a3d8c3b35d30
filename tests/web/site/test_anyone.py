"""Play anyone: one press joins who waits, or has bots stand in until somebody comes."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.listing import STANDS_IN_FOR
from strifebarge.tables.model.table import Table
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, leave
from tests.web.markup import must_be_sound


@pytest.fixture
def empty(open_house: OpenHouse) -> House:
    """A house where nobody has opened a table yet."""
    return open_house()


def press(who: Local, game: str = "rps", page: str = "") -> Page:
    """Press "Play anyone" on the list of open tables."""
    return who.submit(who.get(page or f"/tables?game={game}"), f"/anyone/{game}")


def table_of(house: House, page: Page) -> Table:
    """Return the table that an answer leads to."""
    path = (page.location or "").partition("?")[0]
    return house.referee.store.table(path.removeprefix("/g/"))


def people(table: Table) -> list[str]:
    return [chair.player for chair in table.chairs if chair.player and not is_bot(chair.player)]


def test_where_nobody_waits_a_bot_stands_in_at_once(empty: House) -> None:
    ann = empty.visitor()
    page = ann.follow(press(ann))
    must_be_sound(page)
    assert "A bot stands in until someone comes." in page.words
    assert page.my_turn
    table = empty.referee.store.table(page.code)
    assert table.standing_in
    assert table.with_bots
    assert not table.settings.listed


def test_who_comes_begins_a_new_game_with_who_waits(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    waiting = table_of(empty, press(ann))
    new = table_of(empty, press(ben))
    assert new.id != waiting.id
    assert new.status == "playing"
    assert not new.with_bots
    assert len({*people(new)}) == 2
    assert people(waiting)[0] in people(new)
    page = ann.get(f"/g/{waiting.id}")
    must_be_sound(page)
    assert "No result: someone came, and your new game is here." in page.words
    assert "To the new game" in page.words
    led = ann.submit(page, "/rematch")
    assert led.table == f"/g/{new.id}"
    for who, hand in ((ann, "rock"), (ben, "paper")):
        assert who.move(f"/g/{new.id}", f"throw {hand}").status == 303
    assert ann.get(f"/g/{new.id}").over


def test_the_game_with_the_bot_counts_nowhere(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    waiting = table_of(empty, press(ann))
    press(ben)
    old = empty.referee.store.table(waiting.id)
    entry = empty.results.entry(old.ending.record)
    assert (entry.kind, entry.public, entry.rated) == ("unfinished", False, None)
    assert "You have no public games yet." in ann.get("/p/me").words


def test_an_open_table_with_the_usual_settings_is_joined(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    table = ann.start("rps", listed="yes").table
    assert press(ben).location == table
    assert empty.referee.store.table(table.removeprefix("/g/")).status == "playing"


@pytest.mark.parametrize(
    "options",
    [{"best_of": "3"}, {"afterwards": "rated"}, {"pace": "days-3"}, {"t_watching": "-1"}, {"listed": ""}],
    ids=["options", "rated", "pace", "watching", "private"],
)
def test_nobody_is_seated_by_one_press_where_something_else_was_agreed(
    empty: House, options: dict[str, str]
) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    other = ann.start("rps", **{"listed": "yes", **options})
    assert other.status == 200
    assert table_of(empty, press(ben)).standing_in


def test_the_same_press_twice_is_one_press(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    for who in (ann, ben):
        form = who.get("/tables?game=rps").form("/anyone/rps")
        twin = who.copy()  # a second click, before the first answer has brought a cookie
        first = who.post("/anyone/rps", form.filled())
        with empty.unchanged():
            second = who.post("/anyone/rps", form.filled())
        assert first.location.partition("?")[0] == second.location.partition("?")[0]
        third = twin.post("/anyone/rps", form.filled())
        assert third.status == 303
        assert third.location.partition("?")[0] == first.location.partition("?")[0]


def test_who_presses_again_while_waiting_comes_back_to_their_game(empty: House) -> None:
    ann = empty.visitor()
    first = press(ann)
    assert press(ann).location == first.location
    assert press(ann, "chess").location != first.location


def test_of_two_who_come_one_meets_who_waits_and_the_other_waits(empty: House) -> None:
    ann, ben, cleo = empty.visitor(), empty.visitor(), empty.visitor()
    waiting = press(ann)
    forms = [(who, who.get("/tables?game=rps").form("/anyone/rps").filled()) for who in (ben, cleo)]
    with ThreadPoolExecutor(2) as pool:
        answers = [*pool.map(lambda each: each[0].post("/anyone/rps", each[1]), forms)]
    assert [each.status for each in answers] == [303, 303]
    tables = [table_of(empty, each) for each in answers]
    assert sorted(len(people(table)) for table in tables) == [1, 2]
    assert [table.standing_in for table in tables].count(True) == 1
    assert table_of(empty, waiting).status == "over"
    for table in tables:
        assert len({*people(table)}) == len(people(table))


def test_a_game_of_three_waits_for_the_third_at_an_open_table(empty: House) -> None:
    ann, ben, cleo = empty.visitor(), empty.visitor(), empty.visitor()
    press(ann, "startups")
    new = table_of(empty, press(ben, "startups"))
    seats = len(new.chairs)
    assert (new.status, new.settings.listed, len(people(new))) == ("open", True, 2)
    assert table_of(empty, press(cleo, "startups")).id == new.id
    assert len(people(empty.referee.store.table(new.id))) == min(3, seats)


def test_who_waits_is_listed_by_name_and_game_and_by_nothing_else(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    ann.start("rps", name="Ann <b>")
    waiting = table_of(empty, press(ann, "strifebarge"))
    with empty.unchanged():
        for path in ("/tables", "/tables?game=strifebarge"):
            page = ben.get(path)
            must_be_sound(page)
            assert "Ann <b> · StrifeBarge plays bots meanwhile" in page.words
            assert f"/g/{waiting.id}" not in page.seen.links
            for secret in (people(waiting)[0], waiting.seed):
                assert secret not in page.text
        assert "plays bots meanwhile" not in ann.get("/tables").words
        assert "plays bots meanwhile" not in ben.get("/tables?game=chess").words
    page = ben.get("/tables")
    form = next(each for each in page.forms if each.action == "/anyone/strifebarge")
    new = table_of(empty, ben.post(form.action, form.filled()))
    assert people(waiting)[0] in people(new)
    assert "plays bots meanwhile" not in empty.visitor().get("/tables").words


def test_who_has_left_or_has_been_away_for_long_waits_for_nobody(
    empty: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    gone = press(ann)
    leave(ann, gone.location.partition("?")[0], "resign")
    assert table_of(empty, press(ben)).standing_in
    now = empty.referee.now()
    monkeypatch.setattr(empty.referee, "now", lambda: now + STANDS_IN_FOR + 60)
    cleo = empty.visitor()
    assert "plays bots meanwhile" not in cleo.get("/tables").words
    assert table_of(empty, press(cleo)).standing_in


def test_the_list_changes_its_version_when_somebody_comes_or_goes(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    versions = [ben.get("/tables/version").text]
    press(ann)
    versions.append(ben.get("/tables/version").text)
    press(ben)
    versions.append(empty.visitor().get("/tables/version").text)
    assert versions[0] == versions[2] != versions[1]
    assert f'data-version="{versions[0]}"' in empty.visitor().get("/tables").text


def test_the_list_tells_nothing_of_what_happens_in_a_game_with_bots(empty: House) -> None:
    ann, ben = empty.visitor(), empty.visitor()
    table = (press(ann).location or "").partition("?")[0]
    before = ben.get("/tables").words, ben.get("/tables/version").text
    assert ann.move(table, "throw rock").status == 303
    assert (ben.get("/tables").words, ben.get("/tables/version").text) == before


def test_without_bots_a_listed_table_is_opened(open_house: OpenHouse) -> None:
    house = open_house(bots="off")
    ann, ben = house.visitor(), house.visitor()
    waiting = table_of(house, press(ann))
    assert (waiting.status, waiting.settings.listed) == ("open", True)
    assert press(ann).location == f"/g/{waiting.id}"
    assert press(ben).location == f"/g/{waiting.id}"


def test_a_game_that_does_not_exist_and_a_form_that_is_not_whole_are_refused(empty: House) -> None:
    ann = empty.visitor()
    with empty.unchanged():
        assert ann.post("/anyone/nosuch", [("key", "k" * 32)]).status == 404
        assert ann.post("/anyone/rps", [("key", "short")]).status == 422
        assert ann.get("/anyone/rps").status == 405


def test_the_first_page_has_the_button_for_each_game(empty: House) -> None:
    ann = empty.visitor()
    page = ann.get("/")
    for title in empty.referee.library:
        assert (f'formaction="/anyone/{title.slug}"' in page.text) is not title.for_one
