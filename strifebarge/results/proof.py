"""Prove a record: play it again by rules, and compare every move, draw, position and the end.

A site's check page, `strifebarge replay` and `verify.py` all use this.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from strifebarge.results.record import MOST_MOVES, Record, RecordedMove, RecordRefusal, WrongRecord
from strifebarge.rules import Game, Options, Refused, Text, count
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.chance import Draw, commitment, witnessed
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, misfit, options_type, seat_numbers

# What edited rules may be to blame for.
BY_RULES = frozenset(
    {
        *(RecordRefusal.WRONG_SEATS, RecordRefusal.CANNOT_BEGIN, RecordRefusal.WRONG_DEAL),
        *(RecordRefusal.ILLEGAL, RecordRefusal.UNPLAYABLE, RecordRefusal.ELSEWHERE),
        *(RecordRefusal.WRONG_DRAW, RecordRefusal.ENDS_DIFFERENTLY),
    }
)
OTHER_RULES = frozenset({RecordRefusal.OTHER_VERSION, RecordRefusal.OTHER_RULES, RecordRefusal.AGREED})


class ReplayStep(NamedTuple):
    """The deal, or one move, that was played again: what it made, and the numbers newly drawn for it."""

    match: Match
    recorded: RecordedMove | None  # None for the deal
    moves: list[Move]
    draws: list[Draw]


def replay_steps(record: Record, rules: type[Game[Any]]) -> Iterator[ReplayStep]:
    """Play a record again, step by step, and compare all that follows from its seed.  Raises WrongRecord."""
    if commitment(record.seed) != record.commitment:
        raise WrongRecord(RecordRefusal.WRONG_SEED)
    if len(record.moves) > MOST_MOVES:
        raise WrongRecord(RecordRefusal.TOO_MANY, most=MOST_MOVES)
    if record.moves and not record.moves[-1].fingerprint:
        raise WrongRecord(RecordRefusal.UNSEALED)
    seen: set[tuple[str, int]] = set()
    with witnessed() as drawn:
        match = _begun(record, rules)
    yield ReplayStep(match, None, [], _new_draws(record, 0, drawn, seen))
    for number, each in enumerate(record.moves, 1):
        if each.number != number:
            raise WrongRecord(RecordRefusal.WRONG_NUMBER, wanted=number, found=each.number)
        with witnessed() as drawn:
            moves = _play(match, each)
        yield ReplayStep(match, each, moves, _new_draws(record, number, drawn, seen))
    _compare_end(record, match)


def _begun(record: Record, rules: type[Game[Any]]) -> Match:
    seats = len(record.names)
    if seats not in seat_numbers(rules):
        raise WrongRecord(RecordRefusal.WRONG_SEATS, seats=seats)
    try:
        options: Options = msgspec.convert(record.options, options_type(rules))
        if seats not in seat_numbers(rules, options):
            raise WrongRecord(RecordRefusal.WRONG_SEATS, seats=seats)
        if why := options.refuse():
            raise why if isinstance(why, Refused) else why()
        return Match.new(rules, seats, record.seed, options)
    except WrongRecord:
        raise
    except Refused as no:
        raise WrongRecord(RecordRefusal.CANNOT_BEGIN, problem=no.text) from no
    except msgspec.ValidationError as wrong:
        problem = misfit(options_type(rules), wrong)
        raise WrongRecord(RecordRefusal.CANNOT_BEGIN, problem=problem) from wrong
    except Exception as error:  # the file is a stranger's
        raise WrongRecord(RecordRefusal.CANNOT_BEGIN, problem=Text("the rules fail with it")) from error


def _play(match: Match, each: RecordedMove) -> list[Move]:
    try:
        moves = match.repeat(each.seat, from_json(each.action, (*actions(match.rules), *FRAMEWORK)))
    except Refused as no:
        raise WrongRecord(RecordRefusal.ILLEGAL, number=each.number, reason=no.text) from no
    except Exception as error:
        raise WrongRecord(RecordRefusal.UNPLAYABLE, number=each.number) from error
    if each.fingerprint and (match.pending or match.fingerprint() != each.fingerprint):
        raise WrongRecord(RecordRefusal.ELSEWHERE, number=each.number)
    return moves


def _new_draws(record: Record, number: int, drawn: list[Draw], seen: set[tuple[str, int]]) -> list[Draw]:
    """Return the draws not seen before.  Raises WrongRecord where the record says something else."""
    new = list({draw[:2]: draw for draw in drawn if draw[:2] not in seen}.values())
    seen |= {draw[:2] for draw in new}
    if record.draws is not None and record.draws[number : number + 1] != [new]:
        raise (
            WrongRecord(RecordRefusal.WRONG_DRAW, number=number)
            if number
            else WrongRecord(RecordRefusal.WRONG_DEAL)
        )
    return new


def _compare_end(record: Record, match: Match) -> None:
    places = match.result.places if match.result else []
    if (match.result is not None) != record.finished or places != record.places:
        raise WrongRecord(RecordRefusal.ENDS_DIFFERENTLY)
    if record.draws is not None and len(record.draws) > len(record.moves) + 1:
        raise WrongRecord(RecordRefusal.WRONG_DRAW, number=len(record.moves) + 1)


def explained(record: Record, rules: type[Game[Any]], sources: str, wrong: WrongRecord) -> WrongRecord:
    """Return what is wrong with a record that may have been played by other rules than those here.

    Nobody has cheated then.  A record that says nothing of its rules is judged by those that are here.
    """
    if wrong.why not in BY_RULES:
        return wrong
    reason, number = wrong.text, wrong.args_told.get("number", 0)
    then, now = record.rules_version, rules.version
    if then != now and number:
        return WrongRecord(RecordRefusal.OTHER_VERSION, then=then, now=now, number=number, reason=reason)
    if record.sources and record.sources != sources:
        return WrongRecord(RecordRefusal.OTHER_RULES, reason=reason)
    if isinstance(record.agreed, int) and number <= record.agreed:
        return WrongRecord(RecordRefusal.AGREED, agreed=record.agreed, reason=reason)
    return wrong


def not_proved(record: Record, rules: type[Game[Any]]) -> list[Text]:
    """Return what a record that holds does not prove, with the names of its fields."""
    texts = [
        Text(
            "The site alone says who played (names, people, bots) and when (started, ended, at). "
            "It alone says whether the game counted (rated) and which code ran (sources, agreed). "
            "It alone says that everyone saw the SHA-256 before the start (commitment)."
        )
    ]
    if not record.finished:
        texts.append(Text("That the game went no further than these moves isn't proved (finished)."))
    if record.rules_version != rules.version:
        versions = {"then": record.rules_version, "now": rules.version}
        texts.append(
            Text(
                "The record names version {then} of the rules; version {now} checked it (rules_version).",
                versions,
            )
        )
    if record.finding:
        texts.append(Text("What the fuzzer says it found isn't proved (finding)."))
    if record.draws is None:
        texts.append(Text("The record lists no draws; they were drawn again from the seed (draws)."))
    if blank := sum(not each.fingerprint for each in record.moves):
        texts.append(
            count(
                "After {n} move the record has no position to compare (fingerprint).",
                "After {n} moves the record has no position to compare (fingerprint).",
                blank,
            )
        )
    return texts
