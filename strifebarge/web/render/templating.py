"""The environment of templates: Flask's, in which to begin one, to call and to print cost little."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TypeVar, cast

from flask.templating import Environment
from jinja2 import BaseLoader, Template, pass_context
from jinja2.compiler import CodeGenerator, Frame, optimizeconst
from jinja2.idtracking import VAR_LOAD_PARAMETER, VAR_LOAD_RESOLVE
from jinja2.nodes import (
    Block,
    Concat,
    CondExpr,
    Const,
    EvalContext,
    Expr,
    Extends,
    Getattr,
    Include,
    Name,
    Node,
    Output,
    Scope,
    Test,
)
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

SHORT = 100  # characters of a text that is remembered with its escaped form
SENTENCE = 800  # characters of HTML that is remembered with what it says without tags
IN_CONTEXTS = {"my_turns", "stage", "title", "view"}  # what functions with a context look for in it
PARTS = "parts/"  # what the names of templates begin with that are parts of several pages
MARK = "jinja_pass_arg"  # the attribute by which Jinja knows what a function wants to be given
Html = TypeVar("Html", bound=str)
WITH_CONTEXT = getattr(pass_context(lambda context: None), MARK)
# Python keeps a text with one of these in two bytes a letter, and encodes what is not ASCII letter by letter.
SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "‘’‚“”„‹›–—…·•●½×−←→⇅↻✓✕✗★▲⚑♪▮▯\u00ad"}


class PlainCallables(dict[type, bool]):
    """Tells of each type whether what is called of it has no mark but its own: Jinja looks for others too."""

    def __missing__(self, kind: type) -> bool:
        own = kind is Macro or issubclass(kind, type)
        self[kind] = is_plain = not own and getattr(kind.__call__, MARK, None) is None
        return is_plain


class PageContext(Context):
    """A context that calls ordinary functions and macros at once.

    Jinja looks at four attributes of whatever is called before it calls it.  Here one is enough for most.
    """

    plain = PlainCallables()

    def __init__(
        self,
        environment: Any,
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Callable[[Context], Iterator[str]]],
        globals: MutableMapping[str, Any] | None = None,
    ):
        """Begin as Jinja does, but for a set of the names of all globals: those of templates are the same."""
        if globals is not environment.globals:
            super().__init__(environment, parent, name, blocks, globals)
            return
        # All that Jinja's own constructor sets, which would copy the names of all globals.
        self.parent, self.vars, self.exported_vars = parent, {}, set()
        self.environment, self.eval_ctx = environment, EvalContext(environment, name)
        self.name, self.globals_keys = name, set()
        self.blocks = {each: [render] for each, render in blocks.items()}

    def get(self, key: str, default: Any = None) -> Any:
        """Return a variable of this context; the default where there is none."""
        return self.vars[key] if key in self.vars else self.parent.get(key, default)

    # `_loop_vars` and `_block_vars` are what the code of templates calls it with.
    def call(
        self, called: Any, /, *arguments: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any
    ) -> Any:
        """Return what a function or macro returns, which is given a context where it is marked for that."""
        kind = type(called)
        if kind is Macro:
            arguments = (self.eval_ctx, *arguments)
        elif not self.plain[kind]:
            return super().call(called, *arguments, _loop_vars=_loop_vars, _block_vars=_block_vars, **named)
        elif (mark := getattr(called, MARK, None)) is not None:
            if (
                mark is not WITH_CONTEXT or _loop_vars or _block_vars
            ):  # it wants more than the context as it is
                return super().call(
                    called, *arguments, _loop_vars=_loop_vars, _block_vars=_block_vars, **named
                )
            arguments = (self, *arguments)
        try:
            return called(*arguments, **named)
        except StopIteration:
            return self.environment.undefined("a function that a template called raised StopIteration")


class PageCode(CodeGenerator):
    """A generator of code that prints values by `escaped` where Jinja's would by `escape`.

    It asks for attributes at once, and Jinja only where there is none: for an item, or what is undefined.
    Variables it finds without a call.
    A template, or a block of one, hands over all that it prints at once: no page is sent in pieces.
    """

    def blockvisit(self, nodes: Iterable[Node], frame: Frame) -> None:
        """Write the code of some nodes; of all in a block, or in a template that extends none, buffered."""
        is_whole = frame.buffer is None and (frame.rootlevel or frame.block is not None)
        if not is_whole or frame.require_output_check:
            super().blockvisit(nodes, frame)
            return
        self.buffer(frame)
        super().blockvisit(nodes, frame)
        self.writeline(f"yield concat({frame.buffer})")

    def enter_frame(self, frame: Frame) -> None:
        """Write the code that finds the variables of a frame: at once in the dictionaries of the context."""
        context, loads = self.get_context_ref(), frame.symbols.loads
        result = {target: name for target, (how, name) in loads.items() if how == VAR_LOAD_RESOLVE}
        for target, name in result.items():
            there = f"({context}.vars if {name!r} in {context}.vars else {context}.parent)"
            self.writeline(f"{target} = {there}.get({name!r}, missing)")
            loads[target] = VAR_LOAD_PARAMETER, None  # there is nothing left to be written of it
        super().enter_frame(frame)
        loads.update({target: (VAR_LOAD_RESOLVE, name) for target, name in result.items()})

    @optimizeconst
    def visit_Getattr(self, node: Getattr, frame: Frame) -> None:
        """Write the code of `thing.name`."""
        self.write("(found if (found := getattr((of := ")
        self.visit(node.node, frame)
        name = repr(node.attr)
        self.write(f"), {name}, missing)) is not missing else environment.getattr(of, {name}))")

    @optimizeconst
    def visit_Test(self, node: Test, frame: Frame) -> None:
        """Write the code of `thing is none`, which takes no call, or of another test."""
        if node.name != "none":
            super().visit_Test(node, frame)
            return
        self.write("(")
        self.visit(node.node, frame)
        self.write(" is None)")

    def visit_Output(self, node: Output, frame: Frame) -> None:
        """Write the code that prints; where a condition without `else` does not hold, that is nothing."""
        for child in node.nodes:
            if isinstance(child, CondExpr) and child.expr2 is None:
                child.expr2 = Const("")  # it prints as the undefined value does that Jinja would make
        super().visit_Output(node, frame)

    @optimizeconst
    def visit_Concat(self, node: Concat, frame: Frame) -> None:
        """Write the code of `this ~ that`."""
        if not frame.eval_ctx.autoescape or frame.eval_ctx.volatile:
            super().visit_Concat(node, frame)
            return
        self.write("environment.joined((")
        for each in node.nodes:
            self.visit(each, frame)
            self.write(", ")
        self.write("))")

    # Jinja has no public way to change how values are printed: these two are what its own subclass overrides.
    def _output_child_to_const(self, node: Expr, frame: Frame, finalize: Any) -> str:
        """Return what a template always prints."""
        always: str = super()._output_child_to_const(node, frame, finalize)
        return in_ascii(always) if frame.eval_ctx.autoescape else always

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        """Write what stands before the code of a value that is printed."""
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(f"environment.printed({finalize.src or ''}")
        else:
            super()._output_child_pre(node, frame, finalize)


def sets_for_functions(template: Node) -> bool:
    """Tell whether a template sets anything that functions look for in the context they are given."""
    return any(name.ctx != "load" and name.name in IN_CONTEXTS for name in template.find_all(Name))


class WithIncluded(NodeTransformer):
    """Puts parts of pages in the place of the tags that include them.

    So they are rendered without a context of their own.  Other tags remain, and those of parts that have
    blocks or may be missing.  All remain in a template that sets what functions find in their context, for
    they would not find it there.
    """

    def __init__(self, environment: "Templates"):
        self.environment = environment

    def visit_Include(self, node: Include) -> Node:
        """Return what is included, in a scope of its own, or the tag."""
        name = node.template.value if isinstance(node.template, Const) else None
        is_whole = node.with_context and not node.ignore_missing
        if not is_whole or not isinstance(name, str) or not name.startswith(PARTS):
            return node
        template = self.environment.parsed(name)
        if template.find(Block) or template.find(Extends) or sets_for_functions(template):
            return node
        for each in template.find_all(Node):
            each.lineno = node.lineno  # what fails in there is told of the tag
        scope = Scope(self.visit(template).body, lineno=node.lineno)
        return scope.set_environment(self.environment)


def in_ascii(html: Html) -> Html:
    """Return HTML with its typographic signs as references: mostly a page is ASCII then."""
    return html if html.isascii() else cast(Html, html.translate(SIGNS))


def escaped(value: Any) -> str:
    """Return a value as it is printed into HTML: escaped, unless it is HTML."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _escape_cached(value) if len(value) <= SHORT else escape(value)
    return str(value) if kind is int else escape(value)


