"""Tournaments as people play them: joined, started, gone on with by themselves, and over."""

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.store.tournaments import SqlTournamentChange
from strifebarge.tables.acts.bots import play_against_bots
from strifebarge.tables.library.settings import SettingsChange
from strifebarge.tables.model.bots import BotRules
from strifebarge.tables.model.status import Status
from strifebarge.tables.play.deadlines import deadlines
from strifebarge.tournaments.due import going_on
from strifebarge.tournaments.models import Format, GameOutcome, TournamentStage
from strifebarge.tournaments.service import NewTournament, Tournaments, bring_bots
from strifebarge.tournaments.standings import standings
from tests.store.conftest import dump, form_token
from tests.store.people import mentions, somebody
from tests.store.scenes import tried
from tests.support import forms
from tests.tournaments.playing import tournament


def new(format=Format.ROUND_ROBIN, pace="days-3", **fields):
    return NewTournament(name="A cup", format=format, settings=SettingsChange(pace=pace), **fields)


class Cup:
    """A tournament of Rock-Paper-Scissors, and the people in it."""

    def __init__(self, tournaments, count, format=Format.ROUND_ROBIN, game="rps", **fields):
        self.service, self.referee = tournaments, tournaments.referee
        self.people = [somebody(self.referee, f"Person {number}") for number in range(1, max(2, count + 1))]
        self.id = tournaments.open(self.people[0], game, form_token(), new(format, **fields))
        for person in self.people[:count]:
            tournaments.join(person, self.id, "", form_token())

    @property
    def now(self):
        return self.service.tournament(self.id)

    def start(self):
        self.service.start(self.people[0].id, self.id, form_token())
        return self

    def tick(self):
        going_on(self.service)(self.referee.now())

    def running(self):
        return [game for game in self.now.games if game.running]

    def play(self, game):
        """The entrant with the lower number wins."""
        state = self.now
        for seat in self.referee.views.status(game.table).chairs:
            entrant = next(each for each in state.entrants if each.player == seat.player)
            hand = "paper" if entrant.number == min(game.entrants) else "rock"
            view = self.referee.views.show(seat.player, game.table)
            forms.move(
                self.referee,
                seat.player,
                game.table,
                lambda kinds, hand=hand: read(f"throw {hand}", kinds),
                form_token(question=view.question_number),
            )

    def play_all(self):
        while self.now.stage is TournamentStage.RUNNING:
            for game in self.running():
                self.play(game)
            self.tick()
        return self.now


@pytest.mark.parametrize("format", [Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.SWISS])
def test_a_tournament_goes_from_sign_up_to_its_final_table_by_itself(tournaments, format):
    cup = Cup(tournaments, 4, format).start()
    assert cup.now.stage is TournamentStage.RUNNING
    final = cup.play_all()
    assert final.stage is TournamentStage.OVER
    assert standings(final)[0].entrant.name == "Person 1"
    assert all(game.outcome is GameOutcome.PLAYED for game in final.games)
    assert final.round == {Format.ROUND_ROBIN: 3, Format.KNOCK_OUT: 2, Format.SWISS: 2}[format]


def test_a_round_is_opened_once_whoever_looks_and_a_result_counts_once(tournaments, engine):
    cup = Cup(tournaments, 4).start()
    for game in cup.running():
        cup.play(game)
    before = dump(engine)["tables"]
    cup.tick()
    assert len(dump(engine)["tables"]) == len(before) + 2
    stored = dump(engine)
    cup.tick()
    tournaments.go_on(cup.id)
    assert dump(engine) == stored


def test_what_breaks_off_while_a_round_is_opened_leaves_nothing_and_goes_on_later(
    tournaments, engine, monkeypatch
):
    cup = Cup(tournaments, 4).start()
    for game in cup.running():
        cup.play(game)
    before = dump(engine)
    opened = []

    def fail(self, turn):
        if opened:
            raise RuntimeError("killed")
        opened.append(turn)
        original(self, turn)

    original = SqlTournamentChange.open_table
    monkeypatch.setattr(SqlTournamentChange, "open_table", fail)
    with pytest.raises(RuntimeError):
        tournaments.go_on(cup.id)
    assert dump(engine) == before
    monkeypatch.undo()
    cup.tick()
    assert len(cup.running()) == 2


