"""Bots at tables, on a real database: they sit, agree at once, stand in, and are nobody one can be."""

from secrets import token_hex

import pytest

from strifebarge.bots.search.thinking import LEVELS as THINKING
from strifebarge.lib.lookalikes import is_reserved
from strifebarge.people.models import IdentityRefusal
from strifebarge.results.bookkeeper import unrated
from strifebarge.rules import Refused
from strifebarge.store.store import Store
from strifebarge.tables.acts import bots, handing_over, leaving, recovery, seating, suspending
from strifebarge.tables.clock.absence import NEVER_CAME
from strifebarge.tables.clock.presence import TablePresence, status_with_presence
from strifebarge.tables.model.bots import (
    EACH,
    LEVELS,
    BotRules,
    WaitingQuestion,
    bot_id,
    bot_name,
    is_bot,
    level_of,
)
from strifebarge.tables.model.chair import FLAGS
from strifebarge.tables.model.player import Player, public_id
from strifebarge.tables.model.status import ResultUse
from strifebarge.tables.model.table import Chair, Person, Status, TableRefusal
from tests.store.conftest import a_receipt, a_table, form_token
from tests.store.scenes import tried
from tests.support import forms
from tests.support.databases import statements

BOT = bot_id("easy", 1)


def with_bot(id, **fields):
    """A table where a bot has the second seat, and its move is waited for."""
    given = {"waiting": [1], "changed": 10.0}
    chairs = [Chair(0, "ann", "Ann"), Chair(1, BOT, "Bot (easy)")]
    return a_table(id=id, **given | {"chairs": chairs} | fields)


def opened(referee, game="strifebarge", **how):
    ann = forms.newcomer(referee)
    return ann, forms.start(referee, ann, game, form_token(), **how).id


def against_bots(referee, ann, game="rps", level="easy"):
    return bots.play_against_bots(referee, ann, game, level, form_token(), "en")


def test_bots_have_the_levels_at_which_they_think() -> None:
    assert list(THINKING) == [*LEVELS]
    assert len(FLAGS) == EACH
    assert [level_of(bot_id(level, EACH)) for level in LEVELS] == [*LEVELS]
    for nobody in (None, "bot:clever:1", "bot:easy:0", "ann"):
        assert not is_bot(nobody)
    with pytest.raises(LookupError):
        level_of("ann")


def test_questions_wait_for_bots_while_their_game_is_played(store, engine) -> None:
    tables = {
        "LATER": with_bot("LATER", changed=30.0),
        "FIRST": with_bot("FIRST", changed=20.0),
        "ALONE": with_bot("ALONE", changed=40.0, chairs=[Chair(0, bot_id("hard", 1)), Chair(1, BOT)]),
        "ANN": with_bot("ANN", waiting=[0]),
        **{each: with_bot(each.upper(), status=each) for each in ("over", "open", "suspended")},
    }
    for id, table in tables.items():
        store.tables.add(table, a_receipt(f"a key for table {id}"))
    run = statements(engine)
    waiting = store.tables.waiting_for_bots(10)
    assert len([words for words in run if words.startswith("SELECT")]) == 1
    assert waiting == [
        WaitingQuestion("FIRST", 1, BOT, 20.0),
        WaitingQuestion("LATER", 1, BOT, 30.0),
        WaitingQuestion("ALONE", 1, BOT, 40.0, with_people=False),
    ]
    assert store.tables.waiting_for_bots(1) == waiting[:1]
    with store.tables.change("FIRST") as change:
        change.table.position.waiting = [0]
    assert store.tables.waiting_for_bots(10) == waiting[1:]


# -- before the game --------------------------------------------------------------------------


