"""Whatever is sent to JSON-RPC has an answer of its kind: a result, a refusal or a fault, and never ours."""

import json
import random
from typing import Any

import pytest

from strifebarge.api.arguments import LARGEST
from strifebarge.api.verbs.every import VERBS
from tests.api.calls import Program, cup_of, new_key, table_of
from tests.web.house import House

FEW, MANY = 150, 30_000  # requests
NUMBERS = [0, -1, 1, 7, 99, 1.5, LARGEST, LARGEST + 1, -(10**40), 1e308, float("inf"), float("nan")]
TEXTS = [
    "",
    " ",
    "A",
    "x" * 41,
    "x" * 9000,
    "\0",
    "\ud800",
    "\u202e\u200f",
    "é" * 30,
    "../../etc",
    "' OR 1=1",
    "<b>",
]
DEEP = [
    [],
    [[]],
    ["A"],
    {},
    {"": ""},
    {"do": "fire"},
    {"do": "play", "card": []},
    {"a": {"b": {"c": [1] * 99}}},
]
ODD: list[Any] = [None, True, False, *NUMBERS, *TEXTS, *DEEP]
CODES = {-32700, -32600, -32601, -32602, -32001, -32002, -32003}


class Monkey:
    """Makes requests that are nearly right, and others that are not."""

    def __init__(self, dice: random.Random, table: str, cup: str):
        self.dice = dice
        self.table = table
        self.cup = cup

    def value(self, name: str) -> Any:
        right = {
            "table": self.table,
            "tournament": self.cup,
            "key": new_key(),
            "game": "eights",
            "format": "swiss",
            "pace": "days-3",
            "seat": 0,
            "question_number": 1,
            "number": 1,
        }
        if name in right and self.dice.random() < 0.8:
            return right[name]
        return self.dice.choice(ODD)

    def call(self) -> Any:
        name = self.dice.choice([*VERBS])
        fields = VERBS[name].arguments.__struct_fields__
        chosen = [
            each for each in fields if each in ("table", "tournament", "key") or self.dice.random() < 0.6
        ]
        params: Any = {each: self.value(each) for each in chosen}
        match self.dice.randrange(12):
            case 0:
                params[str(self.dice.choice(ODD))[:50]] = self.dice.choice(ODD)
            case 1:
                params = [self.value(each) for each in chosen]
            case 2:
                params = self.dice.choice(ODD)
        request: Any = {"jsonrpc": "2.0", "method": name, "params": params, "id": self.dice.randrange(99)}
        if self.dice.random() < 0.1:
            request[self.dice.choice([*request, "more"])] = self.dice.choice(ODD)
        if self.dice.random() < 0.05:
            del request[self.dice.choice([*request])]
        return request

    def body(self) -> bytes:
        body = (
            [self.call() for _ in range(self.dice.randrange(5))] if self.dice.random() < 0.2 else self.call()
        )
        text = json.dumps(body).encode()
        if self.dice.random() < 0.1:  # cut off, or with a byte changed
            at = self.dice.randrange(len(text))
            text = text[:at] + (bytes([self.dice.randrange(256)]) + text[at + 1 :]) * self.dice.randrange(2)
        return text


def tease(house: House, requests: int, seed: int) -> None:
    ann = Program(house, "Ann")
    table = table_of([ann, Program(house, "Ben")], "eights")
    monkey = Monkey(random.Random(seed), table, cup_of(ann))
    for nth in range(requests):
        if nth % 100 == 99:  # the last one may be over
            monkey.table = table_of([ann, Program(house, "Ben")], "strifebarge")
            monkey.cup = cup_of(ann)
        body = monkey.body()
        answer = ann.rpc(body)
        assert answer.status_code in (200, 400, 413), (body, answer.data)
        reply = json.loads(answer.data)
        for each in reply if isinstance(reply, list) else [reply]:
            assert each["jsonrpc"] == "2.0"
            assert ("result" in each) != ("error" in each)
            assert "error" not in each or each["error"]["code"] in CODES, (body, each)
            refused = each.get("result", {}).get("refused")
            assert refused is None or (refused["token"] and refused["text"])


def test_whatever_is_sent_has_an_answer_of_its_kind(house: House) -> None:
    tease(house, FEW, 1)


@pytest.mark.slow
def test_whatever_is_sent_for_long_has_an_answer_of_its_kind(house: House) -> None:
    tease(house, MANY, 2)
