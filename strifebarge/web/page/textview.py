"""The text view: a table in words, and one box for moves and for questions about it.

It is the page of the same viewer, with the board told instead of drawn.  A browser that asks for it once, by
`?view=text`, gets it until it asks for the board again.
"""

from typing import NamedTuple

from flask import current_app
from markupsafe import Markup

from strifebarge.rules import Action, Refused, Standard, Text
from strifebarge.rules.notation import Kinds, meanings, tag
from strifebarge.rules.schema import actions, form_fields
from strifebarge.tables.library.budget import run_template
from strifebarge.tables.library.library import Title
from strifebarge.tables.view import AnsweredQuestion, Offer, View
from strifebarge.web.http.request_store import this_request
from strifebarge.web.page.offers import Board
from strifebarge.web.page.pages import on_a_board
from strifebarge.web.page.preferences import preferred
from strifebarge.web.words.catalogue import game_words, say
from strifebarge.web.words.texts import render_text

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


class TextBoard(NamedTuple):
    """A game told to one viewer."""

    board: Markup
    hand: Markup | None  # what is the viewer's own, where the game says that in its own words
    rest: Board  # what was left for the page to offer


def is_requested() -> bool:
    """Tell whether this request wants the table as text."""
    return (this_request().args.get("view") or preferred("view")) == "text"


def draw(view: View) -> TextBoard:
    """Render the game in the words of its `text.html`; without one, as the plain board tells any game."""
    return run_template(view.id, "drawing the text view", _draw, view)


def _draw(view: View) -> TextBoard:
    rest = Board(view)
    name = f"games/{view.title.slug}/{view.title.text}" if view.title.text else "board.html"
    module = current_app.jinja_env.get_template(name).make_module(on_a_board(view, rest, "text"))
    str(module).encode()  # now, where it is the game's fault if that fails
    hand = getattr(module, "hand", None)
    return TextBoard(Markup(module), hand() if hand and view.position.you else None, rest)  # noqa: S704 - its own output


# -- what is typed ---------------------------------------------------------------------


def question(typed: str, title: Title) -> str | None:
    """Return the question that was typed, in English or the reader's language; None if it is none.

    Where a game has an action of that name, the action is meant.
    """
    typed_question = typed.strip().casefold().rstrip(" ?")
    if typed_question in map(tag, actions(title.rules)):
        return None
    if not typed_question:
        return "help" if "?" in typed else None
    if typed_question in title.rules.questions:
        return typed_question
    return next(
        (name for name, text in QUESTIONS.items() if typed_question in (name, render_text(text).casefold())),
        None,
    )


def understood(typed: str, view: View, kinds: Kinds) -> Action:
    """Return the action that is meant: `fire K9`, or `K9` alone, or what its button says.

    Where several may be meant, it is one that can be done.  Raises Refused.
    """
    offered = [option if isinstance(option, type) else type(option) for option in view.turn.options]
    meant = meanings(typed, dict.fromkeys([*offered, *kinds]))
    possible = (each for each in meant if isinstance(each, Action) and may(each, view))
    if action := next(possible, None) or _on_a_button(typed, view):
        return action
    for each in meant:
        if isinstance(each, Refused):
            raise each
        return each  # the referee will say why not
    raise Refused(Standard.MALFORMED, problem=Text("nothing here has that name"))


def may(action: Action, view: View) -> bool:
    """Tell whether an action is on offer, and not refused."""
    on_offer = any(option is type(action) or option == action for option in view.turn.options)
    return on_offer and view.reason(action) is None


def _on_a_button(typed: str, view: View) -> Action | None:
    typed_label = " ".join(typed.split()).casefold()
    labelled = (
        (render_text(offer.label, view).striptags().casefold(), offer.action) for offer in view.offers
    )
    return next((action for label, action in labelled if label == typed_label), None)


class TextPage(NamedTuple):
    """The parts of a page of text beside the table itself."""

    answering: str | None  # the question that was typed
    question: AnsweredQuestion | None  # if it is one of the game's own
    plan: str | None  # the moves that were typed after `plan`, where the viewer may plan
    has_own: bool  # the viewer's seat has something in it
    legal: list[Offer]  # moves that the text of the game has not offered
    as_menu: bool  # there are too many of them for a button each
    example: str  # a move as it may be typed
    how_to_say: list[tuple[Markup, Markup]]
    questions: list[tuple[Markup, Markup]]


def about(view: View, rest: Board | None, typed: str) -> TextPage:
    """Return what stands on a page of text beside the table, in answer to what was typed."""
    subject = question(typed, view.title)
    own = getattr(view.position.you, "__struct_fields__", ())
    legal = [offer for offer in rest.rest() if offer.refused is None] if rest and view.choosing else []
    return TextPage(
        answering=subject,
        question=next((each for each in view.questions if each.name == subject), None),
        plan=_planned(typed, view),
        has_own=any(name not in ("eq", "number") for name in own),
        legal=legal,
        as_menu=len(legal) > MANY,
        example=example(view),
        how_to_say=how_to_say(view),
        questions=questions(view),
    )


def _planned(typed: str, view: View) -> str | None:
    """Return the moves of `plan e7e5`; None where nothing of the kind was typed, or nobody may plan."""
    word, _, moves = typed.strip().partition(" ")
    may = view.plan is not None and view.plan.may
    return moves if may and word.casefold() == "plan" else None


# -- what is said of it ----------------------------------------------------------------


def how_to_say(view: View) -> list[tuple[Markup, Markup]]:
    """Return what may be typed now, with placeholders for the fields, and what it does."""
    kinds = dict.fromkeys(
        option if isinstance(option, type) else type(option) for option in view.turn.options
    )
    return [(_with_holes(kind), _first_line(kind, view.title)) for kind in kinds]


def _with_holes(kind: type[Action]) -> Markup:
    holes = (game_words(field.label).upper() for field in form_fields(kind))
    return Markup(" ").join([tag(kind).replace("_", " "), *holes])


def _first_line(kind: type[Action], title: Title) -> Markup:
    return game_words((kind.__doc__ or kind.__name__).strip().splitlines()[0], title)


def example(view: View) -> str:
    """Return a move as it may be typed."""
    return next((offer.notation for offer in view.offers if not offer.refused), "")


def questions(view: View) -> list[tuple[Markup, Markup]]:
    """Return each question in the reader's language, with its meaning; then those of the game."""
    meaning = {
        "last": say("What happened last?"),
        "time": say("When did it start, and when was the last move?"),
        "hand": say("What is mine?"),
        "who": say("Who plays, and whose turn is it?"),
        "board": say("What is on the board?"),
        "help": say("What can I type here?"),
    }
    english = Markup('<span lang="en">{}</span>').format  # as it is typed in every language
    if view.plan is not None and view.plan.may:
        meaning |= {"plan": say("Plan ahead")}
    own = [
        (english(name), game_words(phrase, view.title)) for name, phrase in view.title.rules.questions.items()
    ]
    phrase = {name: render_text(QUESTIONS[name]) if name in QUESTIONS else english(name) for name in meaning}
    return [*((phrase[name], each) for name, each in meaning.items()), *own]