def test_the_host_brings_bots_and_the_game_begins_when_the_last_seat_is_taken(referee) -> None:
    ann, id = opened(referee, seats=4)
    ben = forms.newcomer(referee)
    forms.join(referee, ben, id, "Ben", form_token())
    assert tried(forms.add_bot, referee, ben.id, id, form_token()) == "table.not_host"
    forms.add_bot(referee, ann.id, id, form_token(), "hard", 3)
    assert tried(forms.add_bot, referee, ann.id, id, form_token(), "clever") == "table.no_level"
    assert tried(forms.add_bot, referee, ann.id, id, form_token(), "easy", 3) == "table.seat_taken"
    taken = tried(forms.join, referee, forms.newcomer(referee), id, "Cleo", form_token(), 3)
    assert taken == "table.seat_taken"
    referee.carry_out(ann.id, id, form_token(), bots.remove_bot, 3)
    nobody = tried(referee.carry_out, ann.id, id, form_token(), bots.remove_bot, 1)
    assert nobody == "table.no_bot_there"
    referee.carry_out(ann.id, id, form_token(), bots.fill_with_bots, "medium")
    table = referee.store.table(id)
    assert table.status is Status.PLAYING
    assert [chair.called for chair in table.chairs[2:]] == ["Bot (medium)", "Bot (medium) 2"]
    assert len({chair.player for chair in table.chairs}) == 4
    assert tried(forms.add_bot, referee, ann.id, id, form_token()) == "table.begun"


def test_a_bot_agrees_to_everything_and_never_begins_a_game_without_people(referee) -> None:
    ann, id = opened(referee, seats=2, terms={"begins": "agreed"})
    forms.add_bot(referee, ann.id, id, form_token())
    forms.ready(referee, ann.id, id, form_token())
    assert referee.store.table(id).status is Status.PLAYING
    forms.propose_to_suspend(referee, ann.id, id, form_token())
    assert referee.store.table(id).suspended
    assert not referee.store.table(id).waits_for(referee.store.table(id).chairs[0])
    forms.ready(referee, ann.id, id, form_token())
    assert referee.store.table(id).status is Status.PLAYING
    table = with_bot("ALONE", status=Status.OPEN, chairs=[Chair(0, BOT, "Bot (easy)")])
    assert not table.all_ready
    table.chairs.append(Chair(1, "ann", "Ann"))
    assert table.is_unjoined


def test_clocks_stop_when_all_people_agree_and_bots_are_always_here(referee) -> None:
    ann, id = opened(referee, "chess", pace="clock-10-5")
    forms.add_bot(referee, ann.id, id, form_token())
    table = referee.store.table(id)
    now = referee.now()
    assert status_with_presence(table, TablePresence(now, {ann.id: now + 9})) is Status.PLAYING
    assert status_with_presence(table, TablePresence(now, {ann.id: now - 9})) is Status.ABANDONED
    assert status_with_presence(table, TablePresence(now, {ann.id: now + 9}, bots=False)) is Status.DISRUPTED
    forms.pause(referee, ann.id, id, True, form_token())
    assert referee.store.table(id).clock.stands(referee.now())


# -- played, and played again -------------------------------------------------------------------


def test_a_game_with_a_bot_is_not_rated_and_is_played_again_at_once(referee) -> None:
    ann, id = opened(referee, "rps", terms={"afterwards": "rated"})
    forms.add_bot(referee, ann.id, id, form_token(), "medium")
    while referee.store.table(id).status is not Status.OVER:
        forms.bots_move(referee, id)
        view = referee.views.show(ann.id, id)
        if view.question_number is not None and view.choice is None:
            action = view.offers[-1].action  # a bot of this test takes the first
            form = form_token(question=view.question_number)
            forms.move(referee, ann.id, id, lambda kinds, it=action: it, form)
    table = referee.store.table(id)
    [entry] = forms.results(referee).series(forms.store_of(referee).results.entry(table.ending.record))
    assert entry.rated is None
    assert unrated(table).sentence == "Not rated: a bot played."
    record = forms.results(referee).record(id)
    assert [(bot.seat, bot.level, bot.after, bot.until) for bot in record.bots] == [(1, "medium", 0, None)]
    assert sorted(is_bot(each.player) for each in entry.seats) == [False, True]
    assert forms.store_of(referee).results.companions(ann.id) == []
    assert not [each for each in referee.store.waiting_for_bots(10) if each.table == id]
    again = forms.rematch(referee, ann.id, id, form_token())
    table = referee.store.table(again)
    assert (table.status, [is_bot(chair.player) for chair in table.chairs]) == (Status.PLAYING, [True, False])


@pytest.mark.parametrize("game", ["eights", "chess"])
def test_a_lone_visitor_plays_at_once(referee, game) -> None:
    ann, form = forms.newcomer(referee), form_token()
    table = bots.play_against_bots(referee, ann, game, "hard", form, "en")
    assert table.status is Status.PLAYING
    assert all(level_of(chair.player) == "hard" for chair in table.chairs[1:])
    assert bots.play_against_bots(referee, ann, game, "hard", form, "en").id == table.id