def test_a_form_that_is_sent_again_counts_once(tournaments, engine):
    ann = somebody(tournaments.referee, "Ann")
    form = form_token()
    id = tournaments.open(ann, "rps", form, new())
    assert tournaments.open(ann, "rps", form, new()) == id
    form = form_token()
    for _ in range(2):
        tournaments.join(ann, id, "", form)
    assert len(tournaments.tournament(id).entrants) == 1
    with pytest.raises(Refused) as no:
        tournaments.join(ann, id, "", form_token())
    assert no.value.token == "tournaments.already_in"
    with pytest.raises(Refused) as no:
        tournaments.withdraw(ann.id, id, form)
    assert no.value.token == "table.key_reused"


@pytest.mark.parametrize(
    ("act", "token"),
    [
        (lambda cup, other: cup.service.start(other.id, cup.id, form_token()), "tournaments.not_organiser"),
        (
            lambda cup, other: cup.service.remove(other.id, cup.id, 1, form_token()),
            "tournaments.not_organiser",
        ),
        (lambda cup, other: cup.service.withdraw(other.id, cup.id, form_token()), "tournaments.not_in"),
        (lambda cup, other: cup.service.start(cup.people[0].id, cup.id, form_token()), "tournaments.too_few"),
        (
            lambda cup, other: cup.service.join(other, "AAAAAAAA", "", form_token()),
            "tournaments.no_tournament",
        ),
        (
            lambda cup, other: cup.service.join(other, cup.id, "person 1", form_token()),
            "tournaments.name_taken",
        ),
        (
            lambda cup, other: cup.service.open(other, "eights", form_token(), new(Format.SWISS, "")),
            "tournaments.no_clock",
        ),
        (
            lambda cup, other: cup.service.open(other, "rps", form_token(), new(Format.TABLES)),
            "tournaments.wrong_format",
        ),
        (
            lambda cup, other: cup.service.open(other, "rps", form_token(), new(rounds=21)),
            "tournaments.wrong_rounds",
        ),
    ],
)
def test_what_is_refused_has_a_token_and_changes_nothing(tournaments, engine, act, token):
    cup = Cup(tournaments, 1)
    other = somebody(tournaments.referee, "Zoe")
    before = dump(engine)
    with pytest.raises(Refused) as no:
        act(cup, other)
    assert no.value.token == token
    assert dump(engine) == before


def test_a_player_who_never_comes_loses_on_time_and_the_other_goes_on(tournaments, wall):
    cup = Cup(tournaments, 2, Format.KNOCK_OUT, "chess", pace="clock-10-5").start()
    [game] = cup.running()
    wall.at += 3600
    cup.referee.store.wake(wall.at)
    late = cup.referee.views.status(game.table).chairs[0].player
    for _ in range(5):
        wall.at += 60
        deadlines(cup.referee)(wall.at)
    table = cup.referee.views.status(game.table)
    assert table.status is Status.OVER
    cup.tick()
    state = cup.now
    assert state.stage is TournamentStage.OVER
    assert standings(state)[0].entrant.player != late
    assert state.games[0].outcome is GameOutcome.PLAYED


def test_people_join_until_round_two_and_never_a_bracket(tournaments):
    cup, late = Cup(tournaments, 2).start(), somebody(tournaments.referee, "Late")
    tournaments.join(late, cup.id, "", form_token())
    cup.people.append(late)
    assert cup.now.entrants[-1].first_round == 2
    final = cup.play_all()
    assert len(final.games) == 3
    bracket, later = Cup(tournaments, 2, Format.KNOCK_OUT).start(), somebody(tournaments.referee, "Later")
    with pytest.raises(Refused) as no:
        tournaments.join(later, bracket.id, "", form_token())
    assert no.value.token == "tournaments.closed"


def test_who_withdraws_is_not_paired_any_more_and_cannot_come_back(tournaments):
    cup = Cup(tournaments, 4, Format.SWISS).start()
    gone = cup.people[3]
    tournaments.withdraw(gone.id, cup.id, form_token())
    with pytest.raises(Refused) as no:
        tournaments.join(gone, cup.id, "", form_token())
    assert no.value.token == "tournaments.withdrawn"
    for game in cup.running():
        cup.play(game)
    cup.tick()
    assert all(4 not in game.entrants for game in cup.now.of_round(2))
    assert [game.outcome for game in cup.now.of_round(2)] == [GameOutcome.RUNNING, GameOutcome.BYE]


