"""The client, and the bot of docs/bots.md, which plays every game with it."""

import random
import re
from math import inf
from types import ModuleType
from typing import Any

import httpx
import pytest

from strifebarge.api.verbs.every import VERBS
from strifebarge.client import Client, Fault, Refused
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.api.calls import Program
from tests.support.servers import ROOT
from tests.web.house import House

BOTS = ROOT / "docs" / "bots.md"
GAMES = sorted(Library().titles)
LINES = 40
VOLITY = """
send_state sit stand ready unready suspend_game kill_game show_table record_games set_language invite_player
add_bot remove_bot get_info start_game set_timeout set_timeout_reaction game_has_started seat_list
required_seat_list player_sat player_stood player_ready player_unready end_game resume_game game_activity
game_validation receive_invitation message leave_table new_table new_bot prepare_game verify_game
notify_game_record game_player_reauthorized record_game game_player_authorized get_rulesets get_ruleset_info
get_uis get_ui_info get_parlors get_factories get_lobbies get_resource_uris get_resources get_resource_info
get_reputation get_stance get_stances set_stance
"""
SHORT, ROUNDS = 3, 4000  # moves that are enough to see; rounds of the bots at most


def bot() -> ModuleType:
    """Return the bot that the documentation prints, as a module."""
    return printed("bot")


def printed(name: str) -> ModuleType:
    """Return a program that the documentation prints, as a module."""
    [text] = re.findall(rf"```python\n# {name}.py\n(.*?)```", BOTS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(text.splitlines()) <= LINES
    module = ModuleType(name)
    exec(compile(text, str(BOTS), "exec"), module.__dict__)
    return module


def test_the_documentation_names_every_verb_with_its_scope() -> None:
    text = BOTS.read_text(encoding="utf-8")
    rows = {f"| `{verb.name}` | `{verb.scope}` | {verb.summary} |" for verb in VERBS.values()}
    assert rows <= {*text.splitlines()}


@pytest.mark.parametrize("word", VOLITY.split())
def test_the_documentation_says_where_each_verb_of_volity_went(word: str) -> None:
    _, _, table = BOTS.read_text(encoding="utf-8").partition("## Volity")
    assert f"`{word}`" in table


def client_of(house: House, program: Program) -> Client:
    return Client("http://localhost", program.token, transport=httpx.WSGITransport(app=house.app))


def played(house: House, game: str, moves: float) -> dict[str, Any]:
    """Let bots play a game until there are so many moves, or it is over; return the state then."""
    random.seed(game)
    seats = usual_seats(house.referee.library[game].rules)
    programs = [Program(house, f"{game} {number}"[:20]) for number in range(seats)]
    clients = [client_of(house, program) for program in programs]
    table = clients[0].do("table.new", game=game, seats=seats)["table"]
    for client in clients[1:]:
        client.do("table.sit", table=table)
    module = bot()
    for _ in range(ROUNDS):
        for client in clients:
            module.look_round(client)
        info = clients[0].read("table.get_info", table=table)
        if info["status"] == "over" or info["number"] >= moves:
            break
    return clients[0].read("table.state", table=table)


def test_the_documentation_follows_a_game_where_there_are_no_streams(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program asks now and then; whenever it waits, somebody moves."""
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = ann.do("table.new", game="rps", seats=2, options={"best_of": 1})["table"]
    ben.do("table.sit", table=table)
    moves = [(ann, "throw rock"), (ben, "throw paper")]

    def wait(_: float) -> None:
        who, move = moves.pop(0)
        number = who.call("table.state", table=table)["question"]["question_number"]
        who.do("table.move", table=table, question_number=number, move=move)

    client = Client("http://localhost", ann.token, transport=httpx.WSGITransport(app=house.app), pause=wait)
    printed("follow").follow(client, table)
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert words == ["table", "over"]


@pytest.mark.parametrize("game", GAMES)
def test_the_bot_plays_every_game(house: House, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    state = played(house, game, SHORT)
    assert state["number"] >= SHORT or state["status"] == "over"
    capsys.readouterr()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_bot_plays_every_game_to_its_end(
    house: House, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert played(house, game, inf)["status"] == "over"
    capsys.readouterr()


def test_a_refusal_and_a_fault_are_raised(house: House) -> None:
    site = client_of(house, Program(house, "Ann"))
    with pytest.raises(Refused) as refused:
        site.read("table.state", table="AAAAAAAA")
    assert refused.value.token == "table.no_table"
    with pytest.raises(Fault) as fault:
        site.read("table.state")
    assert fault.value.data["volity"] == 604


def test_a_call_without_an_answer_is_sent_again_and_done_once(house: House) -> None:
    ann, sent, waited = Program(house, "Ann"), [], []
    inner = httpx.WSGITransport(app=house.app)

    def unsteady(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        answer = inner.handle_request(request)
        answer.read()
        if len(sent) == 1:
            raise httpx.ReadTimeout("the answer got lost")
        if len(sent) == 2:
            return httpx.Response(503, headers={"Retry-After": "7"})
        return httpx.Response(answer.status_code, content=answer.content)

    site = Client("http://localhost", ann.token, transport=httpx.MockTransport(unsteady), pause=waited.append)
    table = site.do("table.new", game="strifebarge", seats=2)["table"]
    assert len({*sent}) == 1
    assert len(sent) == 3
    assert waited == [0.5, 7.0]
    assert [line["table"] for line in site.read("lobby.mine")["tables"]] == [table]


def test_a_site_that_is_away_is_told(house: House) -> None:
    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody there")

    site = Client("http://localhost", "sbt_x", transport=httpx.MockTransport(away), pause=lambda _: None)
    with pytest.raises(httpx.ConnectError):
        site.read("lobby.me")


def test_a_stream_that_is_to_be_opened_again_is_waited_for() -> None:
    """Here the site is crowded at first, then tells an event; then another program has the stream."""
    lines = [
        ['{"event":"hello","next":7,"every":15}', '{"event":"again","after":40.5}'],
        ['{"id":8,"event":"moved","table":"T"}', "", "", '{"event":"closed","why":"another"}'],
    ]
    paths: list[str] = []

    def site(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        if request.url.path.endswith("/stream"):
            return httpx.Response(200, text="\n".join(lines.pop(0)) + "\n")
        return httpx.Response(200, json={"result": {"events": [], "next": 8 - len(lines), "more": False}})

    pauses: list[float] = []
    client = Client("http://localhost", "sbt_x", transport=httpx.MockTransport(site), pause=pauses.append)
    assert [each["id"] for each in client.events(7)] == [8]
    assert pauses == [40.5]
    assert [path.rsplit("/")[-1] for path in paths] == ["stream", "rpc", "stream", "rpc"]
