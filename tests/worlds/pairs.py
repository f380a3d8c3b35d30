"""A table played in two worlds at once, with all that one viewer may not know changed in the second."""

from typing import Any, NamedTuple

from strifebarge.fuzz.acts import GameOperation, act, copy_of
from strifebarge.fuzz.worlds import ViewerSeat
from strifebarge.rules import Refused
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.notation import write
from strifebarge.rules.testing import random_choice
from strifebarge.tables.library.library import Title
from tests.support.samples import plain_game

from .knowledge import of, resampled, witness
from .unseen import instead, unseen_choices, unseen_steps
from .worlds import Broken, Fields, Person, Reply, Twins, World, unlike

NAMES = ["Ann", "Ben", "", "Dora", "Emil", "", "Greta", "Hugo"]
DEVICES = ["Chromium on a telephone", "Lynx", "Safari", "a screen reader"]
THEMES = ["", "dark", "light"]
LANGUAGES = ["", "en", "de"]


class Scene(NamedTuple):
    """What is played, how far, and who looks."""

    game: str
    seats: int
    options: dict[str, Any]
    viewer: ViewerSeat
    length: int  # acts before the point at which everything is asked
    nth: int = 0
    until: ViewerSeat = None  # this seat is to move by then, if it can be arranged

    def __str__(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        who = "a spectator" if self.viewer is None else f"seat {self.viewer}"
        return f"{self.game} for {self.seats} ({options}), {self.length} acts, seen by {who}, no. {self.nth}"


def improvised(match: Match, scene: Scene, dice: Chance) -> list[GameOperation]:
    """Acts by chance, none of which ends the game."""
    ops: list[GameOperation] = []
    while len(ops) < scene.length + 12:
        if len(ops) >= scene.length and (scene.until is None or match.waiting_for() == [scene.until]):
            break
        op = whim(match, scene.until, dice)
        act(match, op)
        if match.result:
            break
        ops.append(op)
    return ops


def whim(match: Match, until: ViewerSeat, dice: Chance) -> GameOperation:
    """What somebody does next: mostly a move, seldom anything else.  `until` comes after the others."""
    for seat in range(len(match.game.seats)):
        if match.can_undo(seat) and dice.below(3) == 0:
            return GameOperation("undo", seat)
        if seat in match.pending and not match.question.final and dice.below(4) == 0:
            return GameOperation("move", seat, random_choice(match, seat, dice))
    if len(match.game.still_in) > 2 and dice.below(25) == 0:
        return GameOperation("leave", dice.choice([seat.number for seat in match.game.still_in]))
    waiting = match.waiting_for()
    seat = dice.choice([each for each in waiting if each != until] or waiting)
    aimed = of(match.rules).aim(match.game, seat, dice)
    if aimed is None or match.reason(seat, aimed):
        aimed = random_choice(match, seat, dice)
    return GameOperation("move", seat, aimed)


def fate(match: Match, op: GameOperation) -> Match | None:
    """A match after one more act; None if it is refused."""
    trial = copy_of(match)
    trial.lines = []
    try:
        act(trial, op)
    except Refused:
        return None
    return trial


class Company:
    """People who have no seat at the tables that are looked at, and tables that nobody looks at."""

    def __init__(self, twins: Twins):
        self.twins = twins
        self.stranger, self.spectator, self.elsewhere = Person(), Person("Ines"), Person("Jo", theme="dark")
        self.spectators = (self.stranger, self.spectator, self.elsewhere)
        self.games = sorted(twins.one.referee.library.titles)
        self.pastime = plain_game(twins.one.referee.library)
        twins.reseed("company")
        twins.tick()
        self.stray(twins.other, 5)
        self.stray(twins.one, 1)
        twins.other.own = Chance(twins.one.own.seed)  # from here on both worlds are dealt the same
        twins.one.own = Chance(twins.one.own.seed)
        left, right = self.open(self.spectator), self.open(self.elsewhere)
        twins.each(self.spectator, "POST", f"{left}/quit", [twins.key(), ("how", "free")])
        twins.each(Person("Kim"), "POST", f"{right}/join", [twins.key(), ("name", "Kim")])
        twins.cups = [self.cup(started) for started in (False, True)]

    def open(self, person: Person) -> str:
        """Open a table; its address."""
        fields = [self.twins.key(), ("name", person.name), ("seats", "2")]
        return self.twins.each(person, "POST", f"/new/{self.pastime}", fields)[0].header("Location")

    def cup(self, started: bool) -> str:
        """Open a tournament, which may have started; its code."""
        twins, new = self.twins, f"/tournaments/new/{self.pastime}"
        fields = [("name", "Cup"), ("format", "round-robin"), ("pace", "days-3"), ("listed", "yes")]
        opened, _ = twins.each(self.spectator, "POST", new, [twins.key(), *fields])
        path = opened.header("Location")
        for person in (self.elsewhere, Person("Kim")):
            twins.each(person, "POST", f"{path}/join", [twins.key(), ("name", person.name)])
        if started:
            twins.each(self.spectator, "POST", f"{path}/start", [twins.key()])
        return path.removeprefix("/t/")

    def stray(self, world: World, tables: int = 1) -> None:
        """Tables, people and receipts that are in one world only."""
        shared, world.shared = world.shared, Chance(f"stray {self.twins.keys}")
        for nth in range(tables):
            game = self.games[nth % len(self.games)]
            world.ask("POST", f"/new/{game}", [self.twins.key(), ("name", f"Stray {nth}")], {}, {})
        world.shared = shared


class Pair:
    """One table in two worlds, as it stands after a scene."""

    def __init__(self, twins: Twins, company: Company, scene: Scene):
        self.twins = twins
        self.scene = scene
        self.viewer = scene.viewer
        self.title: Title = twins.one.referee.library[scene.game]
        self.dice = Chance(str(scene))
        self.people = [self.somebody(seat) for seat in range(scene.seats)]
        self.viewers = company.spectators if self.viewer is None else (self.people[self.viewer],)
        self.id = ""
        self.pastime = company.pastime
        self.matches: list[Match] = []
        twins.crowd = [*self.people, *company.spectators]
        twins.reseed(str(scene))
        twins.tick()
        company.stray(twins.other)
        twins.tally["pairs"] += 1

    def somebody(self, seat: int) -> Person:
        """Whoever sits there; what is theirs alone is another in the second world, but for the viewer."""
        theme, sure = self.dice.choice(THEMES), self.dice.choice(["", "yes"])
        person = Person(NAMES[seat % len(NAMES)], theme=theme, sure=sure)
        device = {"User-Agent": "Firefox", "Accept-Language": self.dice.choice(LANGUAGES)}
        person.devices = {"one": device, "other": device}
        if seat != self.viewer:
            person.devices["other"] = {"User-Agent": self.dice.choice(DEVICES), "Accept-Language": "fr"}
            person.jars["other"]["theme"] = self.dice.choice(THEMES)
        return person

    @property
    def path(self) -> str:
        return f"/g/{self.id}"

    @property
    def match(self) -> Match:
        """The game as it is in the first world."""
        return self.matches[0]

    # -- the way to the scene ----------------------------------------------------

    def gather(self, sitting: int | None = None) -> "Pair":
        """Open a table in both worlds; so many sit down, or all, and then it begins."""
        options = [("seats", str(self.scene.seats))]
        for name, value in self.scene.options.items():
            options.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
        for seat, person in enumerate(self.people[:sitting]):
            self.twins.tick()
            name = ("name", person.name)
            if seat:
                self.does(seat, f"{self.path}/join", [name, ("seat", str(seat))])
                continue
            opened = self.does(0, f"/new/{self.scene.game}", [*options, name])
            self.id = opened.header("Location").removeprefix("/g/")
            for world in self.twins.worlds:
                world.look_at(self.id)
        self.twins.other.revise(self.id, self.viewer)
        return self

    def play(self, late: float = 7) -> "Pair":
        """Play the scene: the acts are the same, and in the second world from another deal.

        Others who change their minds there do so this much later than they chose, and when the viewer has
        opened another table.
        """
        self.gather()
        one, other = self.twins.worlds
        rules, deal = self.title.rules, one.deal(self.id)
        ops = improvised(Match(rules, deal), self.scene, self.dice)
        unseen = unseen_choices(rules, deal, ops, self.viewer)
        composed = unseen_steps(rules, deal, ops, self.viewer)
        shown = [op for nth, op in enumerate(ops) if nth not in unseen | composed]
        state = resampled(rules, deal, shown, self.viewer, self.dice, other.seeds[self.id])
        other.redeal(self.id, state, [unlike(line, self.viewer) for line in one.laid(self.id)], one)
        self.matches = [Match(rules, world.deal(self.id)) for world in self.twins.worlds]
        for nth, op in enumerate(ops):
            if nth in composed:
                self.compose(op)
            else:
                self.try_out(op.seat)
                self.step(op, instead(self.matches[1], op, self.dice) if nth in unseen else op)
        if late and self.viewer is not None:
            self.open_another(late / 2)
        self.change_minds({ops[nth].seat for nth in unseen}, late)
        self.twins.tick()
        self.must_be_in_step()
        return self

    def finish(self) -> "Pair":
        """Play the same game to its end in both worlds, where everything may be seen of it."""
        one, other = self.twins.worlds
        other.own = Chance(one.own.seed)
        self.gather()
        self.matches = [Match(self.title.rules, world.deal(self.id)) for world in self.twins.worlds]
        for op in improvised(Match(self.title.rules, one.deal(self.id)), self.scene, self.dice):
            self.step(op, op)
        for seat in range(self.scene.seats):
            if not self.match.result and seat not in self.match.game.gone:
                self.step(leave := GameOperation("leave", seat), leave)
        # The next seed is a secret again.
        other.own = Chance("another rematch")
        self.twins.tick()
        return self

    def step(self, op: GameOperation, twin: GameOperation) -> None:
        """One act in both worlds; in the second perhaps another choice than in the first."""
        self.twins.tick()
        here, there = (match.question_numbers.get(op.seat, match.number) for match in self.matches)
        for match, each in zip(self.matches, (op, twin), strict=True):
            act(match, each)
        self.does(op.seat, *self.form(op, here), twin=self.form(twin, there)[1])
        self.twins.ask(self.dice.choice(self.viewers), "GET", self.path)

    def compose(self, op: GameOperation) -> None:
        """A step of somebody who composes; in the second world other steps, of which none need be left."""
        self.twins.tick()
        self.does_alone(0, op)
        for _ in range(self.dice.below(3)):
            if step := self.another_step(op.seat):
                self.does_alone(1, step)
                self.twins.tally["other steps"] += 1
        self.twins.ask(self.dice.choice(self.viewers), "GET", self.path)

    def try_out(self, seat: int) -> None:
        """In the second world alone somebody who composes takes a step more, and takes it back."""
        for _ in range(self.dice.below(3) if seat != self.viewer else 0):
            step = self.another_step(seat)
            if step and (trial := fate(self.matches[1], step)) and trial.can_undo(seat):
                self.does_alone(1, step)
                self.does_alone(1, GameOperation("undo", seat))
                self.twins.tally["steps tried out"] += 1

    def another_step(self, seat: int) -> GameOperation | None:
        """Something in the second world that only whoever composes may know of, if it is found soon."""
        match = self.matches[1]
        if not match.question.composed or seat not in match.waiting_for():
            return None
        for _ in range(8):
            op = GameOperation("move", seat, random_choice(match, seat, self.dice))
            trial = fate(match, op)
            if trial and (trial.number, trial.waiting_for()) == (match.number, match.waiting_for()):
                return op
        return None

    def does_alone(self, nth: int, op: GameOperation) -> None:
        """One act in one of the worlds."""
        match, world = self.matches[nth], self.twins.worlds[nth]
        number = match.question_numbers[op.seat]
        act(match, op)
        reply = self.alone(world, op.seat, *self.form(op, number))
        if not reply.accepted:
            raise Broken(f"{self.scene}: {op} was {reply.status} {reply.refusal}")

    def form(self, op: GameOperation, number: int) -> tuple[str, Fields]:
        """Where an act is posted, and what the form says."""
        question = ("asked", str(number))
        match op.do:
            case "undo":
                return f"{self.path}/undo", [question]
            case "leave":
                return f"{self.path}/quit", [("how", "resign")]
        assert op.action is not None
        return f"{self.path}/turn", [question, ("move", write(op.action))]

    def does(self, seat: int, path: str, fields: Fields, twin: Fields | None = None) -> Reply:
        """Somebody sends a form, which must be accepted; what the viewer is answered is compared."""
        person = self.people[seat]
        if seat == self.viewer:
            replies = [self.twins.ask(person, "POST", path, [self.twins.key(), *fields])]
        else:
            replies = [
                self.alone(world, seat, path, each)
                for world, each in zip(self.twins.worlds, (fields, twin or fields), strict=True)
            ]
        for reply in replies:
            if not reply.accepted:
                raise Broken(f"{self.scene}: {path} {fields} was {reply.status} {reply.refusal}")
        return replies[0]

    def alone(self, world: World, seat: int, path: str, fields: Fields) -> Reply:
        """Somebody sends a form in one world, with a key that is used in no other."""
        person = self.people[seat]
        form = [self.twins.key(), *fields]
        return world.ask("POST", path, form, person.devices[world.name], person.jars[world.name])

    def open_another(self, later: float) -> None:
        """The viewer opens one more table, which then is the one where something has happened last."""
        for world in self.twins.worlds:
            world.clock += later
        self.does(self.viewer or 0, f"/new/{self.pastime}", [])

    def change_minds(self, seats: set[int], late: float) -> None:
        """In the second world, while nothing happens in the first, some of the others choose once more."""
        match, world = self.matches[1], self.twins.other
        for seat in sorted(seats):
            if not match.question.final:
                world.clock += late
                self.does_alone(1, GameOperation("move", seat, random_choice(match, seat, self.dice)))
                self.twins.tally["changed minds"] += 1

    def must_be_in_step(self) -> None:
        """The harness itself: the viewer knows the same of both, and both sites are where they should be."""
        witnesses = [witness(match, self.viewer) for match in map(copy_of, self.matches)]
        if witnesses[0] != witnesses[1]:
            raise Broken(f"{self.scene}: these worlds may be told apart: {witnesses}")
        for world, match in zip(self.twins.worlds, self.matches, strict=True):
            last = world.referee.store.rows(self.id, -1)[-1]
            if last.number != match.ledger_position[0] or (
                last.fingerprint and last.fingerprint != match.fingerprint()
            ):
                raise Broken(f"{self.scene}: {world.name} is not where it should be")

    @property
    def differ(self) -> bool:
        """Is anything hidden another than in the first world, apart from the seed?"""
        states = []
        for match in map(copy_of, self.matches):
            pending = sorted((seat, repr(action)) for seat, action in match.pending.items())
            match.game.chance.seed = ""
            states.append((save(match.game), pending))
        return states[0] != states[1]
