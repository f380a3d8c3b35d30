"""How a table is played: the words for its settings."""

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.rules.pace import DAY
from strifebarge.tables.clock.absence import CLOSED_AFTER
from strifebarge.tables.model.status import (
    EVERYBODY,
    NOBODY,
    AbsencePolicy,
    DevicePolicy,
    ResultUse,
    Seating,
    StartRule,
    Status,
)
from strifebarge.tables.model.table import TERM
from strifebarge.tables.view import View
from strifebarge.web.words.catalogue import game_words, say
from strifebarge.web.words.clock import at_the_deadline, breaks, pace
from strifebarge.web.words.dates import rough_duration
from strifebarge.web.words.languages import Language, languages
from strifebarge.web.words.texts import render_text

# What may be done about absent players.
REMEDIES = {
    AbsencePolicy.SKIP: Text("the game moves for them; after two times the others can remove them"),
    AbsencePolicy.REPLACE: Text("their seat opens up; if nobody takes it, the others can remove it"),
    AbsencePolicy.END: Text("the others can end the game without a result"),
    AbsencePolicy.LOSE: Text("the others can count them as gone for good"),
}
PATIENCES = {DAY: Text("1 day"), 3 * DAY: Text("3 days"), 7 * DAY: Text("a week"), 30 * DAY: Text("30 days")}

RESULTS = {
    ResultUse.QUIET: Text("private"),
    ResultUse.PUBLIC: Text("public: on the players' pages"),
    ResultUse.RATED: Text("public and rated"),
}
BEGINNINGS = {
    StartRule.FULL: Text("when all seats are taken"),
    StartRule.AGREED: Text("when everyone is ready"),
}
SEATINGS = {
    Seating.CHOSEN: Text("each player chooses"),
    Seating.CHANCE: Text("random"),
}
DEVICES = {
    DevicePolicy.OWN: Text("each player's own"),
    DevicePolicy.ONE: Text("one shared device (pass and play)"),
    DevicePolicy.SOME: Text("some share one device"),
}


def results_are(chosen: str, bots: bool = False) -> Markup:
    """Return what becomes of the result of a game; with bots it is not rated, whatever was chosen."""
    if bots and chosen == ResultUse.RATED:
        return say("public, not rated because of bots")
    return say(RESULTS[ResultUse(chosen)].sentence)


def game_begins(chosen: str) -> Markup:
    """Return when a game begins."""
    return say(BEGINNINGS[StartRule(chosen)].sentence)


def seats_are(chosen: str) -> Markup:
    """Return how the players come to their seats."""
    return say(SEATINGS[Seating(chosen)].sentence)


class SettingFact(NamedTuple):
    """A setting in words, with the name of the player who chose it, or ""."""

    label: Markup
    value: Markup
    set_by: str = ""


def facts(view: View) -> Iterator[SettingFact]:
    """Return what a table is played by, as far as somebody chose it or should know it."""
    set_by = view.settings.set_by
    for field, choice in view.settings.options:
        label, value = game_words(field.label, view.title), game_words(choice.label, view.title)
        yield SettingFact(label, value, set_by.get(field.name, ""))
    yield from _of_time(view)
    yield from _of_the_table(view)
    yield from _of_people(view)


def _of_time(view: View) -> Iterator[SettingFact]:
    by = view.settings.set_by.get("t_clock", "")
    if view.clock is not None:
        chosen = view.clock.pace
        whole = Markup("{}. {} {}").format(pace(chosen), at_the_deadline(view.title, chosen), breaks(chosen))
        yield SettingFact(say("Time"), whole, by)
    elif by:
        yield SettingFact(say("Time"), pace(None), by)


def _of_the_table(view: View) -> Iterator[SettingFact]:
    settings, set_by = view.settings, view.settings.set_by
    if view.status is Status.OPEN:
        anybody = say("anyone: list it under open tables")
        yield SettingFact(say("Who can join"), anybody if settings.listed else say("anyone with the link"))
    if "t_language" in set_by or (settings.listed and view.status is Status.OPEN):
        for each in _language(settings.language):
            name = Markup('<span lang="{}">{}</span>').format(each.code, each.name)
            yield SettingFact(say("Language at the table"), name, set_by.get("t_language", ""))
    if settings.shared:
        yield SettingFact(say("Devices"), say("one shared device (pass and play)"))


def _language(code: str) -> list[Language]:
    """Return the language of a code; none if the site does not have it any more."""
    return [each for each in languages() if each.code == code]


def _of_people(view: View) -> Iterator[SettingFact]:
    settings, set_by = view.settings, view.settings.set_by
    results = results_are(settings.afterwards, settings.bots)
    for label, term, value, usual in (
        (Text("Results"), "t_afterwards", results, ResultUse.QUIET),
        (Text("The game starts"), "t_begins", game_begins(settings.begins), StartRule.FULL),
        (Text("Seating"), "t_seating", seats_are(settings.seating), Seating.CHOSEN),
        (Text("Who can watch"), "t_watching", who_watches(settings.watching), EVERYBODY),
    ):
        if term in set_by or getattr(settings, term.removeprefix(TERM)) != usual:
            yield SettingFact(render_text(label), value, set_by.get(term, ""))
    if view.status is not Status.OVER and view.clock is None:
        by = set_by.get("t_patience") or set_by.get("t_remedy", "")
        yield SettingFact(say("Absent players"), policy(settings.patience, settings.remedy), by)


def who_watches(moves: int) -> Markup:
    """Return who may watch a table where spectators are `moves` moves behind; NOBODY: none may."""
    if moves == EVERYBODY:
        return say("anyone")
    if moves == NOBODY:
        return say("only players until it ends")
    return render_text(count("anyone, {n} move later", "anyone, {n} moves later", moves))


def policy(patience: int, remedy: AbsencePolicy) -> Markup:
    """Return what happens when a seat keeps the others waiting for longer than `patience`, in seconds."""
    return say(
        "If someone is away for {time}: {what}. If everyone is away, the game ends without a result "
        "after {long}.",
        time=render_text(PATIENCES.get(patience, Text(str(patience)))),
        what=render_text(REMEDIES[remedy]),
        long=rough_duration(CLOSED_AFTER),
    )