@lru_cache(4096)  # templates print the same words and addresses over and over
def _escape_cached(text: str) -> Markup:
    return in_ascii(escape(text))


def joined(values: Iterable[Any]) -> str:
    """Return values one after the other: as HTML where one of them is, with the others escaped."""
    for value in values:
        if hasattr(value, "__html__"):
            return Markup("".join(map(escaped, values)))  # noqa: S704 - each is escaped
    return "".join(map(str, values))


def without_tags(html: str) -> str:
    """Return HTML without its tags, and its signs as they are."""
    return _known_without_tags(html) if len(html) <= SENTENCE else _without_tags(html)


def _without_tags(html: str) -> str:
    return Markup(html).striptags()  # noqa: S704 - it is no HTML afterwards


_known_without_tags = lru_cache(2048)(_without_tags)  # buttons say the same at every table


HELD: ContextVar[list[Context] | None] = ContextVar("held contexts", default=None)


@contextmanager
def contexts_released() -> Iterator[None]:
    """Let all contexts that templates are given in this block go at its end.

    A context holds the macros of its template, and they hold it: with all that a page shows they would wait
    for Python to look for garbage, which takes longer than to let them go.
    """
    contexts: list[Context] = []
    before = HELD.set(contexts)
    try:
        yield
    finally:
        HELD.reset(before)
        for context in contexts:
            context.vars.clear()


