"""Introduce classes to msgspec, one at a time.

msgspec finds out about a class when it first reads one, keeps that with the class, and lets other threads
find it before it is complete: they crash, or never come back.  So all classes are introduced to it before
several threads read anything.
"""

import sys
from collections.abc import Collection
from contextlib import suppress
from dataclasses import is_dataclass
from threading import Lock
from types import ModuleType

import msgspec

_lock = Lock()
_known: set[type] = set()  # those that were looked at; strong, for msgspec keeps them too


def introduce_classes(packages: Collection[str]) -> None:
    """Introduce the structs, named tuples and dataclasses of these packages, of all modules loaded by now."""
    with _lock:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in packages and isinstance(module, ModuleType):
                for kind in list(vars(module).values()):
                    if isinstance(kind, type) and kind not in _known:
                        _known.add(kind)
                        _introduce(kind)


def _introduce(kind: type) -> None:
    if _has_fields(kind):
        with suppress(Exception):  # it cannot be read as it is: then nobody reads it
            msgspec.json.Decoder(kind)


def _has_fields(kind: type) -> bool:
    return issubclass(kind, msgspec.Struct) or is_dataclass(kind) or hasattr(kind, "_fields")
