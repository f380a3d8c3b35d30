"""The pages that document each game, made from its classes."""

from flask import Blueprint, render_template

from strifebarge.rules.notation import tag
from strifebarge.rules.schema import actions, form_fields, options_type, refusals, seat_numbers

from .people import referee

blueprint = Blueprint("manual", __name__, url_prefix="/rules")


@blueprint.get("/")
def contents() -> str:
    return render_template("rules.html")


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
    )
