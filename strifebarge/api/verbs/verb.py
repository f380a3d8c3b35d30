"""A verb of the interface: one function, which both doors call with the same arguments."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple, get_type_hints

from msgspec import Struct

from strifebarge.api.arguments import Write
from strifebarge.api.caller import Caller
from strifebarge.people.models import Scope


class Verb(NamedTuple):
    """A verb, with the classes of its arguments and result, and its address in plain HTTP."""

    name: str
    scope: Scope
    method: str
    path: str
    arguments: type[Struct]
    result: Any
    do: Callable[[Caller, Any], Any]

    @property
    def writes(self) -> bool:
        """Tell whether it changes anything."""
        return issubclass(self.arguments, Write)

    @property
    def summary(self) -> str:
        """Return the first line of its description."""
        return self.description.splitlines()[0]

    @property
    def description(self) -> str:
        """Return what it does, in words."""
        lines = (self.do.__doc__ or "").strip().splitlines()
        return "\n".join(line.strip() for line in lines)

    @property
    def in_path(self) -> list[str]:
        """Return the names of the arguments that stand in its address."""
        return re.findall(r"{(\w+)}", self.path)


def verb(name: str, scope: Scope, method: str, path: str) -> Callable[[Callable[[Caller, Any], Any]], Verb]:
    """Make a function a verb; its arguments and result are those of its hints."""

    def make(do: Callable[[Caller, Any], Any]) -> Verb:
        hints = get_type_hints(do)
        return Verb(name, scope, method, path, hints["call"], hints["return"], do)

    return make
