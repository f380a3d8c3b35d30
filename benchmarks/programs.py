"""Play StrifeBarge by JSON-RPC, as programs do, to be measured beside forms."""

import json
import re
from itertools import count, cycle
from typing import Any
from urllib.parse import urlencode

from benchmarks.load import Client, first_match, key_of
from benchmarks.playing import new_game
from tests.support.servers import Site

Result = dict[str, Any]
SCOPES = ("read", "play", "table")


class Program(Client):
    """A program with a token of a person."""

    def __init__(self, port: int, token: str):
        super().__init__(port)
        self.headers = {"Authorization": f"Bearer {token}"}
        self.numbers = count(1)

    def call(self, method: str, **arguments: Any) -> Result:
        """Return the result of a verb.  Raises RuntimeError for a refusal or a fault."""
        sent = {"jsonrpc": "2.0", "method": method, "params": arguments, "id": next(self.numbers)}
        json_type = {"Content-Type": "application/json"}
        _, _, answer = self._send("POST", "/api/v1/rpc", json.dumps(sent), json_type)
        result: Result = json.loads(answer).get("result", {"refused": answer})
        if refused := result.get("refused"):
            raise RuntimeError(f"{method} answers {refused}")
        return result


def program_of(site: Site, person: Client) -> Program:
    """Make a token by the form of the page, and return a program that has it."""
    form = {"key": key_of(person.get("/me/tokens")[2], "/me/tokens"), "name": "benchmark", "scope": SCOPES}
    _, _, page = person.post("/me/tokens", urlencode(form, doseq=True))
    return Program(site.port, first_match(r'value="(sbt_[^"]+)"', page))


class ProgramGame:
    """StrifeBarge for two on 18 x 18, played by programs: a game after the other."""

    def __init__(self, site: Site):
        self.site = site
        self.choices = cycle(range(0, 10_000, 7))
        self._begin()

    def _begin(self) -> None:
        table, people = new_game(self.site, sea="open")
        self.table = table.removeprefix("/g/")
        self.programs = [program_of(self.site, person) for person in people]
        self.states = [self._state(each) for each in self.programs]

    def _state(self, program: Program) -> Result:
        return program.call("table.state", table=self.table)

    def be_ready(self) -> None:
        """Begin another game if this one is over."""
        if not any(state["your_turn"] for state in self.states):
            self._begin()

    def move(self) -> None:
        """Make a move of the game, and read the mover's state after it."""
        self.mover = next(seat for seat, state in enumerate(self.states) if state["your_turn"])
        question, program = self.states[self.mover]["question"], self.programs[self.mover]
        offers = [each["move"] for each in question["offers"] if not each["refused"]]
        shots = [move for move in offers if re.match(r"fire \w+$", move)]
        shot, key = shots[next(self.choices) % len(shots)], f"{next(program.numbers):032x}"
        program.call(
            "table.move", table=self.table, question_number=question["question_number"], move=shot, key=key
        )
        self.states[self.mover] = self._state(program)

    def refresh(self) -> None:
        """Read the state as the player sees it who did not move last."""
        other = 1 - self.mover
        self.states[other] = self._state(self.programs[other])

    def turn(self) -> None:
        """Make a move, and read the state as both players see it."""
        self.move()
        self.refresh()
