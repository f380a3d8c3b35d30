"""Soundness: faults of a game that can be seen before it is played, each a sentence for its author."""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from inspect import get_annotations, getattr_static, getsource, iscoroutinefunction, isfunction
from typing import Any, ClassVar, get_origin, get_type_hints

import msgspec

from strifebarge.rules.action import FRAMEWORK as SITES_OWN
from strifebarge.rules.action import Action, Refusal, Standard
from strifebarge.rules.codec import hides, keeping, seat_type
from strifebarge.rules.game import Game, Options, Seat
from strifebarge.rules.notation import tag
from strifebarge.rules.schema import FRAMEWORK, actions, options_type, refusals, seat_numbers
from strifebarge.rules.sources import TESTS

ASKING = ("ask", "ask_all", "ask_any", "compose", "call")
IN_A_FORM = {"do", "move", "key", "asked"}  # what the form of an action has besides its fields
IN_THE_OPTIONS = {"key", "asked", "seats", "sit", "name", "afterwards", "pace"}  # and that of a new game
NOT_THE_AUTHORS = (FRAMEWORK, "msgspec", "builtins", "typing")  # modules of base classes
# What authors write themselves in a game, beside class variables.
WRITTEN = {
    *("setup", "play", "refuse", "refuse_plan", "leave", "out_of_time", "drawn", "absent", "arrange"),
    *("exports", "standing", "must_hold", "imagine", "worth", "engine", "options"),
}
LATE = ("move", "pass", "loss")
PLANS = ("", "moves", "lines")
# What uses an answer at once: a question there that has no `await` is never asked.
USES = (
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.Match, ast.If, ast.While, ast.For),
    *(ast.comprehension, ast.Attribute, ast.Subscript, ast.Compare, ast.BoolOp, ast.FormattedValue),
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache
def faults(rules: type[Game[Any]]) -> tuple[str, ...]:
    """Return all that is wrong with a game, as far as its classes and its source show it."""
    looks = (
        *(_class_faults, _name_faults, _field_faults, _action_faults, _refusal_faults),
        *(_option_faults, _procedure_faults),
    )
    return tuple(fault for look in looks for fault in look(rules))


def never_given(rules: type[Game[Any]]) -> list[Refusal]:
    """Return the reasons of a game that nothing in its modules gives."""
    package = rules.__module__.rpartition(".")[0]
    modules = (name for name in sorted(sys.modules) if name.startswith(f"{package}."))
    sources = "\n".join(
        _source(name) for name in modules if not TESTS.fullmatch(f"{name.rpartition('.')[2]}.py")
    )
    return [why for why in refusals(rules) if package and sources and not _is_given(why, sources)]


def _is_given(why: Refusal, sources: str) -> bool:
    """Return whether a reason is named anywhere but where it is defined, or chosen from all of its kind."""
    kind = type(why).__name__
    if re.search(rf"\b{kind}\[|\bin {kind}\b|\({kind}\)[^:]|\b{kind}\.__members__", sources):
        return True
    return len(re.findall(rf"\b{why.name}\b", sources)) > 1


# -- classes ------------------------------------------------------------------------------


def _class_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look at what the class says of the game."""
    if not getattr(rules, "title", ""):
        yield "It has no title."
    if not _are_players(rules.players):
        yield f"`players` is {rules.players!r:.80}: a range such as range(2, 5), or the seats' names."
    elif rules.usual and rules.usual not in seat_numbers(rules):
        yield f"`usual` is {rules.usual}, and that many cannot play."
    if rules.late not in LATE:
        yield f"`late` is {rules.late!r:.80}: one of {', '.join(LATE)} is wanted."
    yield from _plan_faults(rules)
    version: Any = rules.version
    if not isinstance(version, int) or version < 1:
        yield f"`version` is {version!r:.80}: a number from 1 is wanted."
    if rules.play is Game.play:
        yield "It has no `play`."
    for name in rules.questions:
        if not isfunction(getattr(rules, name, None)):
            yield f"`questions` has “{name}”, and there is no method of that name."


def _name_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look for names that the framework uses itself."""
    kinds: list[tuple[type[Any], type[Any]]] = [
        (rules, Game),
        (seat_type(rules), Seat),
        (options_type(rules), Options),
        *((kind, Action) for kind in actions(rules)),
    ]
    for kind, base in kinds:
        own = {name for each in kind.__mro__[: kind.__mro__.index(base)] for name in _names_in(each)}
        fields = {*kind.__struct_fields__} - {*base.__struct_fields__}
        for name in sorted(_names_in(base) & (fields | (own & _taken(base)))):
            yield f"{kind.__name__} has `{name}`, which is a name of the framework's: choose another."


def _names_in(kind: type[Any]) -> set[str]:
    """Return the names of what a class itself defines, but for those of Python and msgspec."""
    return {name for name in (*vars(kind), *get_annotations(kind)) if not name.startswith("__")}


def _taken(base: type[Any]) -> set[str]:
    """Return the names of a base class that authors use, and do not define."""
    if base is Game:
        variables = {name for name, hint in get_type_hints(Game).items() if get_origin(hint) is ClassVar}
        return _names_in(Game) - variables - WRITTEN
    return {*base.__struct_fields__}


