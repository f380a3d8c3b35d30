"""Shared parts of both doors: who calls, how often they may, and what becomes of a call."""

import logging
from collections.abc import Container, Mapping
from typing import Any, NamedTuple

from flask import Response, current_app, g, request
from msgspec import Struct

from strifebarge.api import faults
from strifebarge.api.arguments import parsed
from strifebarge.api.caller import CODES, Caller
from strifebarge.api.ports import Site
from strifebarge.api.verbs.verb import Verb
from strifebarge.api.words import Why
from strifebarge.lib.busy import Busy, DiskFull
from strifebarge.ops.logs import LogEvent, request_id
from strifebarge.rules import Refused
from strifebarge.tables.library.budget import GameFault
from strifebarge.tables.model.table import No
from strifebarge.tables.play.faults import tell
from strifebarge.tournaments.reasons import NotInTournament

CALLS, WRONG_TOKENS = "api", "tokens"  # limits: on the calls of a token, on wrong tokens of an address
GUESSED = (No.NO_TABLE, No.NO_INVITATION, NotInTournament.NO_TOURNAMENT)  # reasons where a code is wrong
REFUSED = 422  # the status of a refusal that has none of its own
WAIT_WHEN_FULL, WAIT_WHEN_BUSY = 30, 2  # seconds

log = logging.getLogger("strifebarge.api")


class RefusedCall(Struct):
    """A call was refused, and nothing has changed: an ordinary answer, no fault."""

    refused: Why


class Outcome(NamedTuple):
    """The answer to a call, and its HTTP status."""

    result: Any
    status: int = 200
    wait: int | None = None  # seconds after which to try again


def site() -> Site:
    """Return what the interface of this application is made of."""
    found: Site = current_app.extensions["site"]
    return found


def caller() -> Caller:
    """Return whose token the request brings; no cookie and no address is ever looked at.

    Raises Fault: without a token, or with one that is unknown or was revoked; for an address that has tried
    too many wrong ones.
    """
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    here, is_bearer = site(), kind.lower() == "bearer"
    if here.limits.spent(WRONG_TOKENS):
        raise faults.too_fast(here.limits.standing(WRONG_TOKENS).seconds)
    found = here.services.accounts.tokens.whose(token.strip(), not here.read_only) if is_bearer else None
    if found is None:
        if token:
            here.limits.note(WRONG_TOKENS)
        raise faults.wrong_token() if is_bearer and token.strip() else faults.nobody()
    language = here.languages.asked_for(request.headers.get("Accept-Language", ""))
    g.caller = Caller(here, *found, language)
    return g.caller  # type: ignore[no-any-return]


def body(kinds: Container[str]) -> bytes:
    """Return the body of a call, b"" if it has none.  Raises Fault if its kind is another, or compressed."""
    found = request.get_data()
    if found and request.mimetype not in kinds:
        raise faults.invalid("The body must be application/json.", 415)
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise faults.invalid("The body must not be compressed: send it without Content-Encoding.", 415)
    return found


def carry_out(who: Caller, verb: Verb, given: Any, strict: bool = True) -> Outcome:
    """Do what a call wants.  Raises Fault; a refusal is an outcome, also that its person is banned."""
    if not who.site.limits.note(CALLS, who.token.id):
        raise faults.too_fast(who.site.limits.standing(CALLS, who.token.id).seconds)
    if verb.scope not in who.token.scopes:
        raise faults.not_allowed(verb.scope)
    arguments = parsed(verb.arguments, given, strict)
    if verb.writes and who.site.read_only:
        raise faults.read_only()
    try:
        who.site.services.accounts.must_be_welcome(who.player)
        return Outcome(verb.do(who, arguments))
    except Refused as no:
        return _refused(who, no)
    except GameFault as fault:
        tell(fault)
        return _refused(who, Refused(No.CANNOT_BEGIN if verb.writes else No.CANNOT_SHOW))


def _refused(who: Caller, no: Refused) -> Outcome:
    """Return a refusal; codes that are no table's are counted, for they may be guesses.

    Raises Fault after too many of them, for right and wrong codes alike.
    """
    limits, token = who.site.limits, who.token.id
    is_guess = no.why in GUESSED
    if (is_guess or no.why is No.NOT_SEATED) and limits.spent(CODES, token):
        raise faults.too_fast(limits.standing(CODES, token).seconds) from no
    if is_guess:
        limits.note(CODES, token)
    why = who.sentences().why(no)
    wait = no.args_told.get("seconds")
    status = who.site.statuses.get(no.why, REFUSED)
    who.site.log(status, no.token, who.player.id)
    return Outcome(RefusedCall(why), status, wait if status == 429 else None)


def fault_of(error: Exception) -> faults.Fault:
    """Return the fault for what was raised, with the id of its request; what is our own is logged."""
    found = _fault_of(error)
    found.more["reference"] = request_id()
    return found


def _fault_of(error: Exception) -> faults.Fault:
    if isinstance(error, faults.Fault):
        who: Caller | None = g.get("caller")
        site().log(error.status, None, who.player.id if who else None)
        return error
    if isinstance(error, Busy):
        return faults.busy(WAIT_WHEN_FULL if isinstance(error, DiskFull) else WAIT_WHEN_BUSY)
    route = f"/api{request.url_rule or ''}"
    words = f"fault {request_id()} at {request.method} {route}"
    log.error(LogEvent("fault", words, method=request.method, route=route, status=500), exc_info=error)
    return faults.internal()


def with_limits(answer: Response) -> Response:
    """Tell in headers how the limit of the caller's token stands."""
    who: Caller | None = g.get("caller")
    if who:
        standing = who.site.limits.standing(CALLS, who.token.id)
        answer.headers["RateLimit-Limit"] = str(standing.most)
        answer.headers["RateLimit-Remaining"] = str(standing.left)
        answer.headers["RateLimit-Reset"] = str(standing.seconds)
    return answer


def headers_of(fault: faults.Fault) -> Mapping[str, str]:
    """Return the headers that go with a fault; those of wrong tokens are as RFC 6750 has them."""
    error = f', error="{fault.more["error"]}"' if "error" in fault.more else ""
    found = {"WWW-Authenticate": f'Bearer realm="strifebarge"{error}'} if fault.status == 401 else {}
    return found | ({"Retry-After": str(fault.more["wait"])} if "wait" in fault.more else {})
