"""The pages that document each game, made from its classes."""

import re

from flask import Blueprint, Response, render_template, request

from strifebarge.rules.notation import tag
from strifebarge.rules.schema import actions, form_fields, options_type, refusals, seat_numbers
from strifebarge.web.http.services import referee
from strifebarge.web.page.pages import cached_for_a_minute
from strifebarge.web.site.diagrams import how_for_reader
from strifebarge.web.words.clock import at_the_deadline
from strifebarge.web.words.languages import language
from strifebarge.web.words.terms import terms_of

blueprint = Blueprint("manual", __name__, url_prefix="/rules")
TABLE = re.compile("[A-Za-z0-9]{1,24}")  # an id, as the address of a table has it


@blueprint.get("/")
def contents() -> Response:
    return cached_for_a_minute(render_template("rules.html"))


@blueprint.get("/<game>/how")
def how(game: str) -> str:
    """Show how a game is played, in short; `?table=` is the table to which the page leads back."""
    title, table = referee().library[game], request.args.get("table", "")
    return render_template(
        "how.html",
        title=title,
        how=how_for_reader(title),
        terms=terms_of(title),
        table=table if TABLE.fullmatch(table) else "",
    )


@blueprint.get("/<game>")
def rules(game: str) -> str:
    """Show a game's rules in prose, and what may be chosen, done and refused."""
    title = referee().library[game]
    tongue, prose = title.about_in(language().code)
    return render_template(
        "manual.html",
        title=title,
        how=how_for_reader(title),
        terms=terms_of(title),
        tongue=tongue,
        rules=prose,
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