@contextmanager
def contexts_held() -> Iterator[None]:
    """Let the contexts that templates are given in this block last as long as their macros."""
    before = HELD.set(None)
    try:
        yield
    finally:
        HELD.reset(before)


class PageTemplate(Template):
    """A template whose contexts go with the page for which they were made."""

    def new_context(
        self,
        vars: dict[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> Context:
        """Return a context to render this template in; one without variables is kept with its macros."""
        if locals and all(each is missing for each in locals.values()):
            locals = None  # Jinja would copy all that an included template shares, to add nothing
        context = super().new_context(vars, shared, locals)
        contexts = HELD.get()
        if contexts is not None and vars:
            contexts.append(context)
        return context


class Templates(Environment):
    """An environment whose templates share its globals.

    Jinja lays a mapping of its own over them for each template, and then copies that name by name, each time
    a template is rendered or included: a third of the time of a page.  No template here is given any globals.
    """

    context_class = PageContext
    template_class = PageTemplate
    code_generator_class = PageCode
    printed, joined = staticmethod(escaped), staticmethod(joined)

    def parsed(self, name: str) -> Node:
        """Return a template as nodes.  Raises TemplateNotFound."""
        source, filename, _ = cast(BaseLoader, self.loader).get_source(self, name)
        return self.parse(source, name, filename)

    # Jinja documents this as a hook for subclasses, in spite of its name.
    def _generate(self, source: Any, *about: Any, **more: Any) -> str:
        """Return a template as Python code, with the templates that it includes."""
        whole = source if sets_for_functions(source) else WithIncluded(self).visit(source)
        return super()._generate(whole, *about, **more)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of this environment; those of one template alone lie over them."""
        return super().make_globals(d) if d else self.globals
