"""All that a program can ask by the interface, in both worlds at once."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from strifebarge.api.verbs.every import VERBS
from strifebarge.rules import Action
from strifebarge.rules.notation import write

from .asking import ALIKE, outcome, seat_of, turns
from .pairs import Pair
from .worlds import Broken, Leak, Person, Reply, Twins, difference

TOKEN = re.compile(r'value="(sbt_[\w-]{43})"')
ID = re.compile(rb'(?<="person":")[0-9a-f]+(?=")')  # follows from people's ids, which are drawn
SCOPES = [("scope", each) for each in ("read", "play", "table")]
# What the verbs that show something are asked with; those not named take nothing, or the table alone.
NUMBERED = "table.history"
TIMED = {"RateLimit-Remaining", "RateLimit-Reset"}
ASIDE = {"lobby.games", "game.schema"}  # which know of no table
NOT_HERE = {"table.new", "tournament.new", "table.move", "table.undo", "lobby.vacation"}
AT_CUPS = [
    name for name, verb in VERBS.items() if verb.writes and "tournament" in verb.arguments.__struct_fields__
]


class Caller:
    """Somebody's program, with a token of theirs in each world."""

    def __init__(self, twins: Twins, person: Person):
        self.twins = twins
        fields = [twins.key(), ("name", "a program"), *SCOPES]
        tokens = [TOKEN.search(reply.text) for reply in twins.each(person, "POST", "/me/tokens", fields)]
        if not all(tokens):
            raise Broken("no token was made")
        self.tokens = [match[1] for match in tokens if match]

    def call(self, verb: str, **params: Any) -> Any:
        """Call a verb in both worlds; return the answer.  Raises Leak if there are two."""
        body = json.dumps({"jsonrpc": "2.0", "method": verb, "params": params, "id": 1}).encode()
        one, other = self.answers(body)
        self.twins.tally["requests"] += 1
        self.twins.tally["bytes"] += len(one.body)
        if differing := difference(one, other):
            raise Leak(f"{verb} {params} tells the worlds apart: {differing}")
        reply = json.loads(one.body)
        return reply.get("result", reply)

    def answers(self, body: bytes) -> list[Reply]:
        replies = []
        for world, token in zip(self.twins.worlds, self.tokens, strict=True):
            sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            answer = world.client.post("/api/v1/rpc", data=body, headers=sent)
            if answer.status_code >= 500:
                raise Broken(f"{body!r}: {answer.status_code}")
            # When a limit ends, and what has ended of it, is a matter of when this token was first used.
            headers = [each for each in answer.headers if each[0] not in TIMED]
            reply = Reply(answer.status_code, headers, ID.sub(b"", answer.data))
            replies.append(self.twins.plain(world, reply))
        return replies


def see_all(pair: Pair, caller: Caller) -> Any:
    """Call every verb that shows something; return the state."""
    for name, verb in VERBS.items():
        if verb.writes or name in ASIDE:
            continue
        for more in _places(pair, name):
            caller.call(name, **more)
    for seat in range(pair.scene.seats):
        caller.call("table.state", table=pair.id, seat=seat)
    return caller.call("table.state", table=pair.id)


def _places(pair: Pair, name: str) -> Iterator[dict[str, Any]]:
    """Yield where a verb that shows something is called: at the table, at each tournament, or nowhere."""
    fields = VERBS[name].arguments.__struct_fields__
    if "tournament" in fields:
        yield from ({"tournament": each} for each in pair.twins.cups)
        return
    at_table = {"table": pair.id} if "table" in fields else {}
    for more in _numbers(pair) if name == NUMBERED else [{}]:
        yield at_table | more


def see_again(pair: Pair, caller: Caller) -> None:
    """Call the verbs that show what has happened."""
    for name in ("table.state", "table.roster", "table.version", "table.log", "chat.read"):
        caller.call(name, table=pair.id)


def _numbers(pair: Pair) -> Iterator[dict[str, Any]]:
    number = pair.twins.one.table(pair.id).position.number
    for each in sorted({0, number // 2, number, number + 1}):
        yield {"number": each, "as_seen": bool(each % 2)}


def write_all(pair: Pair, who: Person, caller: Caller, most: int) -> Counter[str]:
    """Call every verb that changes something, and make moves of each fate; each is undone before the next."""
    tally: Counter[str] = Counter()
    with pair.twins.kept(who) as restore:
        for name, params in pair.dice.sample([*_acts(pair)], 4 * most):
            answer = caller.call(name, key=pair.twins.key()[1], **params)
            tally[name if "refused" not in answer else answer["refused"]["token"]] += 1
            see_again(pair, caller)
            restore()
        for words in _moves(pair, who, most):
            key, number = pair.twins.key()[1], _question_number(pair, who)
            for _ in range(2):
                caller.call("table.move", table=pair.id, key=key, question_number=number, move=words)
            see_again(pair, caller)
            tally["moves"] += 1
            restore()
    return tally


def _acts(pair: Pair) -> Iterator[tuple[str, dict[str, Any]]]:
    here = {"table": pair.id}
    others: dict[str, list[dict[str, Any]]] = {
        "table.from_here": [{"number": 0}, {"number": 1, "analysis": False}],
        "table.miss": [{"about": seat, "step": "vote"} for seat in range(pair.scene.seats)],
        "table.nudge": [{"about": 0}],
        "table.take_over": [{"about": 0}],
        "table.remove": [{"about": 0, "holder": ""}],
        "table.remove_bot": [{"about": 0}],
        "table.seat_other": [{"about": 0, "holder": "", "to": 1}],
        "table.change_seat": [{"to": 1}],
        "table.invite": [{"person": "0" * 16}],
        "table.withdraw": [{"person": "0" * 16}],
        "chat.say": [{"text": "Ahoy"}, {"phrase": "luck"}],
        "chat.strike": [{"number": 1}],
        "chat.report": [{"number": 1}],
        "chat.mute": [{"number": 1}],
        "table.leave": [{"how": "free"}],
    }
    for name, verb in VERBS.items():
        # Opening tables deals other pieces in each world; moves and what takes them back are asked for below.
        if verb.writes and name not in NOT_HERE and name not in AT_CUPS:
            for more in others.get(name, [{}]):
                yield name, here | more
    yield "tournament.new", {"game": pair.pastime, "name": "New", "format": "swiss", "pace": "days-3"}
    for name, cup in product(AT_CUPS, pair.twins.cups):
        yield name, {"tournament": cup} | ({"number": 1} if name == "tournament.remove" else {})


def _question_number(pair: Pair, who: Person) -> int:
    seat = seat_of(pair, who)
    return pair.match.question_numbers.get(-1 if seat is None else seat, pair.match.number)


def _moves(pair: Pair, who: Person, most: int) -> Iterator[str]:
    """Yield moves in words that are refused, or leave the viewer as wise as before."""
    seat, left = seat_of(pair, who), most
    options = [each for asked_seat in pair.match.prompts for each in pair.match.options(asked_seat)]
    words = [write(each) for each in options if isinstance(each, Action)]
    words += [dict(fields)["move"] for fields in turns(pair) if [*dict(fields)] == ["move"]]
    for each in pair.dice.sample(sorted({*words}), len({*words})):
        fate = outcome(pair, seat, [("move", each)])
        if left and each and (fate == ALIKE or "." in fate):
            left -= 1
            yield each
