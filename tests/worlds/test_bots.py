"""A bot at a table is no way to see: two worlds in which it has and does other things unseen are alike."""

from collections import Counter
from functools import partial

import pytest
from werkzeug.datastructures import MultiDict

from strifebarge.rules import Refused
from strifebarge.rules.notation import from_form
from strifebarge.rules.schema import seat_numbers, usual_seats
from strifebarge.table.acts import leaving, moves
from strifebarge.table.bots import bot_id
from strifebarge.table.library import Library
from strifebarge.table.turn import FormToken
from tests.support.hints import give_hints

from .comparing import ask_everything
from .pairs import Company, Pair, Scene
from .worlds import Broken, Fields, Reply, Twins, World

BOT = bot_id("hard", 1)
USUAL = [
    pytest.param(title.slug, max(2, usual_seats(title.rules)), id=title.slug)
    for title in Library()
    if seat_numbers(title.rules)[-1] > 1
]


class PairWithBot(Pair):
    """A table in two worlds at which a bot has the last seat."""

    @property
    def bot(self) -> int:
        return self.scene.seats - 1

    def gather(self, sitting: int | None = None) -> "PairWithBot":
        super().gather(self.bot)
        self.does(0, f"{self.path}/add-bot", [("level", "hard"), ("seat", str(self.bot))])
        return self

    def alone(self, world: World, seat: int, path: str, fields: Fields) -> Reply:
        """Somebody does something in one world; the bot does it by the same acts, without a page."""
        if seat != self.bot:
            return super().alone(world, seat, path, fields)
        name, key = self.twins.key()
        said = dict(fields)
        form = FormToken(key, "", int(said["asked"]) if "asked" in said else None)
        try:
            match path.rpartition("/")[2]:
                case "turn":
                    read = partial(from_form, MultiDict([*fields, (name, key)]))
                    world.referee.carry_out(BOT, self.id, form, moves.move, read)
                case "undo":
                    world.referee.carry_out(BOT, self.id, form, moves.undo)
                case "quit":
                    world.referee.carry_out(BOT, self.id, form, leaving.leave, "resign")
                case other:
                    raise Broken(f"no bot does {other}")
        except Refused as no:
            raise Broken(f"{self.scene}: {path} {fields} was {no.token}") from no
        return Reply(303, [], b"")


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_nothing_that_a_bot_has_or_does_unseen_makes_a_difference(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    for world in twins.worlds:
        give_hints(world.app)
    for viewer, until in ((0, 0), (None, seats - 1)):
        pair = PairWithBot(twins, company, Scene(game, seats, {}, viewer, 6, until=until)).play()
        table = twins.one.table(pair.id)
        assert table.chairs[pair.bot].player == BOT
        ask_everything(pair, 10)
    assert tally["requests"] > 50