def test_there_are_as_many_games_with_bots_as_the_site_allows(store, library) -> None:
    now = [1_800_000_000.0]
    referee = forms.a_referee(store, library, now=lambda: now[0], bots=BotRules(True, 2, 3))
    ann, ben = forms.newcomer(referee), forms.newcomer(referee)
    for _ in range(2):
        against_bots(referee, ann)
    assert tried(against_bots, referee, ann) == "table.bots_at_most"
    _, waiting = opened(referee, "rps")
    against_ben = against_bots(referee, ben).id
    assert tried(against_bots, referee, ben) == "table.bots_busy"
    host = referee.store.table(waiting).host
    assert tried(forms.add_bot, referee, host, waiting, form_token()) == "table.bots_busy"
    assert not referee.store.table(waiting).with_bots
    forms.close(referee, against_ben)  # nor does one count that is over
    assert tried(against_bots, referee, ben) is None
    now[0] += 86401  # nor one at which nothing happens
    assert tried(forms.add_bot, referee, host, waiting, form_token()) is None
    off = forms.a_referee(store, library, bots=BotRules(on=False))
    assert tried(against_bots, off, ann) == "table.no_bots"


# -- in place of somebody -----------------------------------------------------------------------


def late(referee, seats=3):
    """A running game whose first player, Ben, has kept the others waiting for too long."""
    ben, id = opened(referee, seats=seats)
    ann = forms.newcomer(referee)
    forms.join(referee, ann, id, "Ann", form_token())
    for _ in range(seats - 2):
        forms.join(referee, forms.newcomer(referee), id, "", form_token())
    with referee.store.change(id) as change:
        for chair in change.table.chairs:
            chair.since = chair.since and chair.since - 30 * 86400
    return ann, ben, id


def test_the_others_may_have_a_bot_play_for_somebody_absent_who_may_come_back(referee) -> None:
    ann, ben, id = late(referee)
    assert referee.views.show(ann.id, id).viewer.steps[0] == ["skip", "bot"]
    forms.miss(referee, ann.id, id, 0, "bot", form_token())
    chair = referee.store.table(id).chairs[0]
    assert (chair.player, chair.bot) == (ben.id, bot_id("medium", 1))
    assert chair.bot in [each.player for each in referee.store.waiting_for_bots(9)]
    assert tried(forms.miss, referee, ann.id, id, 0, "bot", form_token()) == "table.not_late"
    moves = forms.bots_move(referee, id)
    rows = [row for row in referee.store.rows(id, 0) if row.seat == 0]
    assert {row.by for row in rows} == {"Bot (medium)"}
    assert moves == len(rows) > 0
    stranger = tried(referee.carry_out, ann.id, id, form_token(), bots.dismiss_bot, 0)
    assert stranger == "table.not_your_seat"
    referee.carry_out(ben.id, id, form_token(), bots.dismiss_bot, 0)
    table = referee.store.table(id)
    assert (table.chairs[0].bot, table.chairs[0].coplayers) == (None, [])
    assert [(spell.bot, spell.after) for spell in table.chairs[0].spells] == [(bot_id("medium", 1), 0)]
    assert table.with_bots
    assert tried(referee.carry_out, ben.id, id, form_token(), bots.dismiss_bot, 0) == "table.no_bot_there"
    forms.close(referee, id)
    [bot] = forms.results(referee).bare_record(id).bots
    assert (bot.seat, bot.level, bot.after, bot.until) == (0, "medium", 0, len(rows))


def test_who_takes_over_a_seat_plays_it_alone(referee) -> None:
    ann, _ben, id = late(referee)
    forms.miss(referee, ann.id, id, 0, "bot", form_token())
    table, dora = referee.store.table(id), forms.newcomer(referee)
    given = (0, table.chairs[0].generation)
    referee.carry_out(dora.id, id, form_token(), handing_over.claim, dora, *given)
    chair = referee.store.table(id).chairs[0]
    assert (chair.player, chair.bot) == (dora.id, None)
    assert chair.spells[0].until is not None


