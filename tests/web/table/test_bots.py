"""Pages and forms about bots: a game in two clicks, bots at a table, in two languages; and a site without."""

import pytest

from strifebarge.tables.model.bots import bot_id
from strifebarge.tables.model.player import public_id
from strifebarge.web.words.notifications import PlainVoice
from tests.support import forms
from tests.support.databases import statements
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Wall, leave, token
from tests.web.test_statements import MOVE, OF_A_PAGE, counted

GERMAN = {"Accept_Language": "de"}
BOT_PAGE = f"/p/{public_id(bot_id('easy', 1))}"


def against(visitor: Local, game: str, level: str = "easy") -> Page:
    """The two clicks: from the landing page to the page about this game's bots, and a button there."""
    assert f'href="/bots/{game}"' in visitor.get("/").text
    page = visitor.get(f"/bots/{game}")
    assert [form.action for form in page.forms if form.action.startswith("/bots")] == [f"/bots/{game}"]
    return visitor.submit(page, f"/bots/{game}", level=level)


def bring(host: Local, table: str, **fields: str) -> Page:
    page = host.get(table)
    form = page.form("/add-bot")
    return host.post(form.action, form.filled(**fields))


@pytest.mark.parametrize("game", ["chess", "eights", "startups"])
def test_a_lone_visitor_plays_after_two_clicks(house: House, game: str) -> None:
    ann = house.visitor()
    begun = against(ann, game)
    assert begun.status == 303
    page = ann.get(begun.table)
    assert "Bot (easy)" in page.words
    assert "Bot (leicht)" in ann.get(begun.table, **GERMAN).words
    assert "here now" not in page.words
    forms.bots_move(house.referee, begun.code)
    assert ann.get(begun.table).my_turn
    page = ann.get("/games")
    assert "Bot (easy)" in page.words


def test_the_same_form_begins_one_game(house: House) -> None:
    ann = house.visitor()
    form = ann.get("/bots").form("/bots/rps")
    both = [ann.post(form.action, form.filled(level="hard")) for _ in range(2)]
    assert both[0].table == both[1].table
    wrong = ann.post("/bots/rps", ann.get("/bots").form("/bots/rps").filled(level="best"))
    assert (wrong.status, "Choose easy, medium or hard" in wrong.words) == (422, True)
    assert ann.post("/bots/nothing", form.filled(level="hard")).status == 404


