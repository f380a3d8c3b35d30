"""The text view: a table in words, and one box for moves and for questions about it.

It is the same page for the same viewer, only that the board is told instead of drawn.  Whoever asks for it
once, by `?view=text`, gets it until they ask for the board again.
"""

from typing import Any, NamedTuple

from flask import current_app, request
from markupsafe import Markup

from strifebarge.rules import Action, Refused, Standard, Text
from strifebarge.rules.notation import Kinds, meanings, tag
from strifebarge.rules.schema import actions, form_fields
from strifebarge.table.library import Title
from strifebarge.table.view import View

from .offers import Board
from .pages import on_a_board
from .preferences import preferred
from .words import said, say, told

VIEWS = ("text", "board")
MANY = 120  # moves; where there are more, they are a menu instead of a button each
QUESTIONS = {
    "last": Text("last"),
    "time": Text("time"),
    "hand": Text("hand"),
    "who": Text("who"),
    "board": Text("board"),
    "help": Text("help"),
}


class InWords(NamedTuple):
    """A game told to one viewer."""

    board: Markup
    hand: Markup | None  # what is the viewer's own, where the game says that in its own words
    rest: Board  # what was left for the page to offer


def wanted() -> bool:
    """Does this request want the table as text?"""
    return (request.args.get("view") or preferred("view")) == "text"


def draw(view: View) -> InWords:
    """The game in the words of its `text.html`; without one, as the plain board tells any game."""
    rest = Board(view)
    name = f"games/{view.title.slug}/{view.title.text}" if view.title.text else "board.html"
    context: dict[str, Any] = {}
    current_app.update_template_context(context)
    template = current_app.jinja_env.get_template(name)
    module = template.make_module({**context, **on_a_board(view, rest)})
    hand = getattr(module, "hand", None)
    return InWords(Markup(module), hand() if hand and view.you else None, rest)  # noqa: S704 - its own output


# -- what is typed ---------------------------------------------------------------------


def question(words: str, title: Title) -> str | None:
    """The question that is asked here, in English or the reader's language; None if it is none.

    Where a game has an action of that name, that is meant.
    """
    asked = words.strip().casefold().rstrip(" ?")
    if asked in map(tag, actions(title.rules)):
        return None
    if not asked:
        return "help" if "?" in words else None
    if asked in title.rules.questions:
        return asked
    return next((name for name, text in QUESTIONS.items() if asked in (name, told(text).casefold())), None)


def understood(words: str, view: View, kinds: Kinds) -> Action:
    """The action that is meant: `fire K9`, or `K9` alone, or what its button says.

    Where several may be meant, one that can be done.  Raises Refused.
    """
    offered = [option if isinstance(option, type) else type(option) for option in view.options]
    meant = meanings(words, dict.fromkeys([*offered, *kinds]))
    possible = (each for each in meant if isinstance(each, Action) and may(each, view))
    if found := next(possible, None) or _on_a_button(words, view):
        return found
    for each in meant:
        if isinstance(each, Refused):
            raise each
        return each  # the referee will say why not
    raise Refused(Standard.MALFORMED, problem=Text("nothing here is called so"))


def may(action: Action, view: View) -> bool:
    """Is this on offer, and not refused?"""
    on_offer = any(option is type(action) or option == action for option in view.options)
    return on_offer and view.reason(action) is None


def _on_a_button(words: str, view: View) -> Action | None:
    wanted = " ".join(words.split()).casefold()
    labelled = ((told(offer.label, view).striptags().casefold(), offer.action) for offer in view.offers)
    return next((action for label, action in labelled if label == wanted), None)


# -- what is said of it ----------------------------------------------------------------


def how_to_say(view: View) -> list[tuple[str, Markup]]:
    """What may be typed now, with holes for the fields, and what it does."""
    kinds = dict.fromkeys(option if isinstance(option, type) else type(option) for option in view.options)
    return [(_with_holes(kind), _first_line(kind, view.title)) for kind in kinds]


def _with_holes(kind: type[Action]) -> Markup:
    holes = (said(field.label).upper() for field in form_fields(kind))
    return Markup(" ").join([tag(kind).replace("_", " "), *holes])


def _first_line(kind: type[Action], title: Title) -> Markup:
    return said((kind.__doc__ or kind.__name__).strip().splitlines()[0], title)


def example(view: View) -> str:
    """A move as it may be typed."""
    return next((offer.words for offer in view.offers if not offer.refused), "")


def questions(view: View) -> list[tuple[str, Markup]]:
    """Each question in the reader's language, and what it asks; then those of the game."""
    meaning = {
        "last": say("What happened last?"),
        "time": say("When did it begin, and when was the last move?"),
        "hand": say("What is mine?"),
        "who": say("Who plays, and whose turn is it?"),
        "board": say("What is on the board?"),
        "help": say("What can be typed here?"),
    }
    english = Markup('<span lang="en">{}</span>').format  # as it is typed in every language
    own = [(english(name), said(words, view.title)) for name, words in view.title.rules.questions.items()]
    return [*((told(QUESTIONS[name]), words) for name, words in meaning.items()), *own]
