"""The pages that document each game, made from its classes."""

from flask import Blueprint, Response, render_template

from strifebarge.rules.notation import tag
from strifebarge.rules.schema import actions, form_fields, options_type, refusals, seat_numbers

from .pages import kept_a_minute
from .people import referee
from .times import at_the_deadline

blueprint = Blueprint("manual", __name__, url_prefix="/rules")


@blueprint.get("/")
def contents() -> Response:
    return kept_a_minute(render_template("rules.html"))


@blueprint.get("/<game>")
def rules(game: str) -> str:
    """A game's rules in prose, what may be chosen, done and refused."""
    title = referee().library[game]
    return render_template(
        "manual.html",
        title=title,
        seats=seat_numbers(title.rules),
        options=form_fields(options_type(title.rules)),
        actions=[
            (tag(kind), " ".join((kind.__doc__ or "").split()), form_fields(kind))
            for kind in actions(title.rules)
        ],
        refusals=refusals(title.rules),
        leaving=title.leaving,
        times=[
            (deadline, [each for each in title.paces.values() if at_the_deadline(title, each) == deadline])
            for deadline in dict.fromkeys(at_the_deadline(title, each) for each in title.paces.values())
        ],
    )