def test_a_stand_in_agrees_to_no_end_of_a_game(referee) -> None:
    ann, ben, id = late(referee, seats=2)
    forms.miss(referee, ann.id, id, 0, "bot", form_token())
    forms.propose_to_suspend(referee, ann.id, id, form_token())
    referee.carry_out(ann.id, id, form_token(), suspending.propose_end, True)
    forms.ready(referee, ann.id, id, form_token())
    table = referee.store.table(id)
    assert table.status is Status.SUSPENDED
    assert not table.waits_for(table.chairs[1])
    forms.ready(referee, ben.id, id, form_token())
    assert referee.store.table(id).status is Status.OVER


def test_no_bot_stands_in_where_a_rated_game_would_be_rated_no_more(referee) -> None:
    ann, _, id = late(referee)
    with referee.store.change(id) as change:
        change.table.settings.afterwards = ResultUse.RATED
    assert referee.views.show(ann.id, id).viewer.steps[0] == ["skip"]


def test_a_guest_whose_seat_a_bot_plays_is_given_it_back(referee) -> None:
    ann, _, id = late(referee)
    forms.miss(referee, ann.id, id, 0, "bot", form_token())
    with referee.store.change(id) as change:
        change.table.host = ann.id
    referee.carry_out(ann.id, id, form_token(), recovery.give_back, 0, "A code", lambda player: True)
    assert referee.store.table(id).chairs[0].returning is not None


def test_a_game_in_which_somebody_moved_whom_a_bot_followed_is_not_deleted(referee) -> None:
    chairs = [Chair(0, "ann", "Ann"), Chair(1, BOT, "Bot (easy)", moved=True, sat={BOT: "Bot (easy)"})]
    table = a_table(chairs=chairs, host="ann")
    assert table.why_not_delete("ann") is None
    chairs[1].sat["ben"] = "Ben"
    assert table.why_not_delete("ann") is TableRefusal.MOVED_IN


def test_a_coplayer_has_a_seat_before_a_bot(referee) -> None:
    chair = Chair(0, "ann", "Ann", coplayers=[Person(BOT, "Bot (easy)"), Person("cleo", "Cleo")])
    chair.go("ann")
    assert (chair.player, [each.player for each in chair.coplayers]) == ("cleo", [BOT])


def test_a_game_that_bots_would_play_on_for_nobody_ends(referee) -> None:
    ann, id = opened(referee, seats=3)
    referee.carry_out(ann.id, id, form_token(), bots.fill_with_bots, "easy")
    referee.carry_out(ann.id, id, form_token(), leaving.leave, "resign")
    table = referee.store.table(id)
    assert table.status is Status.OVER
    assert table.ending.result is None
    assert referee.store.waiting_for_bots(9) == []


def test_all_are_asked_anew_where_a_game_is_rated_again_without_its_bot(referee) -> None:
    ann, id = opened(referee, "eights", seats=4, terms={"afterwards": "rated"})
    forms.add_bot(referee, ann.id, id, form_token(), "easy", 3)
    ben = forms.newcomer(referee)
    forms.join(referee, ben, id, "Ben", form_token())
    assert referee.store.table(id).chair_of(ben.id).ready
    referee.carry_out(ann.id, id, form_token(), bots.remove_bot, 3)
    assert not referee.store.table(id).chair_of(ben.id).ready


def test_the_first_bot_does_not_begin_a_game_with_free_seats(referee) -> None:
    ann, id = opened(referee, seats=4, terms={"begins": "agreed"})
    forms.ready(referee, ann.id, id, form_token())
    forms.add_bot(referee, ann.id, id, form_token())
    assert referee.store.table(id).status is Status.OPEN


def test_a_bot_is_offered_for_nobody_where_the_site_has_none(store, library) -> None:
    referee = forms.a_referee(store, library, bots=BotRules(on=False))
    ann, _, id = late(referee)
    assert referee.views.show(ann.id, id).viewer.steps[0] == ["skip"]
    assert tried(forms.miss, referee, ann.id, id, 0, "bot", form_token()) == "game.stale"


# -- nobody can be a bot --------------------------------------------------------------------------


