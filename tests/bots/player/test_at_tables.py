"""Bots at tables: nearly all that they choose rests on imagined games."""

from random import Random
from secrets import token_hex
from typing import Any

import pytest

from strifebarge.bots.player.answering import answer
from strifebarge.bots.player.mover import Mover
from strifebarge.bots.player.task import Answer, BotTask, decode_answer, encode
from strifebarge.rules import Chance
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.acts.bots import play_against_bots
from strifebarge.tables.library.library import Library
from strifebarge.tables.play.turn import FormToken
from tests.rules.every_setting import TITLES
from tests.support import forms
from tests.support.databases import never_wait_for_the_disk

CHOICES = 40  # of bots, that are looked at
QUESTIONS = 400  # of a game, at most


class Thinking:
    """A thinker in this process, which is told what another process would be told."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []

    def think(self, task: BotTask) -> Answer:
        self.answers.append(decode_answer(answer(encode(task))))
        return self.answers[-1]

    def close(self) -> None:
        pass

    end = close


@pytest.fixture
def referee(sqlite_ready):
    engine = engine_for(sqlite_ready, 8)
    never_wait_for_the_disk(engine)
    yield forms.a_referee(Store(engine), Library(), entropy=Random(7).randbytes)
    engine.dispose()


@pytest.mark.parametrize("game", sorted(TITLES))
def test_nearly_all_that_bots_choose_at_a_table_rests_on_imagined_games(referee: Any, game: str) -> None:
    ann, mover, thinking, dice = forms.newcomer(referee), Mover(referee), Thinking(), Chance("ann")
    mover.secret = b"the same choices"
    id = play_against_bots(referee, ann, game, "easy", FormToken(token_hex(16)), "en").id
    for _ in range(QUESTIONS):
        if len(thinking.answers) >= CHOICES or referee.store.table(id).ending.result:
            break
        for waiting in [each for each in referee.store.waiting_for_bots(10) if each.table == id]:
            for _ in range(2):  # it chooses, and moves
                mover.move(waiting, thinking)  # type: ignore[arg-type]
        view = referee.views.show(ann.id, id)
        if offers := [each.action for each in view.offers if not each.refused]:
            action = dice.choice(offers)
            form = FormToken(token_hex(16), question=view.question_number)
            forms.move(referee, ann.id, id, lambda kinds, action=action: action, form)
    grounded = sum(each.is_grounded for each in thinking.answers)
    assert thinking.answers
    assert grounded >= 0.95 * len(thinking.answers)
