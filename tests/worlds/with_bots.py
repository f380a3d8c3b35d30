"""Tables in two worlds at which bots have seats: those that a host brings, and those that stand in."""

from functools import partial

from werkzeug.datastructures import MultiDict

from strifebarge.rules import Refused
from strifebarge.rules.notation import from_form
from strifebarge.tables.acts import leaving, moves
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.play.turn import FormToken

from .pairs import Pair
from .worlds import Broken, Fields, Reply, World


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
        """Somebody does something in one world; a bot does it by the same acts, without a page."""
        player = world.table(self.id).chairs[seat].player if self.id else None
        if player is None or not is_bot(player):
            return super().alone(world, seat, path, fields)
        name, key = self.twins.key()
        given = dict(fields)
        form = FormToken(key, "", int(given["asked"]) if "asked" in given else None)
        try:
            match path.rpartition("/")[2]:
                case "turn":
                    read = partial(from_form, MultiDict([*fields, (name, key)]))
                    world.referee.carry_out(player, self.id, form, moves.move, read)
                case "undo":
                    world.referee.carry_out(player, self.id, form, moves.undo)
                case "quit":
                    world.referee.carry_out(player, self.id, form, leaving.leave, "resign")
                case other:
                    raise Broken(f"no bot does {other}")
        except Refused as no:
            raise Broken(f"{self.scene}: {path} {fields} was {no.token}") from no
        return Reply(303, [], b"")


class PairStandingIn(PairWithBot):
    """A table in two worlds at which the first seat waits for anyone, and bots stand in for the others."""

    def gather(self, sitting: int | None = None) -> "PairStandingIn":
        self.twins.tick()
        name = ("name", self.people[0].name)
        opened = self.does(0, f"/anyone/{self.scene.game}", [name])
        self.id = opened.header("Location").removeprefix("/g/").partition("?")[0]
        for world in self.twins.worlds:
            world.look_at(self.id)
        self.twins.other.revise(self.id, self.viewer)
        return self
