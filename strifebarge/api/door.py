"""Shared parts of both doors: who calls, how often they may, and what becomes of a call."""

import logging
from collections.abc import Container, Mapping
from typing import Any, NamedTuple

from flask import Response, current_app, g, request
from msgspec import Struct

from strifebarge.api import faults
from strifebarge.api.arguments import parsed
from strifebarge.api.caller import CODES, Caller
from strifebarge.api.ports import ApiServices
from strifebarge.api.verbs.verb import Verb
from strifebarge.api.words import Reason, Sentences
from strifebarge.lib.busy import Busy, DiskFull
from strifebarge.ops.logs import LogEvent, request_id
from strifebarge.rules import Refused
from strifebarge.tables.library.budget import GameFault
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.faults import tell
from strifebarge.tournaments.reasons import TournamentRefusal

# Limits: on the calls of a token, on those of an address by all its tokens, on wrong tokens of an address.
CALLS, ALL_CALLS, WRONG_TOKENS = "api", "calls", "tokens"
GUESSED = (
    TableRefusal.NO_TABLE,
    TableRefusal.NO_INVITATION,
    TournamentRefusal.NO_TOURNAMENT,
)  # reasons where a code is wrong
REFUSED = 422  # the status of a refusal that has none of its own
WAIT_WHEN_FULL, WAIT_WHEN_BUSY = 30, 2  # seconds

log = logging.getLogger("strifebarge.api")


class RefusedCall(Struct):
    """A call was refused, and nothing has changed: an ordinary answer, no fault."""

    refused: Reason


class CallOutcome(NamedTuple):
    """The answer to a call, and its HTTP status."""

    result: Any
    status: int = 200
    wait: int | None = None  # seconds after which to try again


def site() -> ApiServices:
    """Return what the interface of this application is made of."""
    extension: ApiServices = current_app.extensions["site"]
    return extension


def caller() -> Caller:
    """Return whose token the request brings; no cookie and no address is ever looked at.

    Raises Fault: without a token, or with one that is unknown or was revoked; for an address that has tried
    too many wrong ones.
    """
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    api_site, is_bearer = site(), kind.lower() == "bearer"
    if api_site.limits.spent(WRONG_TOKENS):
        raise faults.too_fast(api_site.limits.standing(WRONG_TOKENS).seconds)
    token_and_owner = (
        api_site.services.accounts.tokens.look_up(token.strip(), not api_site.read_only)
        if is_bearer
        else None
    )
    if token_and_owner is None:
        if token:
            api_site.limits.note(WRONG_TOKENS)
        raise faults.wrong_token() if is_bearer and token.strip() else faults.no_token()
    language = api_site.languages.asked_for(request.headers.get("Accept-Language", ""))
    g.caller = Caller(api_site, *token_and_owner, language)
    return g.caller  # type: ignore[no-any-return]


def body(kinds: Container[str]) -> bytes:
    """Return the body of a call, b"" if it has none.  Raises Fault if its kind is another, or compressed."""
    data = request.get_data()
    if data and request.mimetype not in kinds:
        raise faults.invalid("The body must be application/json.", 415)
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise faults.invalid("The body must not be compressed: send it without Content-Encoding.", 415)
    return data


def carry_out(who: Caller, verb: Verb, raw_arguments: Any, strict: bool = True) -> CallOutcome:
    """Do what a call wants.  Raises Fault; a refusal is an outcome, also that its person is banned."""
    limits = who.site.limits
    for limit, whose in ((CALLS, who.token.id), (ALL_CALLS, who.site.address())):
        if not limits.note(limit, whose):
            raise faults.too_fast(limits.standing(limit, whose).seconds)
    if verb.scope not in who.token.scopes:
        raise faults.not_allowed(verb.scope)
    arguments = parsed(verb.arguments, raw_arguments, strict)
    if verb.writes and who.site.read_only:
        raise faults.read_only()
    try:
        who.site.services.accounts.must_not_be_banned(who.player)
        return CallOutcome(verb.do(who, arguments))
    except Refused as no:
        return _refused(who, no, arguments)
    except GameFault as fault:
        tell(fault)
        why = TableRefusal.CANNOT_BEGIN if verb.writes else TableRefusal.CANNOT_SHOW
        return _refused(who, Refused(why), arguments)


def _refused(who: Caller, refused: Refused, arguments: Struct) -> CallOutcome:
    """Return a refusal; codes that are no table's are counted, for they may be guesses.

    Raises Fault after too many of them, for right and wrong codes alike.
    """
    is_guess = refused.why in GUESSED
    if (is_guess or refused.why is TableRefusal.NOT_SEATED) and (seconds := who.wait(CODES)):
        raise faults.too_fast(seconds) from refused
    if is_guess:
        who.count(CODES)
    why = _sentences(who, arguments).reason(refused)
    wait = refused.args_told.get("seconds")
    status = who.site.statuses.get(refused.why, REFUSED)
    who.site.log(status, refused.token, who.player.id)
    return CallOutcome(RefusedCall(why), status, wait if status == 429 else None)


def _sentences(who: Caller, arguments: Struct) -> Sentences:
    """Return the words in which a call is refused: those of its game, with the names at its table."""
    table, game = getattr(arguments, "table", None), getattr(arguments, "game", None)
    try:
        if table:
            seat = getattr(arguments, "seat", None)
            return who.sentences(who.referee.views.show_failed(who.player.id, who.table(table), seat))
        return Sentences(who.language, title=who.referee.library[game] if game else None)
    except Refused:  # there is no such table or game
        return who.sentences()


def fault_of(error: Exception) -> faults.CallFault:
    """Return the fault for what was raised, with the id of its request; what is our own is logged."""
    fault = _fault_of(error)
    fault.more["reference"] = request_id()
    return fault


def _fault_of(error: Exception) -> faults.CallFault:
    if isinstance(error, faults.CallFault):
        who: Caller | None = g.get("caller")
        site().log(error.status, None, who.player.id if who else None)
        return error
    if isinstance(error, Busy):
        return faults.busy(WAIT_WHEN_FULL if isinstance(error, DiskFull) else WAIT_WHEN_BUSY)
    route = f"/api{request.url_rule or ''}"
    message = f"fault {request_id()} at {request.method} {route}"
    log.error(LogEvent("fault", message, method=request.method, route=route, status=500), exc_info=error)
    return faults.internal()


def with_limits(answer: Response) -> Response:
    """Tell in headers how the limit of the caller's token stands, as far as this process knows."""
    who: Caller | None = g.get("caller")
    if who:
        standing = who.site.limits.standing(CALLS, who.token.id)
        answer.headers["RateLimit-Limit"] = str(standing.most)
        if standing.shared:
            answer.headers["RateLimit-Remaining"] = str(standing.left)
            answer.headers["RateLimit-Reset"] = str(standing.seconds)
    return answer


def headers_of(fault: faults.CallFault) -> Mapping[str, str]:
    """Return the headers that go with a fault; those of wrong tokens are as RFC 6750 has them."""
    error = f', error="{fault.more["error"]}"' if "error" in fault.more else ""
    result = {"WWW-Authenticate": f'Bearer realm="strifebarge"{error}'} if fault.status == 401 else {}
    return result | ({"Retry-After": str(fault.more["wait"])} if "wait" in fault.more else {})