def _plan_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look whether the plans that a game allows can be kept: lines only where two see everything."""
    if rules.plans not in PLANS:
        yield f"`plans` is {rules.plans!r:.80}: one of {', '.join(PLANS[1:])} is wanted, or nothing."
    elif rules.plans == "lines" and _are_players(rules.players) and [*seat_numbers(rules)] != [2]:
        yield "`plans` is 'lines', which is for games for two."
    elif rules.plans == "lines" and _hides(rules):
        yield "`plans` is 'lines', and something is hidden: 'moves' is possible."


def _hides(rules: type[Game[Any]]) -> bool:
    """Return whether anything of a game may be hidden; False where its fields cannot be read."""
    try:
        return hides(rules)
    except TypeError:
        return False


def _are_players(players: Any) -> bool:
    if isinstance(players, range):
        return len(players) > 0 and players[0] > 0 and players.step == 1
    return isinstance(players, tuple) and bool(players) and all(isinstance(name, str) for name in players)


def _field_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look for fields that could not be saved as they are."""
    for kind in (rules, seat_type(rules)):
        try:
            keeping(kind)
        except TypeError as wrong:
            yield f"{wrong}."


def _action_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look for names of actions and of their fields that are taken."""
    taken = {tag(kind): "the site's own" for kind in SITES_OWN}
    for kind in actions(rules):
        if kind is Action:
            continue
        if kind.__name__[0].islower():
            yield f"The action {kind.__name__} needs a capital letter: boards have other names in lower case."
        if tag(kind) in taken:
            yield f"The action {kind.__name__} is written `{tag(kind)}`, as {taken[tag(kind)]}."
        taken[tag(kind)] = f"another, {kind.__name__}"
        for name in IN_A_FORM & {*kind.__struct_fields__}:
            yield f"The action {kind.__name__} has a field `{name}`, which is in the way of the form's own."


def _refusal_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look for numbers that two refusals have which this game may answer with."""
    taken: dict[int, Refusal] = {}
    for why in (*Standard, *refusals(rules)):
        if why.number in taken:
            yield f"{why.name} has the number {why.number}, as {taken[why.number].token} has: choose another."
        elif why.number is not None:
            taken[why.number] = why


def _option_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look for options whose names are the form's own, or that begin with what may not be chosen."""
    for field in msgspec.structs.fields(options_type(rules)):
        if field.name in IN_THE_OPTIONS:
            yield f"The option `{field.name}` could never be chosen: the form's own field is called so."
        if field.default is not msgspec.NODEFAULT and (wrong := _why_not(field.default, field.type)):
            begins = f"The option `{field.name}` begins as {field.default!r:.80}"
            yield f"{begins}, which nobody may choose: {wrong}."


def _why_not(value: Any, kind: Any) -> str:
    """Return why a value is none of this kind; "" if it is one."""
    try:
        msgspec.convert(msgspec.to_builtins(value), kind)
    except (TypeError, ValueError) as wrong:
        return str(wrong)
    return ""


# -- procedures -----------------------------------------------------------------------------


def _procedure_faults(rules: type[Game[Any]]) -> Iterator[str]:
    """Look for questions without `await`, calls of what is not there, stages that are no coroutines, and
    state that is no field.
    """
    methods = dict(_methods(rules))
    for name, method in methods.items():
        yield from _awaiting_faults(rules, name, method)
        yield from _calling_faults(rules, name, method)
        for node in ast.walk(method):
            match node:
                case ast.Call(args=[ast.Constant(value=str(called)), *_]) if _is(node, "call", method):
                    if not callable(getattr(rules, called, None)):
                        yield _at(node, name, f"“{called}” is called, and there is no procedure of that name")
                case ast.Call(args=[ast.Attribute() as stage, *_]) if _is(node, "go_on", method):
                    yield from _stage_faults(rules, name, stage, _own(method, stage))
    yield from _state_faults(rules, methods)
    yield from _next_stages_faults(rules, methods)


def _awaiting_faults(rules: type[Game[Any]], name: str, method: Function) -> Iterator[str]:
    """Look for questions for which nobody waits, and for those in `setup`, where nobody can."""
    if name == "setup" and isinstance(method, ast.AsyncFunctionDef):
        yield _at(method, name, "`setup` is an `async def`, and it cannot ask: ask in `play`")
        return
    above = {below: node for node in ast.walk(method) for below in ast.iter_child_nodes(node)}
    for node in ast.walk(method):
        if not isinstance(node, ast.Call) or not _must_be_awaited(rules, called := _own(method, node.func)):
            continue
        if name == "setup":
            yield _at(node, name, f"`setup` cannot ask: `{ast.unparse(node.func)}(…)` belongs in `play`")
        elif isinstance(above[node], ast.Expr) or (called in ASKING and _is_used(node, above)):
            yield _at(node, name, f"`{ast.unparse(node.func)}(…)` needs an `await`")


