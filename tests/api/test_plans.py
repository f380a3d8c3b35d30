"""Plans by programs: made, played, dropped, and shown to the planner's own programs alone."""

from tests.api.calls import Program, refusal, table_of
from tests.web.house import House


def move(who: Program, table: str, words: str) -> None:
    number = who.call("table.state", table=table)["question"]["question_number"]
    assert not refusal(who.do("table.move", table=table, question_number=number, move=words))


def test_a_program_plans_and_only_its_own_state_says_so(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "chess")
    assert ben.call("table.state", table=table)["plan"]["allowed"]
    before = ann.call("table.state", table=table, stable=True)
    number = before["number"]
    assert not refusal(ben.do("table.plan", table=table, plan="e4 e5; Nf3 Nc6", state_number=number))
    assert ben.call("table.state", table=table)["plan"] == {
        "allowed": True,
        "answering": True,
        "plan": "e4 e5; Nf3 Nc6",
        "dropped": "",
        "why": "",
    }
    assert ann.call("table.state", table=table, stable=True) == before
    move(ann, table, "move e4")
    state = ann.call("table.state", table=table)
    assert (state["number"], state["your_turn"]) == (2, True)
    assert ben.call("table.state", table=table)["plan"]["plan"] == "Nf3 Nc6"
    move(ann, table, "move d4")
    plan = ben.call("table.state", table=table)["plan"]
    assert (plan["dropped"], plan["why"]) == ("Nc6", "They played another move.")
    assert not refusal(ben.do("table.drop_plan", table=table))
    assert ben.call("table.state", table=table)["plan"]["dropped"] == ""


def test_a_program_is_refused_with_a_token(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "chess")
    for given, token in (
        ({}, "table.empty_plan"),
        ({"move": "dance"}, "game.malformed"),
        ({"plan": "e4 e5 d4"}, "table.not_a_line"),
        ({"plan": "e5", "state_number": 9}, "game.stale"),
    ):
        assert refusal(ben.do("table.plan", table=table, **given)) == token
    assert refusal(ann.do("table.plan", table=table, move="move e4")) == "table.your_turn"
    other = table_of([ann, ben], "rps")
    assert refusal(ben.do("table.plan", table=other, move="throw rock")) == "table.no_plans"
    assert ben.call("table.state", table=other)["plan"] is None


def test_one_planned_move_is_written_as_it_would_be_sent(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "chess")
    assert not refusal(ben.do("table.plan", table=table, move="move e7e5"))
    move(ann, table, "move e4")
    assert ann.call("table.state", table=table)["number"] == 2
