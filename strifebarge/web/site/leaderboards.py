"""Leaderboards: the people with the best ratings in each game, of all time and of this month."""

from flask import Blueprint, Response, render_template

from strifebarge.results.models import ESTABLISHED
from strifebarge.rules import Refused
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.table import TableRefusal
from strifebarge.web.http.services import referee, results
from strifebarge.web.http.session import current_player
from strifebarge.web.page.pages import cached_for_a_minute

blueprint = Blueprint("leaderboards", __name__, url_prefix="/leaderboards")


@blueprint.get("/")
def contents() -> Response:
    """List the games that have a leaderboard."""
    titles = [title for title in referee().library if not title.for_one]
    return cached_for_a_minute(render_template("leaderboards.html", titles=titles))


@blueprint.get("/<game>")
def page(game: str) -> Response:
    """Show the best of all who were ever rated in a game."""
    return _page(_rated_game(game), this_month=False)


@blueprint.get("/<game>/month")
def month(game: str) -> Response:
    """Show the best of the people whose last rated game ended in this calendar month, by UTC."""
    return _page(_rated_game(game), this_month=True)


def _rated_game(game: str) -> Title:
    """Return a game that can be rated.  Raises Refused: NO_GAME, NEVER_RATED."""
    title = referee().library[game]
    if title.for_one:
        raise Refused(TableRefusal.NEVER_RATED)
    return title


def _page(title: Title, this_month: bool) -> Response:
    player = current_player()
    rendered = render_template(
        "leaderboard.html",
        title=title,
        this_month=this_month,
        standings=results().leaderboard(title.slug, this_month),
        mine=player.public if player else "",
        is_private=player is not None and player.is_private,
        established=ESTABLISHED,
    )
    return cached_for_a_minute(rendered)
