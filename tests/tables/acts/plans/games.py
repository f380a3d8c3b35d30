"""Games in which people plan, and what becomes of their plans."""

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.tables.acts import planning
from strifebarge.tables.model.plans import Plan, plan_of_move
from strifebarge.tables.play.turn import FormToken
from tests.store.conftest import form_token
from tests.store.people import somebody
from tests.support import forms


class Game:
    """A game between Ann, who begins, and Ben."""

    def __init__(self, referee, game="chess", **how):
        self.referee = referee
        self.people = [somebody(referee, name) for name in ("Ann", "Ben")]
        self.id = forms.start(referee, self.people[0], game, form_token(), seats=2, **how).id
        forms.join(referee, self.people[1], self.id, "Ben", form_token())
        self.ann, self.ben = (each.id for each in self.people)

    def plays(self, player, words, form=None):
        form = form or FormToken(form_token().key, question=self.sees(player).question_number)
        return forms.move(self.referee, player, self.id, lambda kinds: read(words, kinds), form)

    def plans(self, player, text, seen=None, form=None):
        forms.plan(self.referee, player, self.id, text, form or form_token(), seen)

    def plans_on_board(self, player, words):
        def plan(match, *_):
            return plan_of_move(words, match)

        self.referee.carry_out(player, self.id, form_token(), planning.plan, plan)

    def has_planned(self, player, seat, step):
        """Write a plan of one step down, as if the player had not been asked meanwhile."""
        with self.referee.store.change(self.id) as change:
            holder = change.table.chairs[seat].holder
            change.table.plans[seat] = Plan(by=player, holder=holder, lines=[[step]])

    def drops(self, player):
        forms.drop_plan(self.referee, player, self.id, form_token())

    def sees(self, player):
        return self.referee.views.show(player, self.id)

    @property
    def table(self):
        return self.referee.store.table(self.id)

    @property
    def sheet(self):
        return self.sees(None).position.game.sheet

    def planned(self, player):
        plan = self.sees(player).plan
        return plan.text

    def dropped(self, player):
        dropped = self.sees(player).plan.dropped
        return dropped and (dropped.typed, dropped.why["text"])


class Several(Game):
    """A sea for three, on which everybody knows squares that are nobody's."""

    def __init__(self, referee, **how):
        self.referee = referee
        self.people = [somebody(referee, name) for name in ("Ann", "Ben", "Cleo")]
        self.id = forms.start(referee, self.people[0], "strifebarge", form_token(), seats=3, **how).id
        for each in self.people[1:]:
            forms.join(referee, each, self.id, each.name, form_token())
        self.ann, self.ben, self.cleo = (each.id for each in self.people)
        fleets = forms.take_up(referee, self.table).match.game.seats
        taken = {square for seat in fleets for ship in seat.fleet for square in ship.squares}
        self.sea = [f"{row}{n}" for row in "ABCDEFGH" for n in range(1, 8) if f"{row}{n}" not in taken]

    @property
    def shots(self):
        return {*self.sees(None).position.game.shots}


def waters(game, player):
    """Squares that are not of a player's own fleet."""
    own = {square for ship in game.sees(player).position.you.fleet for square in ship.squares}
    return (f"{row}{n}" for row in "ABCDE" for n in range(1, 6) if f"{row}{n}" not in own)


def why(act, *given, **named):
    with pytest.raises(Refused) as no:
        act(*given, **named)
    return no.value.token