def test_no_road_leads_to_being_a_bot(referee) -> None:
    ann, id = opened(referee, "chess")
    forms.add_bot(referee, ann.id, id, form_token())
    _, elsewhere = opened(referee, "chess")
    accounts, bot = forms.accounts(referee), Player(BOT, bot_name("easy"))
    assert accounts.player(BOT) is None
    roads = {
        "a session": lambda: accounts.devices.add(bot, "a browser"),
        "a code": lambda: accounts.devices.give_code(BOT),
        "a password": lambda: accounts.sign_up(bot, "somebody", "correct horse battery"),
        "a link": lambda: accounts.links.renew(BOT, 0),
        "a token": lambda: accounts.tokens.make(BOT, "mine", ["read", "play"], token_hex(16)),
        "a name": lambda: accounts.rename(bot, "Ann"),
        "a preference": lambda: accounts.prefer(BOT, "theme", "dark"),
        "merging into one": lambda: accounts.merge_guest(ann, bot),
        "merging one": lambda: accounts.merge_guest(bot, ann),
        "erasing": lambda: accounts.erase(bot),
        "joining": lambda: referee.carry_out(BOT, elsewhere, form_token(), seating.join, bot),
    }
    for road, go in roads.items():
        with pytest.raises(Refused) as no:
            go()
        assert no.value.why is IdentityRefusal.GONE, road
    with pytest.raises(Refused, match=TableRefusal.NO_PERSON.token):
        accounts.person(public_id(BOT))
    table = referee.store.table(id)
    assert [chair.player for chair in table.chairs] == [ann.id, BOT]
    assert forms.store_of(referee).accounts.traces(BOT) == []
    for name in ("Bot", "Bot (easy)", "B0t (hard) 2", "Bot (schwer)"):
        assert is_reserved(name)
    assert not is_reserved("Botho")


def test_a_seat_is_not_given_back_that_a_bot_has(referee) -> None:
    ann, id = opened(referee, "chess")
    forms.add_bot(referee, ann.id, id, form_token())
    given = (recovery.give_back, 1, "A code", lambda player: True)
    assert tried(referee.carry_out, ann.id, id, form_token(), *given) == "table.they_are_here"


def test_two_stores_agree_who_waits(store: Store) -> None:
    """The rows beside a table say what the table says, whoever has written it."""
    store.tables.add(with_bot("ROWS"), a_receipt())
    with store.tables.change("ROWS") as change:
        change.table.stop(9.0)
    assert store.tables.waiting_for_bots(5) == []
    assert store.tables.tables_of(BOT) == []


def test_a_live_game_that_its_people_have_left_is_put_aside_though_a_bot_is_there(store, library) -> None:
    now = [1_800_000_000.0]
    referee = forms.a_referee(store, library, now=lambda: now[0])
    ann, id = opened(referee, "chess", pace="clock-10-5")
    forms.add_bot(referee, ann.id, id, form_token())
    referee.attendance.record_presence(ann.id, id)
    now[0] += 210
    assert forms.tend(referee, id)
    assert referee.store.table(id).suspended


def test_a_seat_that_nobody_takes_may_be_a_bots(referee) -> None:
    ben, id = opened(referee, seats=3)
    ann, cleo = forms.newcomer(referee), forms.newcomer(referee)
    for person in (ann, cleo):
        forms.join(referee, person, id, "", form_token())
    forms.quit(referee, ben.id, id, "free", form_token())
    with referee.store.change(id) as change:
        change.table.chairs[0].since = referee.now() - 30 * 86400
    forms.miss(referee, ann.id, id, 0, "bot", form_token())
    chair = referee.store.table(id).chairs[0]
    assert (chair.player, chair.called, chair.coplayers) == (bot_id("medium", 1), "Bot (medium)", [])
    assert forms.bots_move(referee, id) > 0


def test_a_game_against_bots_alone_may_be_deleted(referee) -> None:
    ann = forms.newcomer(referee)
    id = against_bots(referee, ann).id
    forms.bots_move(referee, id)
    assert referee.store.table(id).why_not_delete(ann.id) is None


def test_a_bot_whose_time_has_run_out_is_absent_like_any_other(store, library) -> None:
    now = [1_800_000_000.0]
    referee = forms.a_referee(store, library, now=lambda: now[0])
    ann, id = opened(referee, "chess", pace="clock-10-5", sit=1)
    forms.add_bot(referee, ann.id, id, form_token())
    now[0] += 605
    forms.look(referee, id)
    table = referee.store.table(id)
    assert (table.status, table.ending.stopped) == (Status.OVER, NEVER_CAME)  # it has not moved at all
