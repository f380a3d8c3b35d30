"""What is found is written as a record that replays, can be brought to a site, and is short."""

from pathlib import Path

import msgspec
import pytest

from games.eights.rules import CrazyEights
from strifebarge.fuzz.acts import GameSetup
from strifebarge.fuzz.elsewhere import GameAsJson, parted
from strifebarge.fuzz.findings import Finding, keep, record_of
from strifebarge.fuzz.hunt import Hunt
from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.fuzz.patience import time_limit
from strifebarge.fuzz.playing import breaks
from strifebarge.results.record import Record, read_record
from strifebarge.results.replaying import replay
from strifebarge.rules.schema import options_type
from strifebarge.tables.library.library import Library, Title

from .faults.cards import BoardRefusesWhatIsAllowed, LeavingInTheMiddleBreaks, LooksForEver
from .faults.hands import DrawsForEver, ThirdDrawBreaks
from .faults.workshop import LeftWithoutAWinner, ToldFromASet

pytestmark = pytest.mark.full("runs the fuzzer, which shrinks by the clock")

HERE = Path(__file__).parent


def library_with(rules: type) -> Library:
    library = Library()
    library.titles["faults"] = Title(rules, HERE)
    return library


def hunt_for(rules: type, games: int = 60) -> tuple[Hunt, Finding]:
    hunt = Hunt(rules, "faults")
    return hunt, next(iter(hunt.run(games=games, first=True)))


@pytest.mark.parametrize(
    "rules", [LeavingInTheMiddleBreaks, BoardRefusesWhatIsAllowed, LeftWithoutAWinner, DrawsForEver]
)
def test_a_finding_replays_up_to_where_the_law_breaks(tmp_path: Path, rules: type) -> None:
    _, finding = hunt_for(rules)
    path = keep(finding, tmp_path / "deep" / "er", "faults")
    data = path.read_bytes()
    record = msgspec.json.decode(data, type=Record)
    assert (record.finding.law, record.finding.fuzz_seed) == (finding.law, "faults")
    assert record.finding.how == finding.how
    again = replay(read_record(data), library_with(rules))
    assert again.match.number == len(record.moves)
    assert bool(record.moves) == bool(finding.ops)


def test_the_second_of_a_kind_is_kept_beside_the_first(tmp_path: Path) -> None:
    _, finding = hunt_for(LeftWithoutAWinner)
    assert [keep(finding, tmp_path).name for _ in range(2)] == [
        "faults-ending.json",
        "faults-ending-2.json",
    ]


def test_a_finding_is_made_short_and_still_shows() -> None:
    hunt, finding = hunt_for(LeftWithoutAWinner)
    short = hunt.shortened(finding)
    wrong = breaks(short)
    assert wrong is not None
    assert wrong.kind == finding.kind
    assert len(short.ops) <= 4
    assert len(short.ops) < len(finding.ops)


def test_what_goes_otherwise_in_another_process_is_made_short_too() -> None:
    hunt, finding = hunt_for(ToldFromASet)
    assert (finding.law, bool(finding.hash_seed)) == (Law.PROCESS, True)
    before = len(finding.ops)
    short = hunt.shortened(finding)
    assert 3 <= len(short.ops) <= before
    assert sum(op.do == "move" for op in short.ops) <= 5
    life = GameAsJson.of(short.setting, short.seed, short.ops)
    assert list(parted(ToldFromASet, [life], finding.hash_seed)) == [(0, len(short.ops))]


def test_where_the_rules_break_at_the_deal_there_is_a_record_all_the_same(tmp_path: Path) -> None:
    setting = GameSetup(LooksForEver, 9, options_type(LooksForEver)())  # nobody has dealt to nine
    finding = Finding(setting, "seed", [], Law.CRASH, "how", "kind")
    record = record_of(finding)
    assert isinstance(record, Record)
    assert (record.moves, record.finished) == ([], False)


def test_rules_that_do_not_come_back_are_given_up() -> None:
    with pytest.raises(Unlawful, match="do not come back"):
        waits_for_ever()


def waits_for_ever() -> None:
    with time_limit(0.05):
        while True:
            pass


def test_the_same_seed_plays_the_same_games() -> None:
    def acts(seed: str) -> list[object]:
        hunt = Hunt(DrawsForEver.__mro__[1], seed)
        list(hunt.run(games=5))
        return [hunt.moves, sorted(map(repr, hunt.reached.counts.items()))]

    assert acts("one") == acts("one")
    assert acts("one") != acts("other")


def test_play_goes_where_it_has_not_been() -> None:
    """Every refusal of Crazy Eights is met, and both ways to draw are played, by all numbers of players."""
    hunt = Hunt(CrazyEights, "guided")
    list(hunt.run(games=12))
    assert hunt.reached.unmet == []
    assert {"automatic", "by_hand"} <= {each[2] for each in hunt.reached.counts if each[0] == "option"}
    assert {each[1] for each in hunt.reached.counts if each[0] == "seats"} == {*CrazyEights.players}


def test_rare_answers_are_preferred() -> None:
    """Three drawn throws in one match are rare, and come about."""
    _, finding = hunt_for(ThirdDrawBreaks, 400)
    assert "three" in finding.how
