"""Programs that call the interface of a site in this process."""

import json
from itertools import count
from typing import Any

from werkzeug.test import TestResponse

from strifebarge.people.models import Scope
from strifebarge.tables.model.player import Player
from tests.web.house import House

Result = dict[str, Any]
KEYS = count(1)


def new_key() -> str:
    """Return a key that no call in this process has used."""
    return f"key-of-a-test-{next(KEYS):06}"


class Fault(Exception):
    """The answer was a fault."""

    def __init__(self, error: Result):
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data: Result = error["data"]


class Program:
    """A program with a token of a person."""

    def __init__(self, house: House, name: str, scopes: tuple[str, ...] = tuple(Scope)):
        accounts = house.services.accounts
        self.house = house
        self.player = accounts.newcomer()
        self.player.name = name
        accounts.repository.save_player(self.player)
        self.token = accounts.tokens.make(self.player.id, "a test", scopes, new_key())
        self.client = house.app.test_client(use_cookies=False)
        self.numbers = count(1)

    def again(self, *scopes: str) -> "Program":
        """Return another program of the same person, with these scopes."""
        program = object.__new__(Program)
        program.__dict__.update(self.__dict__)
        program.token = self.house.services.accounts.tokens.make(self.player.id, "more", scopes, new_key())
        return program

    @property
    def person(self) -> Player:
        return self.player

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Send a request with the token; a body that is no bytes is written as JSON."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.open(f"/api/v1{path}", method=method, data=data, headers=sent)

    def rpc(self, body: Any, **headers: str) -> TestResponse:
        return self.send("POST", "/rpc", body, **headers)

    def call(self, method: str, **params: Any) -> Result:
        """Return the result of a call by JSON-RPC, a refusal too.  Raises Fault."""
        body = {"jsonrpc": "2.0", "method": method, "params": params, "id": next(self.numbers)}
        answer = self.rpc(body)
        reply: Result = json.loads(answer.data)
        if "error" in reply:
            raise Fault(reply["error"])
        assert reply["id"] == body["id"]
        result: Result = reply["result"]
        return result

    def do(self, method: str, **params: Any) -> Result:
        """Return the result of a call that writes, with a new key unless one is given."""
        return self.call(method, **({"key": new_key()} | params))


def refusal(answer: Result) -> str:
    """Return the token of a refusal, "" if it was none."""
    return str(answer.get("refused", {}).get("token", ""))


def table_of(programs: list[Program], game: str, **more: Any) -> str:
    """Return a table where these programs play."""
    host, *others = programs
    table = str(host.do("table.new", game=game, **({"seats": len(programs)} | more))["table"])
    for each in others:
        assert not refusal(each.do("table.sit", table=table))
    return table


def cup_of(host: Program, game: str = "rps", **given: Any) -> str:
    """Return a tournament that a program has opened."""
    fields = {"game": game, "name": "Cup", "format": "round-robin", "pace": "days-3", **given}
    return str(host.do("tournament.new", **fields)["tournament"])
