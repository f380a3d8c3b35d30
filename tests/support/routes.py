"""Make a site quickly where a process makes hundreds: compile what builds the address of a route once."""

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


def compile_routes_once() -> None:
    """Keep the builders of addresses, which are alike at all sites: compiling them is half of making one."""
    compile_builder: Callable[[Rule, bool], Builder] = Rule._compile_builder  # type: ignore[attr-defined]
    builders: dict[Any, Builder] = {}

    def compiled(self: Rule, append_unknown: bool = True) -> Builder:
        kinds = tuple(type(each) for each in self._converters.values())
        key = (self.rule, tuple(self._trace), kinds, repr(self.defaults), append_unknown)
        if key not in builders:
            builders[key] = compile_builder(self, append_unknown)
        return builders[key]

    Rule._compile_builder = compiled  # type: ignore[attr-defined]
