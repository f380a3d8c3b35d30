"""Whatever a person can do and see at a table a program can do and see too, but for a few exceptions."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

from msgspec import Struct

import strifebarge
from strifebarge.api.shown import PlanState, QuestionView, SeatInfo, State
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.view import (
    Absence,
    EndingView,
    LogView,
    PositionView,
    Presence,
    SeatTime,
    SeatView,
    SettingsView,
    Spectators,
    SuspensionView,
    TimesView,
    TurnView,
    View,
    Viewer,
)
from strifebarge.tables.view.parts import PlanView

PACKAGE = Path(strifebarge.__file__).parent
ACTS = "strifebarge.tables.acts"

# -- acts ------------------------------------------------------------------------------------

SHARED_DEVICE = "people pass one device round; a program has a device of its own"
LINK = "a link that a page has sealed is opened in a browser"
SITE = "the host of a site has the command `strifebarge`, on its machine"
LOST = "a guest's seat is lost with their browser, and no token with it"
PEOPLE_ALONE = {
    "anyone.play_anyone": "`lobby.tables` and `table.sit`; or `table.new` with `visible`",
    "bots.play_against_bots": "`table.new`, and `table.add_bot` with `fill`",
    "from_here.analyze_position": "`table.new` with the position as an option, and `table.from_here`",
    "coplayers.join_seat": LINK,
    "handing_over.claim": LINK,
    "handing_over.become_substitute": LINK,
    "local_play.add_local_player": SHARED_DEVICE,
    "local_play.set_pin": SHARED_DEVICE,
    "local_play.forget_pin": SHARED_DEVICE,
    "local_play.lift_curtain": SHARED_DEVICE,
    "local_play.lower_curtain": SHARED_DEVICE,
    "local_play.is_looking": SHARED_DEVICE,
    "recovery.give_back": LOST,
    "recovery.sit_again": LOST,
    "hosting.suspend_by_host": SITE,
    "hosting.resume_by_host": SITE,
    "hosting.rewind_by_host": SITE,
    "hosting.end_by_host": SITE,
}


def acts_called_in(folder: str) -> set[str]:
    """The acts that the modules of a folder call: functions whose first argument is a turn or the referee."""
    named = {name for path in (PACKAGE / folder).rglob("*.py") for name in _named_in(path)}
    return {name for name in named if _is_act(*name.split("."))}


def _named_in(path: Path) -> Iterator[str]:
    nodes, modules = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))], {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == ACTS:
            modules |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{ACTS}."):
            yield from (f"{str(node.module).rpartition('.')[2]}.{each.name}" for each in node.names)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield f"{modules[node.value.id]}.{node.attr}"


def _is_act(module: str, name: str) -> bool:
    act = getattr(import_module(f"{ACTS}.{module}"), name)
    return inspect.isfunction(act) and next(iter(inspect.signature(act).parameters), "") in (
        "turn",
        "referee",
    )


def test_programs_call_every_act_that_pages_call() -> None:
    by_pages, by_programs = acts_called_in("web"), acts_called_in("api")
    assert {"seating.ready", "moves.move", "rematch.rematch"} <= by_pages & by_programs
    assert by_pages - by_programs == PEOPLE_ALONE.keys()


# -- facts -----------------------------------------------------------------------------------

# By the struct of a view: the struct of the interface with its facts.
HOMES: dict[type[Struct], type[Struct]] = {
    **dict.fromkeys((View, Viewer, SettingsView, Spectators, PositionView, LogView, Clock), State),
    **dict.fromkeys((TimesView, SuspensionView, EndingView), State),
    **dict.fromkeys((SeatView, Presence, SeatTime), SeatInfo),
    Absence: Absence,
    TurnView: QuestionView,
    PlanView: PlanState,
}
# Facts that have another name there.
RENAMED: dict[str, tuple[type[Struct], str]] = {
    "View.id": (State, "table"),
    "View.etag": (State, "version"),
    "Viewer.steps": (State, "allowed"),
    "SeatView.my_device": (SeatInfo, "mine"),
    "SeatView.mine": (State, "seat"),
    "SeatView.standing": (SeatInfo, "summary"),
    "SeatTime.still": (SeatInfo, "still_until"),
    "SettingsView.set_by": (State, "terms_set_by"),
    "SettingsView.values": (State, "options"),
    "SettingsView.digest": (State, "terms"),
    "SettingsView.listed": (State, "visible"),
    "Spectators.count": (State, "spectators"),
    "Spectators.allowed": (State, "watching"),
    "PositionView.number": (State, "position"),
    "PositionView.newest": (State, "number"),
    "PositionView.game": (State, "view"),
    "PositionView.you": (State, "view"),
    "LogView.lines": (State, "log"),
    "TurnView.prompt": (QuestionView, "text"),
    "TurnView.offered": (QuestionView, "offers"),
    "PlanView.may": (PlanState, "allowed"),
    "PlanView.lines": (PlanState, "plan"),
    "Clock.pause": (State, "paused_until"),
    "Clock.agreed": (SeatInfo, "pauses"),
    "Clock.seat_clocks": (SeatInfo, "remaining"),
    "SuspensionView.by": (State, "suspended_by"),
    "SuspensionView.by_host": (State, "held"),
    "SuspensionView.end": (State, "end_proposed_by"),
    "SuspensionView.back": (State, "back_proposed_by"),
    "SuspensionView.stands": (State, "back_stands"),
}
NO_FACT = "pages keep what they have made by it"
NOT_SHOWN = {
    "Viewer.eyes": NO_FACT,
    "Viewer.secret": NO_FACT,
    "Viewer.can_hand_over": LINK,
    "Viewer.may_resign": "`table.leave` refuses who may not",
    "SeatView.unlocks": SHARED_DEVICE,
    "PositionView.permanent": "programs read `table.record`, which has one address only",
    "LogView.own": "lines of `log`, by the number of the caller's last move",
    "LogView.news": "lines of `log`, by the number of the caller's last move",
    "TurnView.undo_any": "`can_undo` is true then",
    "TimesView.now": "the header `Date`",
    "Clock.suspended_since": "the clocks do not tick, and `status` says why",
    "Clock.uptime_period": NO_FACT,
}


def structs_in(hint: Any) -> set[type[Struct]]:
    """The structs of a view that a type holds."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return {hint} if hint is Clock or hint.__module__.startswith("strifebarge.tables.view.") else set()
    return {each for argument in get_args(hint) for each in structs_in(argument)}


def facts_of(kind: type[Struct]) -> Iterator[tuple[type[Struct], str]]:
    """Yield all fields of a struct and of those that it holds, each with its struct."""
    hints = get_type_hints(kind)
    for name in kind.__struct_fields__:
        held = structs_in(hints[name])
        for each in held:
            yield from facts_of(each)
        if not held:
            yield kind, name


def test_programs_are_shown_every_fact_that_pages_are_given() -> None:
    facts = {f"{kind.__name__}.{name}": (kind, name) for kind, name in facts_of(View)}
    assert {"SeatView.suspends", "Clock.agreed", "SuspensionView.end", "Absence.since"} <= facts.keys()
    homes = {fact: RENAMED.get(fact, (HOMES[kind], name)) for fact, (kind, name) in facts.items()}
    shown = {fact for fact, (home, name) in homes.items() if name in home.__struct_fields__}
    assert facts.keys() - shown == NOT_SHOWN.keys()
    assert RENAMED.keys() <= facts.keys()
