"""One act as it must go; and a finding played again, to see whether it still shows."""

from functools import partial

from strifebarge.fuzz.acts import GameOperation, act, round_trip, viewers
from strifebarge.fuzz.findings import Finding
from strifebarge.fuzz.law import Law, Unlawful, no_crash
from strifebarge.fuzz.laws import (
    accepted,
    check_all,
    goes_on_alike,
    is_answered_for,
    leaves,
    refused_or_legal,
    takes_back,
)
from strifebarge.fuzz.leaks import must_tell_no_secrets
from strifebarge.fuzz.patience import time_limit
from strifebarge.fuzz.quickly import must_play_alike
from strifebarge.fuzz.wrong import wrong_actions
from strifebarge.rules import Chance
from strifebarge.rules.match import Match


def step(match: Match, op: GameOperation, closely: bool) -> None:
    """Do one act as it must go; closely, a match that is taken up must go the same way.  Raises Unlawful."""
    doing = partial(act, op=op)
    with time_limit(), no_crash():
        if closely:
            match.take_log()
            doing = partial(goes_on_alike, twin=round_trip(match), doing=doing)
        match op.do:
            case "leave":
                leaves(match, op.seat, doing)
            case "undo" if closely:
                takes_back(match, op.seat, doing)
            case "late":
                is_answered_for(match, op.seat, doing)
            case _ if op.action is not None:
                accepted(match, op.seat, op.action, doing)
            case _:
                doing(match)


def breaks(finding: Finding) -> Unlawful | None:
    """Play a finding and look: the law that breaks, if any does.  Raises Refused where an act cannot be."""
    dice = Chance("again")
    setting, ops = finding.setting, finding.ops
    if finding.law is Law.PROCESS:
        return None
    try:
        if finding.law is Law.PLAYOUT:
            must_play_alike(setting, finding.seed, ops)
            return None
        with time_limit(), no_crash():
            match = setting.begin(finding.seed)
            deal = match.snapshot
            log = match.take_log()
        for op in ops:
            with time_limit(), no_crash():
                act(match, op)
            log = match.take_log()
        if finding.law is Law.LEAK:
            for viewer in viewers(match):
                must_tell_no_secrets(setting.rules, deal, ops, viewer, dice)
            return None
        if finding.trying:
            step(match, finding.trying, closely=True)
            log = match.take_log()
        with time_limit(), no_crash():
            check_all(match, log)
            for seat in match.waiting_for():
                for action in wrong_actions(match, seat, [], dice):
                    refused_or_legal(match, seat, action)
    except Unlawful as wrong:
        return wrong
    return None
