"""Plans at a table: what its reader would do when they are asked, made and dropped."""

from flask import redirect, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_form, write
from strifebarge.rules.schema import actions
from strifebarge.tables.acts import planning as acts
from strifebarge.tables.model.plans import PlanLine, PlanRequest, must_not_be_refused, read_plan
from strifebarge.tables.model.table import TableRefusal
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.session import QUESTION, carry_out
from strifebarge.web.http.table_access import at_a_table, back_to
from strifebarge.web.page.offers import PLAN, picked_words

blueprint = at_a_table("planning")


@blueprint.post("/<id>/plan")
@leaves_receipt
def plan(id: str) -> Reply:
    """Keep a plan: one move from the board, or what was typed; or take a planned move back."""
    position_number = request.form.get("seen", "")
    if not QUESTION.fullmatch(position_number):
        raise Refused(TableRefusal.NO_KEY)
    carry_out(id, acts.plan, _read, int(position_number))
    return _back(id)


def _read(match: Match, seat: int, planned: list[PlanLine]) -> list[PlanLine]:
    """Return the plan that this form wants.  Raises Refused."""
    form = request.form
    move = form.get("move", "")
    if "do" in form and not move:
        action = from_form(form, actions(match.rules))
        must_not_be_refused(action, match, seat)  # before it is written: no words may mean it
        move = write(action)
    plan_request = PlanRequest(move, form.get("plan", ""), form.get("more") == "yes", form.get("without", ""))
    return read_plan(plan_request, match, seat, planned)


@blueprint.post("/<id>/plan/drop")
@leaves_receipt
def drop(id: str) -> Reply:
    """Drop the plan, or the note that one was dropped."""
    carry_out(id, acts.drop_plan)
    return _back(id)


def _back(id: str) -> Reply:
    """Redirect to the table after a form, to planning on its board where the form came from there."""
    if picked_words() != PLAN:
        return back_to(id)
    return redirect(url_for("play.show", id=id, pick=PLAN, _anchor="board"), 303)