def test_the_host_fills_a_table_and_sends_bots_away(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    table = ann.start("strifebarge", seats="4", afterwards="rated").table
    assert "Games with bots are never rated." in ann.get(table).words
    ben.join(table)
    assert not ben.get(table).has_form("/add-bot")
    assert bring(ann, table, seat="2", level="hard").status == 303
    page = ben.get(table)
    assert "Bot (hard)" in page.words
    assert "public, not rated because of bots" in page.words
    assert "public and rated" not in page.words
    assert page.has_form("/ready")  # it was to be rated, so Ben is asked again
    assert ann.submit(ann.get(table), "/remove-bot").status == 303
    assert "Bot (hard)" not in ben.get(table).words
    page = ann.get(table)
    fill = page.form("/add-bot")
    assert ann.post(f"{table}/fill-with-bots", fill.filled(level="medium")).status == 303
    assert "Bot (medium) 2" in ann.get(table).words
    assert ben.submit(ben.get(table), "/ready").status == 303
    assert "Your turn" in ann.get(table).words
    refused = ann.post(f"{table}/add-bot", fill.filled(level="medium", key="another-key-of-a-form"))
    assert token(refused) == "table.begun"


def test_bots_are_marked_on_lists_results_and_their_own_page(house: House) -> None:
    ann = house.visitor()
    listed = ann.start("strifebarge", seats="3", listed="yes").table
    bring(ann, listed, seat="1")
    assert "1 bot plays." in house.visitor().get("/tables").words
    table = ann.start("rps", afterwards="rated", name="Ann").table
    bring(ann, table, level="easy")
    leave(ann, table, "resign")
    page = ann.get(table)
    assert "Not rated: a bot played." in page.words
    record = ann.get(ann.get(table).text.partition('href="/r/')[2].partition('"')[0].join(("/r/", "")))
    assert BOT_PAGE in record.text
    page = ann.get(BOT_PAGE)
    assert "Bot (easy)" in page.words
    assert "This isn't a person" in page.words
    assert "Bot (easy)" in ann.get("/p/me").words
    assert "Bot (leicht)" in ann.get(table, **GERMAN).words


def test_who_comes_back_takes_their_seat_from_a_bot(house: House) -> None:
    party = house.fleet(3)
    ann, ben = party.players[:2]
    with house.referee.store.change(party.code) as change:
        change.table.chairs[0].since = house.referee.now() - 30 * 86400
    page = ben.get(party.table)
    assert "Let a bot play for Guest Foxtrot" in page.text
    form = next(form for form in page.forms if "step" in form and form["step"] == "bot")
    assert ben.post(form.action, form.filled()).status == 303
    forms.bots_move(house.referee, party.code)
    page = ben.get(party.table)
    assert "Guest Foxtrot & Bot (medium)" in page.words
    assert "a bot takes over this seat" in page.words
    assert not page.has_form("/dismiss-bot")
    page = ann.get(party.table)
    assert "A bot plays your seat." in page.words
    assert ann.submit(page, "/dismiss-bot").status == 303
    assert not ann.get(party.table).has_form("/dismiss-bot")
    assert "Bot (medium)" not in ben.get(party.table).words.partition("Log")[0]


def test_a_site_without_bots_shows_and_does_nothing_of_them(open_house: OpenHouse) -> None:
    house = open_house(bots="off")
    ann = house.visitor()
    for path in ("/", "/new/chess", "/rules/chess"):
        assert "/bots" not in ann.get(path).text
    page = ann.get("/bots")
    assert (page.status, token(page)) == (409, "table.no_bots")
    table = ann.start("chess").table
    page = ann.get(table)
    assert not page.has_form("/add-bot")
    key = page.form("/settings" if page.has_form("/settings") else "/renew").fields
    answer = ann.post(f"{table}/add-bot", [*key, ("level", "easy")])
    assert token(answer) == "table.no_bots"
    assert token(ann.post("/bots/chess", [*key, ("level", "easy")])) == "table.no_bots"


def test_who_plays_enough_games_with_bots_is_told_kindly(open_house: OpenHouse, wall: Wall) -> None:
    house = open_house(bots_per_person=1, bots_per_site=2)
    ann, ben, cleo = (house.visitor() for _ in range(3))
    assert against(ann, "chess").status == 303
    page = against(ann, "chess")
    assert (page.status, page.has_form("/bots/chess")) == (409, True)
    assert "You have 1 games with bots, and that's the limit." in page.words
    assert against(ben, "rps").status == 303
    assert "All bots of this site are busy." in against(cleo, "rps").words


def test_a_bot_at_the_table_costs_no_statement_more(house: House) -> None:
    ann = house.visitor()
    table = against(ann, "strifebarge").table
    house.referee.attendance.deferred = True
    run = statements(house.referee.store.engine)  # type: ignore[attr-defined]
    page = ann.get(table)
    assert counted(run) == OF_A_PAGE
    assert ann.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    assert counted(run) == MOVE
    house.referee.attendance.deferred = False


def test_notices_name_bots_in_their_readers_language(house: House) -> None:
    german = house.app.extensions["languages"].by_code["de"]
    names = ("Bot (hard)", "Bot (hard) 2", "Botho (hard)")
    assert [PlainVoice(german).known_as(name) for name in names] == [
        "Bot (schwer)",
        "Bot (schwer) 2",
        names[2],
    ]
