"""Acts of others that a viewer has not seen yet, and what else these might have been."""

from typing import Any

from strifebarge.fuzz.acts import GameOperation, Ops, replay_acts
from strifebarge.fuzz.worlds import ViewerSeat
from strifebarge.rules import Action, Chance, Game
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match


def unseen_choices(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: ViewerSeat) -> set[int]:
    """Return which of these acts, by their place, are choices of others that are not shown yet at the end."""
    held = [(match.number, {*match.pending}) for match in replay_acts(rules, deal, ops)]
    return {
        nth
        for nth, op in enumerate(ops)
        if held[nth][0] == held[-1][0] and op.seat != viewer and op.seat in held[nth + 1][1]
    }


def unseen_steps(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: ViewerSeat) -> set[int]:
    """Return which of these acts, by their place, are steps of others who are still composing at the end."""
    places = []
    for match in replay_acts(rules, deal, ops):
        places.append(match.ledger_position)
        unseen, still = match.withheld(viewer), match.waiting_for()
    return {nth for nth, op in enumerate(ops) if places[nth + 1] in unseen and op.seat in still}


def instead(match: Match, op: GameOperation, dice: Chance) -> GameOperation:
    """Return what might have been chosen instead; the act itself, if there is nothing else."""
    others: list[Any] = [*match.offers(op.seat), *match.classes(op.seat)]
    others = [other for other in others if other != op.action]
    if not others:
        return op
    choice: Any = dice.choice(others)
    if not isinstance(choice, Action):
        choice = choice.sample(match.game, match.game.seats[op.seat], dice)
    return op._replace(action=choice)
