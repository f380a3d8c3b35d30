"""A record: refused with its own sentence wherever it does not hold, and the script says the same."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from strifebarge import verify
from strifebarge.results.record import (
    FORMAT,
    LARGEST,
    Record,
    RecordedMove,
    RecordRefusal,
    WrongRecord,
    read_record,
    written,
)
from strifebarge.results.replaying import checked, replay
from strifebarge.rules import Chance
from strifebarge.rules.chance import commitment
from strifebarge.rules.match import Match
from strifebarge.rules.schema import every_options, seat_numbers, usual_seats
from strifebarge.rules.testing import random_choice
from strifebarge.tables.library.library import Library

LIBRARY = Library()
SCRIPT = Path(__file__).parents[2] / "strifebarge" / "verify.py"


def played(game: str, seed: str, seats: int | None = None, nth: int = 0, leaving: bool = False) -> Record:
    """A game played at random to its end, with moves taken back here and there, as its record."""
    rules, dice = LIBRARY[game].rules, Chance(f"dice {seed}")
    options = list(every_options(rules))[nth]
    match = Match.new(rules, seats or usual_seats(rules), seed, options)
    moves: list[RecordedMove] = []
    while not match.result:
        seat = dice.choice(match.waiting_for())
        if leaving and len(moves) > 5:
            done = match.leave(seat)
        elif match.can_undo(seat) and dice.below(3) == 0:
            done = [match.undo(seat)]
        else:
            done = match.move(seat, random_choice(match, seat, dice))
        for each in done:
            number, last = len(moves) + 1, each is done[-1]
            plain = msgspec.to_builtins(each.action)
            moves.append(RecordedMove(number, each.seat, plain, match.fingerprint() if last else "", number))
    names = [f"P{number}" for number in range(len(match.game.seats))]
    record = Record(
        format=FORMAT,
        game=game,
        rules_version=rules.version,
        options=msgspec.to_builtins(options),
        names=names,
        seed=seed,
        commitment=commitment(seed),
        places=match.result.places,
        moves=moves,
    )
    record.draws = replay(record, LIBRARY).draws
    return record


def script(record: Record, folder: Path, before: str = "pass") -> subprocess.CompletedProcess[str]:
    """The script's verdict, given in a process of its own."""
    path = folder / "game.json"
    path.write_bytes(written(record))
    run = f"{before}; import sys, runpy; sys.argv = ['verify.py', {str(path)!r}]; "
    run += f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    root = str(SCRIPT.parents[1])
    return subprocess.run([sys.executable, "-c", run], cwd=root, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("game", sorted(LIBRARY.titles))
@pytest.mark.parametrize("leaving", [False, True])
def test_every_game_is_read_back_and_plays_again_to_the_same_position(game, leaving):
    rules = LIBRARY[game].rules
    for nth, seats in enumerate({usual_seats(rules), seat_numbers(rules)[-1]}):
        record = played(game, f"{game} {nth}", seats, -nth, leaving)
        read = read_record(written(record))
        assert read == record
        again = replay(read, LIBRARY)
        assert again.match.fingerprint() == record.moves[-1].fingerprint
        places = [row.ledger_position for row in again.rows]
        assert len(places) == len(record.moves) + 1
        assert places == sorted({*places})
        numbers = {number for number, _ in places}
        assert numbers == {*range(again.match.number + 1)}, "what was composed has one"
        for snapshot in again.snapshots:
            restored = Match(rules, snapshot)
            assert restored.number == snapshot.number


@pytest.mark.parametrize("game", sorted(LIBRARY.titles))
def test_the_script_finds_that_it_holds_with_the_rules_alone(tmp_path, game):
    record = played(game, f"script {game}", leaving=True)
    absent = ["flask", "sqlalchemy", "jinja2", "openskill", "gunicorn", "click", "strifebarge.tables"]
    done = script(record, tmp_path, f"import sys; sys.modules.update(dict.fromkeys({absent}))")
    assert done.stderr == ""
    draws = sum(map(len, record.draws or []))
    held, *not_proved = done.stdout.splitlines()
    assert held == (
        f"It holds: the seed, {draws} draws and {len(record.moves)} moves, "
        f"to the position {record.moves[-1].fingerprint}."
    )
    assert not_proved[0].startswith("The site alone says who played (names, people, bots)")


def test_the_script_can_be_read_in_one_sitting():
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 100


# -- what does not hold ---------------------------------------------------------------------

Spoil = Callable[[dict[str, Any]], object]
SEED = "cd" * 32
EIGHTS = msgspec.to_builtins(played("eights", "ab" * 32, 3))
LAST = len(EIGHTS["moves"])


def digit(value: str) -> str:
    return ("1" if value[0] == "0" else "0") + value[1:]


def draw(record: dict[str, Any], at: int) -> None:
    first = record["draws"][0][0]
    first[at] = f"x{first[at]}" if at == 0 else first[at] + 1


SPOILT: dict[str, tuple[Spoil, str]] = {
    "another format": (
        lambda r: r.update(format="strifebarge record 9"),
        "That record's format is unknown here: “strifebarge record 9”.",
    ),
    "another game": (
        lambda r: r.update(game="go"),
        "This site doesn't have that record's game: “go”.",
    ),
    "another seed": (
        lambda r: r.update(seed=SEED),
        "This isn't the promised seed: its SHA-256 differs from the record.",
    ),
    "another seed and its promise": (
        lambda r: r.update(seed=SEED, commitment=sha256(SEED.encode()).hexdigest()),
        "The deal doesn't match the record's seed.",
    ),
    "another seed, its promise, no draws": (
        lambda r: r.update(seed=SEED, commitment=sha256(SEED.encode()).hexdigest(), draws=None),
        "Move 1 is not legal: You don't have the 8 of diamonds. Play a card of your hand.",
    ),
    "too many at the table": (
        lambda r: r.update(names=["x"] * 99),
        "The record has 99 seats, which the rules don't allow.",
    ),
    "options there are not": (
        lambda r: r.update(options={"draw": "never"}),
        "No game can start the way the record says: Drawing is one of: automatic, by_hand",
    ),
    "a card nobody holds": (
        lambda r: r["moves"][0].update(action={"do": "play", "card": "KH"}),
        "Move 1 is not legal: You don't have the king of hearts. Play a card of your hand.",
    ),
    "an action there is not": (
        lambda r: r["moves"][0].update(action={"do": "win"}),
        "Move 1 is not legal: That isn't a move in this game: “win” doesn't exist here.",
    ),
    "an action that is none": (
        lambda r: r["moves"][0].update(action={"do": 7}),
        "Move 1 is not legal: That isn't a move in this game: it doesn't say what to do.",
    ),
    "another seat": (
        lambda r: r["moves"][0].update(seat=1),
        "Move 1 is not legal: It's not your turn.",
    ),
    "a seat there is not": (
        lambda r: r["moves"][0].update(seat=-4),
        "Move 1 is not legal: This table has no such seat.",
    ),
    "a move left out": (
        lambda r: r["moves"].pop(3),
        "The moves aren't in order: move 5 is where move 4 should be.",
    ),
    "a move twice": (
        lambda r: r["moves"].insert(3, r["moves"][2]),
        "The moves aren't in order: move 3 is where move 4 should be.",
    ),
    "a move too many": (
        lambda r: r["moves"].append(r["moves"][-1] | {"number": LAST + 1}),
        f"Move {LAST + 1} is not legal: The game is over.",
    ),
    "another position": (
        lambda r: r["moves"][2].update(fingerprint=digit(r["moves"][2]["fingerprint"])),
        "The position after move 3 differs from the record.",
    ),
    "a draw of more": (
        lambda r: draw(r, 2),
        "The deal doesn't match the record's seed.",
    ),
    "another draw": (
        lambda r: draw(r, 3),
        "The deal doesn't match the record's seed.",
    ),
    "a draw of another stream": (
        lambda r: draw(r, 0),
        "The deal doesn't match the record's seed.",
    ),
    "a draw in the middle": (
        lambda r: r["draws"][5].append(["", 60, 6, 1]),
        "The draw of move 5 doesn't match the record's seed.",
    ),
    "draws that stop": (
        lambda r: r["draws"].pop(),
        f"The draw of move {LAST} doesn't match the record's seed.",
    ),
    "the last position not told": (
        lambda r: r["moves"][-1].update(fingerprint=""),
        "The record doesn't give its final position.",
    ),
    "the end left out": (
        lambda r: r["moves"].pop(),
        "The game ends differently from the record.",
    ),
    "another winner": (
        lambda r: r.update(places=r["places"][::-1]),
        "The game ends differently from the record.",
    ),
    "finished, and not said so": (
        lambda r: r.update(finished=False),
        "The game ends differently from the record.",
    ),
    "too long": (
        lambda r: r.update(moves=[{"number": 1, "seat": 0, "action": {}, "fingerprint": ""}] * 3001),
        "The record is too long. We read up to 3000 moves.",
    ),
    "other rules": (
        lambda r: (r.update(rules_version=7), r["moves"][0].update(seat=1)),
        "This game was played by version 7 of the rules; this site has version 1. They differ at move 1. "
        "Move 1 is not legal: It's not your turn.",
    ),
}


def spoilt(how: str) -> Record:
    plain = json.loads(json.dumps(EIGHTS))
    SPOILT[how][0](plain)
    return msgspec.convert(plain, Record)


@pytest.mark.parametrize("how", SPOILT)
def test_a_record_that_does_not_hold_is_refused_with_its_own_sentence(how):
    with pytest.raises(WrongRecord) as refused:
        replay(read_record(msgspec.json.encode(spoilt(how))), LIBRARY)
    assert str(refused.value.text) == SPOILT[how][1]


@pytest.mark.parametrize("how", sorted(SPOILT.keys()))
def test_the_script_refuses_it_too(tmp_path, how):
    done = script(spoilt(how), tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    verdict = "It cannot be checked here." if how == "other rules" else "It does not hold."
    assert done.stderr == f"{verdict} {SPOILT[how][1]}\n"


def test_a_record_that_was_played_by_other_rules_and_still_holds_is_no_worse_for_that():
    record = spoilt("other rules")
    record.moves[0].seat = 0
    assert replay(record, LIBRARY).match.result


FILES = {
    "nothing": (b"  \n", "No file yet. Choose one first."),
    "no text": (b"\x89PNG\r\n", "That file isn't a game record: it isn't JSON."),
    "half a character": ("{}".encode("utf-16")[:-1], "That file isn't a game record: it isn't JSON."),
    "half of it": (b'{"format": ', "That file isn't a game record: it isn't JSON."),
    "half a surrogate": (b'{"format": "\\ud800"}', "That file isn't a game record: it isn't JSON."),
    "very deep": (b"[" * 100_000, "That file isn't a game record: it isn't JSON."),
    "a list": (b"[]", "That file isn't a game record (its content is something else). Choose another one."),
    "a field too few": (
        b'{"format": "strifebarge record 1"}',
        "That file isn't a game record (game is missing). Choose another one.",
    ),
    "a time before all time": (
        json.dumps(EIGHTS | {"started": -1}).encode(),
        "That file isn't a game record (started doesn't fit). Choose another one.",
    ),
    "a time after all time": (
        json.dumps(EIGHTS | {"ended": 1e300}).encode(),
        "That file isn't a game record (ended doesn't fit). Choose another one.",
    ),
    "a move of another kind": (
        json.dumps(EIGHTS | {"moves": [{"number": "1"}]}).encode(),
        "That file isn't a game record (moves doesn't fit). Choose another one.",
    ),
    "a field too many": (
        json.dumps(EIGHTS | {"more": 1}).encode(),
        "That file isn't a game record (there is no field more). Choose another one.",
    ),
    "too large": (b"[" + b" " * LARGEST, "That file is too large. Records have up to 512 KiB."),
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_record_is_read_however_an_editor_has_saved_it(encoding: str) -> None:
    text = json.dumps(EIGHTS | {"names": ["Zoë", "Ömer"]}, ensure_ascii=False)
    assert read_record(text.encode(encoding)).names == ["Zoë", "Ömer"]


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_is_no_record_is_refused_with_its_own_sentence(what):
    data, sentence = FILES[what]
    with pytest.raises(WrongRecord) as refused:
        read_record(data)
    assert str(refused.value.text) == sentence


@pytest.mark.parametrize("options", [{"draw": "never"}, {"draw": 7}, {"more": 1}])
def test_options_that_no_game_has_are_told_in_words_of_the_page(options: dict[str, Any]) -> None:
    record = msgspec.convert(EIGHTS | {"options": options}, Record)
    with pytest.raises(WrongRecord) as refused:
        replay(record, LIBRARY)
    assert refused.value.why is RecordRefusal.CANNOT_BEGIN
    assert not {"`", "$", "Expected"} & {*str(refused.value.text).split(), *str(refused.value.text)}


def test_a_game_that_was_ended_before_it_was_finished_plays_again_too(tmp_path):
    plain = json.loads(json.dumps(EIGHTS)) | {"finished": False, "places": []}
    plain["moves"], plain["draws"] = plain["moves"][:6], plain["draws"][:7]
    record = msgspec.convert(plain, Record)
    assert replay(record, LIBRARY).match.result is None
    assert script(record, tmp_path).returncode == 0


# -- what a record claims and does not prove --------------------------------------------------

Plain = dict[str, Any]


def changed_values(value: Any) -> Iterator[Any]:
    """Other values of the same kind as one of a record, or of the kind it may have too."""
    match value:
        case None: yield from (1, 1.5, [])  # fmt: skip
        case bool(): yield not value  # fmt: skip
        case int() | float(): yield from (value + 1, value - 1, 99)  # fmt: skip
        case str(): yield from ("", value + "x", value[1:], value[::-1])  # fmt: skip
        case list(): yield from ([], value[:-1], value[::-1], [*value, *value[-1:]], None)  # fmt: skip
        case dict():
            yield {**value, "unknown": 1}
            for key, inner in value.items():  # one that is left out says the same: it has a default
                yield from ({**value, key: other} for other in changed_values(inner))


def changed_records(record: Plain) -> Iterator[tuple[str, Plain]]:
    """Records that differ from one in a single field, with the name of the field."""
    yield "unknown", {**record, "unknown": 1}
    optional = {"sources": "x", "agreed": 3, "bots": [{"seat": 0, "level": "easy"}]}
    yield from ((field, {**record, field: value}) for field, value in optional.items())
    for field in record.keys() - {"moves"}:
        yield from ((field, {**record, field: other}) for other in changed_values(record[field]))
    moves = record["moves"]
    cut = {"finished": False, "places": []}
    for length in (0, 1, len(moves) // 2, len(moves) - 1):
        yield "finished", {**record, **cut, "moves": moves[:length], "draws": record["draws"][: length + 1]}
    for nth in {0, len(moves) // 2, len(moves) - 1}:
        yield "moves", {**record, "moves": [*moves[:nth], *moves[nth + 1 :]]}
        for other in changed_values(moves[nth]):
            for field in (key for key in {**other, **moves[nth]} if other.get(key) != moves[nth].get(key)):
                yield field, {**record, "moves": [*moves[:nth], other, *moves[nth + 1 :]]}


def shortened(record: Plain) -> Plain:
    """A record, or the beginning of a long one up to a position that it has, as an unfinished game."""
    moves, draws = record["moves"], record["draws"]
    if len(moves) <= 30:
        return record
    last = max(each["number"] for each in moves[:12] if each["fingerprint"])
    return {**record, "finished": False, "places": [], "moves": moves[:last], "draws": draws[: last + 1]}


def verdict(record: Plain) -> str | None:
    """The script's lines about a record that holds; None for one that is refused."""
    try:
        return verify.check(read_record(msgspec.json.encode(record)))
    except WrongRecord:
        return None


def fields_named(lines: str) -> set[str]:
    """The fields that a verdict names in brackets as not proved."""
    return {name for group in re.findall(r"\(([a-z_, ]+)\)", lines) for name in group.split(", ")}


@pytest.mark.full("plays about a hundred records of each game again", keep=2)
@pytest.mark.parametrize("game", sorted(LIBRARY.titles))
def test_each_changed_field_is_refused_or_named_as_not_proved(game: str) -> None:
    record = shortened(msgspec.to_builtins(played(game, f"changed {game}")))
    record |= {"started": 1.0, "ended": 2.0, "finding": {"law": "crash", "how": "It ended."}}
    original, fields = verdict(record), set()
    assert original
    for field, changed in changed_records(record):
        fields.add(field)
        lines = verdict(changed)
        # In chess 2f3 is another way to write f2f3: all positions are the same.
        same = changed == record or (game == "chess" and field == "action" and lines == original)
        assert same or lines is None or field in fields_named(lines), (field, changed)
    assert fields >= {*Record.__struct_fields__, *RecordedMove.__struct_fields__}


def test_the_site_and_the_script_say_the_same() -> None:
    for changes in ({}, {"draws": None}, {"rules_version": 99}, {"seed": "another"}):
        record = msgspec.convert(EIGHTS | changes, Record)
        lines = verdict(EIGHTS | changes)
        site = checked(record, LIBRARY)
        assert (lines is None) == (site.wrong is not None)
        if lines and record.draws is not None:
            assert lines.splitlines()[1:] == [str(each) for each in site.not_proved]


def test_a_draw_too_many_at_the_end_is_refused() -> None:
    assert verdict(EIGHTS | {"draws": [*EIGHTS["draws"], []]}) is None


def test_a_game_larger_than_any_fits_into_a_file_that_is_taken():
    assert len(written(played("strifebarge", "eight captains", 8))) < LARGEST
