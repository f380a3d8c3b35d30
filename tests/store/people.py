"""What tests of people have in common."""

from functools import partial
from secrets import token_hex

from strifebarge.results.bookkeeper import rebuild
from strifebarge.rules import Refused
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.play.turn import FormToken
from tests.store.conftest import dump
from tests.support import forms
from tests.support.together import together

TIMES = 12  # each race
PASSWORD = "nobody thinks of this"


def somebody(referee, name=""):
    player = forms.newcomer(referee)
    player.name = name
    forms.store_of(referee).accounts.save_player(player)
    return player


def mentions(engine, what):
    """The tables of the database in which anything tells of it."""
    return {kind for kind, rows in dump(engine).items() if any(what in str(tuple(row)) for row in rows)}


def ladders_hold(store):
    for game in store.results.ladders():
        with store.results.ladder(game) as ladder:
            assert rebuild(ladder)[1] == 0, game


def fire(referee, player, id):
    view = referee.views.show(player.id, id)
    free = next(offer.action for offer in view.offers if not offer.refused)
    return forms.move(
        referee, player.id, id, lambda kinds: free, FormToken(token_hex(16), question=view.question_number)
    )


def at_once(*acts):
    """What each gave, or why not."""

    def press(act):
        for _ in range(20):
            try:
                return act()
            except Refused as no:
                return no.token
            except Busy:
                continue
        raise AssertionError("busy for ever")

    return together(*(partial(press, act) for act in acts))
