"""Plans at a table: what its reader would do when they are asked, made and dropped."""

from functools import partial

from flask import request
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.acts import planning as acts
from strifebarge.table.plans import read_plan
from strifebarge.table.table import No

from .receipts import leaves_receipt
from .session import QUESTION, carry_out
from .table_access import at_a_table, back_to

blueprint = at_a_table("planning")


@blueprint.post("/<id>/plan")
@leaves_receipt
def plan(id: str) -> Reply:
    """Keep a plan: one move from the board, or what was typed."""
    seen = request.form.get("seen", "")
    if not QUESTION.fullmatch(seen):
        raise Refused(No.NO_KEY)
    move, text = request.form.get("move", ""), request.form.get("plan", "")
    carry_out(id, acts.plan, partial(read_plan, move, text), int(seen))
    return back_to(id)


@blueprint.post("/<id>/plan/drop")
@leaves_receipt
def drop(id: str) -> Reply:
    """Drop the plan, or the note that one was dropped."""
    carry_out(id, acts.drop_plan)
    return back_to(id)
