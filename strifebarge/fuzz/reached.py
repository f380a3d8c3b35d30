"""Reached: a count of all that play has come to, by which the hunt chooses where to go next."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from strifebarge.rules import Action, Chance, Game, Refusal, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.notation import tag, write
from strifebarge.rules.schema import actions, refusals

Feature = tuple[Any, ...]
CONSIDERED = 60  # options of one question


class Reached:
    """How often each thing was reached: stages, questions, actions, refusals, sentences, ends."""

    def __init__(self, rules: type[Game[Any]]):
        self.rules = rules
        self.counts: Counter[Feature] = Counter()

    def note(self, features: Iterable[Feature]) -> bool:
        """Note these features; return whether any of them is new."""
        some = [*features]
        new = any(feature not in self.counts for feature in some)
        self.counts.update(some)
        return new

    def number(self, what: str) -> int:
        return sum(feature[0] == what for feature in self.counts)

    @property
    def unplayed(self) -> list[str]:
        """The kinds of action that nobody has done."""
        return [tag(kind) for kind in actions(self.rules) if ("action", tag(kind)) not in self.counts]

    @property
    def unmet(self) -> list[str]:
        """The refusals that nobody has met."""
        return [why.token for why in refusals(self.rules) if ("refusal", why.token) not in self.counts]

    @property
    def unseen(self) -> list[str]:
        """The refusals that were met, but only by moves that no page offers."""
        typed = {why.token for kind in actions(self.rules) for why in kind.misread.values()}
        met = [why.token for why in refusals(self.rules) if why.token not in {*self.unmet, *typed}]
        return [token for token in met if ("seen", token) not in self.counts]

    def times(self, question: str, action: Action | type[Action]) -> int:
        """Return how often this was done in answer to a question."""
        return self.counts["answer", question, answer_of(action)]


def answer_of(action: Action | type[Action]) -> str:
    return tag(action) if isinstance(action, type) else write(action)


def features_of(match: Match, log: Iterable[Any]) -> Iterable[Feature]:
    """Yield where a match stands, and what was told on the way there."""
    yield "stage", match.snapshot.stage
    yield "gone", len(match.game.gone), len(match.game.out)
    for prompt in match.prompts.values():
        yield "question", prompt.text.sentence, match.question.settled_by, len(match.prompts)
    for line in log:
        yield from (("sentence", sentence) for sentence in _sentences(line))
    if match.result:
        yield "end", match.snapshot.stage, str(msgspec.to_builtins(match.result.why or {}).get("text"))


def features_done(question: str, action: Action) -> Iterable[Feature]:
    """Yield what was done in answer to a question."""
    yield "action", tag(type(action))
    yield "answered", question, tag(type(action))
    yield "answer", question, answer_of(type(action))
    yield "answer", question, answer_of(action)


def features_met(met: Iterable[Refusal | None]) -> Iterable[Feature]:
    """Yield what was refused, and why."""
    return (("refusal", why.token) for why in met if why)


def features_seen(match: Match, dice: Chance) -> Iterable[Feature]:
    """Yield the refusals with which options are greyed, or that a form of the page may be answered with."""
    for seat in match.waiting_for():
        for action in dice.sample(match.options(seat), CONSIDERED):
            if isinstance(action, Action) and (refused := match.reason(seat, action)):
                yield from features_greyed(refused)


def features_greyed(refused: Refused) -> Iterable[Feature]:
    """Yield the refusal with which an option is greyed."""
    yield "refusal", refused.token
    yield "seen", refused.token


def _sentences(line: Any) -> Iterable[str]:
    match line:
        case {"text": text, **rest}:
            yield text
            args: Any = rest.get("args", {})
            yield from _sentences(list(args.values()))
        case {"secret": content}:
            yield from _sentences(content)
        case list():
            for each in line:
                yield from _sentences(each)
