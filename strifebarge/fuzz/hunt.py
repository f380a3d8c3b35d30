"""The hunt: games played so that a law might break, and each broken law found once."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from strifebarge.fuzz.acts import GameOperation, GameSetup, some_op, viewers
from strifebarge.fuzz.canaries import Canaries
from strifebarge.fuzz.elsewhere import GameAsJson, parted, shortest
from strifebarge.fuzz.findings import Finding, shrunk
from strifebarge.fuzz.law import Law, Unlawful, no_crash
from strifebarge.fuzz.laws import check_all, refused_or_legal
from strifebarge.fuzz.leaks import Copies, must_tell_no_secrets
from strifebarge.fuzz.patience import time_limit
from strifebarge.fuzz.playing import breaks, step
from strifebarge.fuzz.quickly import must_play_alike
from strifebarge.fuzz.reached import (
    CONSIDERED,
    Reached,
    features_done,
    features_greyed,
    features_met,
    features_of,
    features_seen,
)
from strifebarge.fuzz.wrong import refused_or_read, well_formed_ones, wrong_actions, wrong_json
from strifebarge.rules import Action, Chance, Game, Options, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.schema import form_fields, options_type, seat_numbers
from strifebarge.rules.testing import random_choice

LONGEST = 3000  # moves of a game: what a record may have
MAX_BEGINNINGS = 200  # beginnings of games that went where none had been
SHORT = 20  # acts of a game that is played in other worlds
HASH_SEEDS = ("1", "20251120")
LIVES = 12  # games played at once in other processes
PLAYED_ELSEWHERE = 150  # acts of each


class Beginning(NamedTuple):
    """A game that is begun, with the acts already done in it."""

    setting: GameSetup
    seed: str
    ops: tuple[GameOperation, ...] = ()


class Hunt:
    """All games played to find what is wrong with one game's rules.  The same seed plays the same games."""

    def __init__(
        self,
        rules: type[Game[Any]],
        seed: str = "fuzz",
        foreign: Sequence[Action] = (),
        clock: Callable[[], float] = monotonic,
    ):
        self.rules = rules
        self.clock = clock
        self.seed = seed
        self.dice = Chance(seed)
        self.foreign = foreign  # actions of other games
        self.reached = Reached(rules)
        self.copies, self.canaries = Copies(), Canaries()
        self.findings: dict[str, Finding] = {}
        self.games = self.moves = 0
        self.beginnings: list[Beginning] = []
        self.lives: list[Beginning] = []
        self.earlier: list[Action] = []
        self.leaving = self.dawdling = False
        self.began = clock()
        self.until = inf

    # -- all of them -------------------------------------------------------------

    def run(
        self, seconds: float | None = None, games: int | None = None, first: bool = False
    ) -> Iterator[Finding]:
        """Play until the time is over or this many games are, yielding each finding when it is found.

        With `first` until something is found.
        """
        self.began = self.clock()
        self.until = inf if seconds is None else self.began + seconds
        while self.clock() < self.until and (games is None or self.games < games):
            yield from self._new(self._game())
            if _is_power_of_four(self.games):
                yield from self._new(self._elsewhere())
            if first and self.findings:
                return
        yield from self._new(self._elsewhere())

    def _new(self, finding: Finding | None) -> Iterator[Finding]:
        if finding and finding.kind not in self.findings:
            finding.games, finding.seconds = self.games, self.clock() - self.began
            self.findings[finding.kind] = finding
            yield finding

    # -- one of them ---------------------------------------------------------------

    def _game(self) -> Finding | None:
        """Play one game, and look at it in other worlds."""
        self.games += 1
        begun = self._beginning()
        self.leaving = self.games % 3 == 2  # in the other games nobody leaves, or they would all be short
        self.dawdling = self.games % 3 == 0
        ops: list[GameOperation] = []
        trying: list[GameOperation] = []
        try:
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always", RuntimeWarning)
                self._play(begun, ops, trying)
            _nothing_forgotten(heard)
            if self.games < 8 or self.games % 2:
                self._in_other_worlds(begun, ops)
            else:
                must_play_alike(begun.setting, begun.seed, ops)
        except Unlawful as wrong:
            return Finding.of(wrong, begun.setting, begun.seed, ops, trying[-1] if trying else None)
        self.lives.append(begun._replace(ops=tuple(ops[:PLAYED_ELSEWHERE])))
        return None

    def _beginning(self) -> Beginning:
        """Return a new game; or one that has been somewhere new, from about there on."""
        if self.beginnings and self.dice.below(3) == 0:
            begun = self.dice.choice(self.beginnings[-40:])
            return begun._replace(ops=begun.ops[: len(begun.ops) - self.dice.below(4)])
        seats = self._rarest([("seats", number) for number in seat_numbers(self.rules)])[1]
        return Beginning(GameSetup(self.rules, seats, self._options(seats)), f"{self.seed} {self.games}")

    def _options(self, seats: int) -> Options:
        """Return options by chance, those more often that were seldom tried; the usual ones if all are
        refused.
        """
        kind = options_type(self.rules)
        for _ in range(20):
            values = {field.name: self._value(field) for field in form_fields(kind)}
            try:
                options = msgspec.convert(
                    {k: v for k, v in values.items() if v is not None}, kind, strict=False
                )
            except msgspec.ValidationError:
                continue
            with no_crash():
                suited = seats in seat_numbers(self.rules, options)
                if suited and not options.refuse() and not options.refuse_seats(seats):
                    self.reached.note(("option", name, str(value)) for name, value in values.items())
                    return options
        return kind()

    def _value(self, field: Any) -> str | None:
        """Return a value of an option; None leaves it at its default."""
        if self.dice.below(2):
            return None
        if field.choices:
            return str(self._rarest([("option", field.name, each.value) for each in field.choices])[2])
        if field.kind == "number":
            least, most = field.least or 0, 20 if field.most is None else field.most
            return str(self.dice.choice([least, most, least + self.dice.below(most - least + 1)]))
        return None

    def _rarest(self, features: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        """Return one of the features that were reached least often."""
        least = min(self.reached.counts[each] for each in features)
        chosen = self.dice.choice([each for each in features if self.reached.counts[each] == least])
        self.reached.counts[chosen] += 1
        return chosen

    def _play(self, begun: Beginning, ops: list[GameOperation], trying: list[GameOperation]) -> None:
        """Play to the end.  `ops` are the acts done, `trying` the one that is under way.  Raises Unlawful."""
        with time_limit(), no_crash():
            match = begun.setting.begin(begun.seed)
        self._look(match, begun, ops)
        while not match.result and self.clock() < self.until:
            if len(ops) >= LONGEST:
                raise Unlawful(Law.ENDLESS, f"it is not over after {LONGEST} acts")
            again = len(ops) < len(begun.ops)
            with time_limit(), no_crash():
                op = begun.ops[len(ops)] if again else self._choose(match)
            trying[:] = [op]
            self._step(match, op, closely=not again and self._now_and_then(8, ops))
            ops.append(op)
            trying.clear()
            self._look(match, begun, ops)

    def _step(self, match: Match, op: GameOperation, closely: bool) -> None:
        self.moves += 1
        if op.action:
            self.earlier = [*self.earlier, op.action][-200:]
            prompt = match.prompts.get(op.seat)
            self.reached.note(features_done(prompt.text.sentence if prompt else "", op.action))
        step(match, op, closely)

    def _look(self, match: Match, begun: Beginning, ops: list[GameOperation]) -> None:
        """Look at a position: closely, where nobody has been, and now and then."""
        log = match.take_log()
        with time_limit(), no_crash():
            self.canaries.look(match, log, begun.seed)
        new = self.reached.note(features_of(match, log))
        if new:
            self.beginnings = [*self.beginnings, begun._replace(ops=tuple(ops))][-MAX_BEGINNINGS:]
        if new or match.result or len(ops) < 3 or self._now_and_then(16, ops):
            with time_limit(), no_crash():
                check_all(match, log)
                if new or self.dice.below(4) == 0:
                    self.reached.note(features_met(self._tried(match)))
                    self.reached.note(features_seen(match, self.dice.stream("seen")))
                self.copies.look(match, begun.seed, self.dice.choice(viewers(match)))

    def _now_and_then(self, times: int, ops: Sequence[GameOperation]) -> bool:
        """Return True one in this many times; the longer a game already is, the less often."""
        return self.dice.below(times + len(ops) // 8) == 0

    def _tried(self, match: Match) -> Iterator[Any]:
        """Yield the reasons against all kinds of wrong actions."""
        strangers = [-1, len(match.game.seats), None, *range(len(match.game.seats))]
        seats = match.waiting_for() or [0]
        seat = self.dice.choice(seats)
        if not match.result:
            kinds = match.classes(seat) if seat in match.prompts else []
            for action in wrong_actions(match, seat, self.earlier, self.dice, self.foreign):
                why = refused_or_legal(match, seat, action)
                if why and type(action) in kinds:  # such a form is on the page
                    self.reached.note([("seen", why.token)])
                yield why
        for raw in wrong_json(self.rules, self.dice):
            yield refused_or_read(raw, self.rules)
        for stranger in strangers:
            if self.earlier and stranger not in match.prompts:
                yield refused_or_legal(match, stranger, self.earlier[-1])

    # -- choosing ----------------------------------------------------------------

    def _choose(self, match: Match) -> GameOperation:
        """Return what somebody does next: by chance, or what was done least often."""
        present = [seat for seat in range(len(match.game.seats)) if seat not in match.game.gone]
        die = self.dice.below(200)
        if self.leaving and present and die < 20:
            leaver = self.dice.choice(present)
            prompt = match.prompts.get(leaver)
            leave = ("left", prompt.text.sentence if prompt else "", len(present))
            if die == 0 or leave not in self.reached.counts:
                self.reached.note([leave])
                return GameOperation("leave", leaver)
        if self.dawdling and die >= 190:
            return GameOperation("late", self.dice.choice(match.waiting_for()))
        if die < 80 and (op := some_op(match, self.dice)).do != "leave":
            return op
        seat = self.dice.choice(match.waiting_for())
        return GameOperation("move", seat, self._rarest_action(match, seat))

    def _rarest_action(self, match: Match, seat: int) -> Action:
        question = match.prompts[seat].text.sentence
        options = self.dice.sample(match.options(seat), CONSIDERED)
        by_times = sorted(options, key=lambda option: self.reached.times(question, option))
        for option in by_times:
            if isinstance(option, Action):
                refused = match.reason(seat, option)
                if refused is None:
                    return option
                self.reached.note(features_greyed(refused))
            elif (action := self._of_kind(match, seat, option)) is not None:
                return action
        return random_choice(match, seat, self.dice)

    def _of_kind(self, match: Match, seat: int, kind: type[Action]) -> Action | None:
        """Return a legal action of a kind that its own sample might never think of."""
        if self.dice.below(2):
            return None
        for action in well_formed_ones(match, seat, self.dice):
            if type(action) is kind and _is_legal(match, seat, action):
                return action
        return None

    # -- other worlds and other processes ------------------------------------------

    def _in_other_worlds(self, begun: Beginning, ops: list[GameOperation]) -> None:
        """Play a short piece of the game in other worlds, for one viewer."""
        most = min(len(ops), SHORT) + 1
        # The fewer acts, the more worlds are possible.
        cut = min(self.dice.below(most), self.dice.below(most))
        viewer = self.dice.choice([None, *range(begun.setting.seats)])
        with no_crash():
            deal = begun.setting.begin(begun.seed).snapshot
            if deal.number == 0:
                try:
                    must_tell_no_secrets(self.rules, deal, ops[:cut], viewer, self.dice)
                except Unlawful:
                    del ops[cut:]
                    raise

    def _elsewhere(self) -> Finding | None:
        """Play the games since the last time in other processes, under other hash seeds."""
        played, self.lives = self.lives[-LIVES:], []
        lives = [GameAsJson.of(each.setting, each.seed, each.ops) for each in played]
        for hash_seed in HASH_SEEDS if lives else ():
            for index, at in parted(self.rules, lives, hash_seed):
                how = f"with PYTHONHASHSEED={hash_seed} it goes otherwise, is offered or told otherwise"
                begun, wrong = played[index], Unlawful(Law.PROCESS, how)
                finding = Finding.of(wrong, begun.setting, begun.seed, begun.ops[:at], None)
                finding.hash_seed = hash_seed
                return finding
        return None

    def shortened(self, finding: Finding) -> Finding:
        """Return the finding with fewer acts, where that is simple."""
        if not finding.hash_seed:
            return shrunk(finding, breaks)
        life = GameAsJson.of(finding.setting, finding.seed, finding.ops)
        finding.ops = shortest(self.rules, life, finding.hash_seed).ops(self.rules)
        return finding


def _is_legal(match: Match, seat: int, action: Action) -> bool:
    try:
        match.check(seat, action)
    except Refused:
        return False
    return True


def _nothing_forgotten(heard: Sequence[warnings.WarningMessage]) -> None:
    """Raise Unlawful for a forgotten await, which is a question that is never asked."""
    for warning in heard:
        if "never awaited" in str(warning.message):
            raise Unlawful(Law.CRASH, f"{warning.message}: an `await` is missing")


def _is_power_of_four(n: int) -> bool:
    return n in (4**k for k in range(1, 12))