def _calling_faults(rules: type[Game[Any]], name: str, method: Function) -> Iterator[str]:
    """Look for what is returned as a coroutine that nobody awaits: `return self.play()`."""
    for node in _returned(method) if isinstance(method, ast.AsyncFunctionDef) else ():
        match node:
            case ast.Call() if (called := _own(method, node.func)) not in ASKING:
                if not iscoroutinefunction(getattr(rules, called, None)):
                    continue
                if node.args or node.keywords:
                    yield _at(node, name, f"`self.{called}(…)` needs an `await`")
                else:
                    stage = f"where it is the next stage, it is returned as `self.{called}`"
                    yield _at(node, name, f"`self.{called}()` needs an `await`; {stage}")


def _state_faults(rules: type[Game[Any]], methods: dict[str, Function]) -> Iterator[str]:
    """Look for state that is set and is no field; a name with a _ before it may be set for the moment."""
    seen = {*rules.__struct_fields__}
    for name, method in methods.items():
        for node in ast.walk(method):
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
                continue
            state = _own(method, node)
            if not state or state in seen or state.startswith("_") or _is_computed(rules, state):
                continue
            seen.add(state)
            field = f"a field has a type, as in `{state}: int = 0`"
            yield _at(node, name, f"`self.{state}` is set, and would be forgotten: {field}")


def _is_computed(rules: type[Game[Any]], name: str) -> bool:
    """Return whether an attribute is a property, or the like."""
    return hasattr(type(getattr_static(rules, name, None)), "__get__")


def _is_used(call: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Return whether what a call gives is used at once; not if it is awaited, or handed on to be awaited."""
    node = above[call]
    while isinstance(node, ast.IfExp) and call is not node.test:
        call, node = node, above[node]
    match node:
        case ast.IfExp():
            return True
        case ast.Return():
            while not isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
                node = above[node]
            return isinstance(node, ast.AsyncFunctionDef)
        case ast.Call(func=ast.Name(id=name)):
            return hasattr(builtins, name)
    return isinstance(node, USES)


def _next_stages_faults(rules: type[Game[Any]], methods: dict[str, Function]) -> Iterator[str]:
    """Look at the stages that `play` leads to, each by the `return` of another."""
    seen, to_see = {"play"}, ["play"]
    if rules.play is not Game.play and not iscoroutinefunction(rules.play):
        yield "`play` is no `async def`."
    while to_see:
        method = methods.get(name := to_see.pop())
        for returned in _returned(method) if method else ():
            stage = _own(method, returned)
            if stage and stage not in seen:
                seen.add(stage)
                to_see.append(stage)
                yield from _stage_faults(rules, name, returned, stage)


def _stage_faults(rules: type[Game[Any]], where: str, node: ast.AST, stage: str) -> Iterator[str]:
    if not stage or stage in rules.__struct_fields__:
        return
    stage_method = getattr(rules, stage, None)
    if stage_method is None:
        yield _at(node, where, f"the next stage is `{stage}`, and there is no method of that name")
    elif isfunction(stage_method) and not iscoroutinefunction(stage_method):
        yield _at(node, where, f"the next stage is `{stage}`, which is no `async def`")


def _returned(method: Function) -> Iterator[ast.AST]:
    """Yield what a method may return, but for functions within it."""
    to_see: list[ast.AST] = [*method.body]
    while to_see:
        match node := to_see.pop(0):
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                continue
            case ast.Return(value=ast.IfExp(body=one, orelse=other)):
                yield from (one, other)
            case ast.Return(value=ast.AST() as value):
                yield value
            case _:
                to_see += ast.iter_child_nodes(node)


def _must_be_awaited(rules: type[Game[Any]], called: str) -> bool:
    return called in ASKING or iscoroutinefunction(getattr(rules, called, None))


def _is(call: ast.Call, name: str, method: Function) -> bool:
    return _own(method, call.func) == name


def _own(method: Function | None, node: ast.AST) -> str:
    """Return the name of an attribute of the game itself, `self.winter`; "" for anything else."""
    me = method.args.args[0].arg if method and method.args.args else ""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == me:
            return attribute
    return ""


def _at(node: ast.AST, method: str, what: str) -> str:
    return f"In `{method}`, line {getattr(node, 'lineno', 0)}: {what}."


def _methods(rules: type[Game[Any]]) -> Iterator[tuple[str, Function]]:
    """Yield the methods that authors wrote, those of base classes first."""
    kinds = [kind for kind in rules.__mro__ if not kind.__module__.startswith(NOT_THE_AUTHORS)]
    bodies = {module: _bodies(module) for module in {kind.__module__ for kind in kinds}}
    for kind in reversed(kinds):
        for node in bodies[kind.__module__].get(kind.__name__, ()):
            if isinstance(node, Function):
                yield node.name, node


def _bodies(module: str) -> dict[str, list[ast.stmt]]:
    """Return what stands in a module's classes, by their names; nothing where it has no source."""
    try:
        tree = ast.parse(_source(module))
    except SyntaxError:
        return {}
    return {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}


def _source(module: str) -> str:
    """Return the text of a module; "" where it has none."""
    try:
        return getsource(sys.modules[module])
    except (KeyError, OSError, TypeError):
        return ""