def test_bots_alone_play_a_whole_tournament(tournaments):
    cup = Cup(tournaments, 0)
    tournaments.add_bots(cup.people[0].id, cup.id, "easy", 3, form_token())
    final = cup.start().play_all()
    assert final.with_bots
    assert len(final.games) == 3
    assert [line.played for line in standings(final)] == [2, 2, 2]


@pytest.mark.parametrize(
    ("people", "bots", "token", "most"),
    [(64, 1, "full", 64), (61, 4, "few_bots", 3), (2, 9, "few_bots", 8), (2, 0, "few_bots", 8)],
)
def test_who_adds_too_many_bots_is_told_how_many_there_can_be(people, bots, token, most):
    cup = tournament(Format.SWISS, people)
    with pytest.raises(Refused) as no:
        bring_bots(cup, "easy", bots)
    assert (no.value.token, no.value.args_told) == (f"tournaments.{token}", {"most": most})


def test_two_bots_in_tournaments_count_as_a_game_and_take_none_from_people(store, library, wall):
    referee = forms.a_referee(store, library, now=wall, bots=BotRules(per_person=2, per_site=3))
    tournaments = Tournaments(store.tournaments, referee)
    first, other = Cup(tournaments, 0), Cup(tournaments, 0)

    def bring(cup, level, count):
        return tried(tournaments.add_bots, cup.people[0].id, cup.id, level, count, form_token())

    assert bring(first, "easy", 3) is None
    assert bring(first, "hard", 2) == "tournaments.bots_at_most"
    assert bring(first, "hard", 1) is None
    assert bring(other, "easy", 3) == "table.bots_busy"
    assert bring(other, "easy", 2) is None
    assert len(first.start().running() + other.start().running()) == 3
    assert tried(play_against_bots, referee, first.people[0], "rps", "easy", form_token(), "en") is None
    first.play_all()
    assert bring(Cup(tournaments, 0), "easy", 4) is None


def test_nothing_tells_any_more_who_was_erased_and_who_becomes_another_plays_on(tournaments, engine):
    cup = Cup(tournaments, 3).start()
    gone, one = cup.people[2], cup.people[1]
    forms.accounts(tournaments.referee).erase(gone)
    assert mentions(engine, gone.id) == {"players"}
    assert mentions(engine, "Person 3") == set()
    assert cup.now.entrant(3).withdrawn
    account = somebody(tournaments.referee, "Person 2 at home")
    forms.accounts(tournaments.referee).merge_guest(one, account)
    assert cup.now.entrant(2).player == account.id
    assert not cup.now.entrant(2).withdrawn


def test_a_table_of_a_tournament_is_neither_given_up_nor_suspended_nor_played_again(tournaments):
    cup = Cup(tournaments, 2).start()
    [game] = cup.running()
    player = cup.people[0].id
    for act in (
        lambda: forms.quit(cup.referee, player, game.table, "free", form_token()),
        lambda: forms.propose_to_suspend(cup.referee, player, game.table, form_token()),
        lambda: forms.pause(cup.referee, player, game.table, True, form_token()),
        lambda: forms.rematch(cup.referee, player, game.table, form_token()),
    ):
        with pytest.raises(Refused) as no:
            act()
        assert no.value.token == "table.in_tournament"


def test_at_tables_of_several_places_make_points(tournaments):
    cup = Cup(tournaments, 6, Format.TABLES, "eights", rounds=1).start()
    sizes = [len(game.entrants) for game in cup.running()]
    assert sum(sizes) == 6
    for game in cup.running():
        for number in game.entrants[:-1]:
            player = cup.now.entrant(number).player
            forms.quit(cup.referee, player, game.table, "resign", form_token())
    cup.tick()
    state = cup.now
    assert state.stage is TournamentStage.OVER
    assert {line.place for line in standings(state)} >= {1}
    winners = {game.entrants[-1] for game in state.games}
    assert {line.entrant.number for line in standings(state) if line.place == 1} == winners
