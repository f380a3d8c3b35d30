"""A client for programs that play at a site, with a token of a person.

    from strifebarge.client import Client, Refused

    with Client("https://games.example.org", "sbt_...") as site:
        for table in site.read("lobby.mine")["tables"]: ...
        site.do("table.move", table=..., question_number=..., move="fire K9")

It needs nothing of the site itself but its address; `docs/bots.md` lists the verbs.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import count
from secrets import token_hex
from time import sleep
from types import TracebackType
from typing import Any, Self

import httpx

TRIES = 5  # times that a call is sent where no answer comes, or the site is busy
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0  # seconds between two tries; it doubles
PATIENCE = 30.0  # seconds to wait for an answer, or for a sign of life on a stream
ASKED_EVERY = 2.0  # seconds between two questions for events, where the site has no streams
BUSY = {429, 502, 503, 504}  # statuses after which the same call may be sent again

Result = dict[str, Any]


class Refused(Exception):
    """A call was refused, and nothing has changed; an ordinary thing, as a move against the rules."""

    def __init__(self, token: str, text: str):
        super().__init__(f"{text} ({token})")
        self.token = token
        self.text = text


class Fault(Exception):
    """A call was not one that can be carried out: a mistake of the program, or the site is away."""

    def __init__(self, code: int, message: str, data: Result):
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.data = data


class Client:
    """Calls the verbs of a site.  A call that got no answer is sent again, and is done once."""

    def __init__(
        self,
        address: str,
        token: str,
        language: str = "en",
        transport: httpx.BaseTransport | None = None,
        pause: Any = sleep,
    ) -> None:
        """Make a client of the site at an address; `transport` is httpx's, for tests."""
        headers = {"Authorization": f"Bearer {token}", "Accept-Language": language}
        self.http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1", headers=headers, timeout=PATIENCE, transport=transport
        )
        self.pause = pause
        self.numbers = count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def read(self, verb: str, **arguments: Any) -> Result:
        """Return what a verb shows.  Raises Refused, Fault; httpx.HTTPError if the site cannot be reached."""
        return self._answer(verb, arguments)

    def do(self, verb: str, **arguments: Any) -> Result:
        """Carry out a verb that changes something, once; with a key of its own unless one is given.

        Raises Refused, Fault; httpx.HTTPError if the site cannot be reached: then send it again with its key.
        """
        return self._answer(verb, {"key": token_hex(16), **arguments})

    def events(self, after: int | None = None) -> Iterator[Result]:
        """Yield what changes at the caller's tables, for ever; after the event of this id, or from now on.

        Where the connection is lost it is opened again, and nothing is missed; where the site has no streams,
        it is asked from time to time.  Ends where the same token opens another stream.
        Raises Refused for an event that is too old to go on from, or is none of this token's; Fault once the
        token is revoked.
        """
        if after is None:
            after = self.read("events")["next"]
        while True:
            for fields in self._read_stream(after):
                if "id" in fields:
                    after = fields["id"]
                    yield fields
                elif fields["event"] == "closed":
                    return
                else:
                    more = True
                    while more:
                        page = self.read("events", after=after)
                        yield from page["events"]
                        after, more = page["next"], page["more"]

    def _read_stream(self, after: int) -> Iterator[Result]:
        """Yield what one stream says: events, `more` where there are others to ask for, at last `closed`."""
        headers, wait = {"Accept": "application/x-ndjson"}, ASKED_EVERY
        stream = self.http.stream("GET", "/stream", params={"after": after}, headers=headers)
        with suppress(httpx.TransportError, ValueError), stream as answer:
            if answer.status_code == 200:
                wait = FIRST_WAIT
                for fields in _lines_of(answer):
                    if fields["event"] == "again":
                        wait = min(fields["after"], LONGEST_WAIT)
                        break
                    yield fields
            elif answer.status_code not in BUSY:
                answer.read()
                _result_of(answer.json())
        self.pause(wait)
        yield {"event": "more"}

    def moves(self, question: Result) -> Iterator[Any]:
        """Yield what can be chosen now: the moves that are offered, and samples of the kinds to fill in."""
        for offer in question["offers"]:
            if not offer["refused"]:
                yield offer["action"]
        for kind in question["kinds"]:
            yield from kind["samples"]

    def _answer(self, verb: str, arguments: Result) -> Result:
        call = {"jsonrpc": "2.0", "method": verb, "params": arguments, "id": next(self.numbers)}
        return _result_of(self._sent(call))

    def _sent(self, call: Result) -> Result:
        """Send a call until there is an answer to it.  Raises httpx.HTTPError."""
        wait = FIRST_WAIT
        for left in reversed(range(TRIES)):
            try:
                answer = self.http.post("/rpc", json=call)
                if answer.status_code not in BUSY or not left:
                    return _decoded(answer)
                with suppress(ValueError):  # a proxy may say a date
                    wait = float(answer.headers.get("Retry-After", wait))
            except httpx.TransportError:
                if not left:
                    raise
            self.pause(min(wait, LONGEST_WAIT))
            wait = 2 * wait
        raise AssertionError("the last try returns or raises")


def fold(followed: Result, event: Result) -> Result:
    """Return a table as an event leaves it; `followed` is what `table.follow` returned, or this function.

    What is of another table, or in it already, leaves it as it is.
    """
    if event["table"] != followed["table"] or event["id"] <= followed["event"]:
        return followed
    folded = deepcopy(followed)
    for operation in event.get("patch") or []:
        _apply(folded, operation)
    return {**folded, "event": event["id"]}


def _apply(whole: Result, operation: Result) -> None:
    """Carry out one operation of a JSON Patch (RFC 6902): add, remove or replace."""
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:]]
    target: Any = whole
    for part in path:
        target = target[int(part) if isinstance(target, list) else part]
    key: Any = int(last) if isinstance(target, list) else last
    if operation["op"] == "remove":
        del target[key]
    elif operation["op"] == "add" and isinstance(target, list):
        target.insert(key, deepcopy(operation["value"]))
    else:
        target[key] = deepcopy(operation["value"])


def _lines_of(answer: httpx.Response) -> Iterator[Result]:
    """Yield what a stream says; signs of life make a program ask now and then, in case anything was lost."""
    beats = 0
    for line in answer.iter_lines():
        beats += not line
        if line:
            event = json.loads(line)
            if event["event"] != "hello":
                yield event
        elif beats % 2 == 0:
            yield {"event": "more"}


def _result_of(fields: Result) -> Result:
    """Return the result of an answer.  Raises Refused, Fault."""
    if error := fields.get("error") or fields.get("fault"):
        raise Fault(error["code"], error["message"], error.get("data", {}))
    result: Result = fields.get("result", fields)
    if refused := result.get("refused"):
        raise Refused(refused["token"], refused["text"])
    return result


def _decoded(answer: httpx.Response) -> Result:
    """Return the object of an answer.  Raises httpx.HTTPStatusError for anything else."""
    try:
        payload = answer.json()
    except ValueError:
        payload = None
    if isinstance(payload, dict) and payload.keys() & {"result", "error"}:
        return payload
    raise httpx.HTTPStatusError("no answer of the interface", request=answer.request, response=answer)
