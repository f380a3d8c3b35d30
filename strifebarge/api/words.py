"""Sentences as plain text, in the reader's language and in the eyes of one viewer."""

from collections.abc import Collection, Mapping
from enum import Enum
from functools import lru_cache
from gettext import NullTranslations
from itertools import chain
from typing import Any

from msgspec import Struct

from strifebarge.api.ports import Language
from strifebarge.rules import Action, Refusal, Refused, Text
from strifebarge.rules.text import Translator, pack, tell
from strifebarge.rules.validity import written
from strifebarge.tables.library.library import Title
from strifebarge.tables.view import View

Plain = str | int | float | Enum | None  # what is told alike for as long as it is equal


class Reason(Struct):
    """A reason why something is refused: a token that stays, and its sentence."""

    token: str
    text: str
    args: dict[str, str | int | float | bool | None] = {}  # what fills the sentence
    code: int | None = None  # its number, if it has one


class ReaderDependent(LookupError):
    """Raised for a text that is not the same to all readers of a language."""


class Sentences(Translator):
    """Tells texts to one reader; a teller in the sense of `rules.text`."""

    def __init__(self, language: Language, view: View | None = None, title: Title | None = None):
        self.view = view
        self.words = language.of(view.title if view else title)

    def is_one_of(self, seats: Collection[int]) -> bool:
        """Return whether texts are told for the eyes of one of these seats."""
        return self.view is not None and self.view.viewer.is_one_of(seats)

    def seat(self, number: int) -> str:
        if self.view is None or number >= len(self.view.places):
            return str(number + 1)
        seat = self.view.places[number]
        return " & ".join([seat.name, *seat.coplayers])

    def word(self, value: str) -> str:
        return value

    def render_text(self, text: Text | Mapping[str, Any] | str | None) -> str:
        """Return a text, packed or not, as this reader hears it."""
        if text is None or text == "":
            return ""
        return text if isinstance(text, str) else tell(text, self)

    def offered(self, action: Action) -> str:
        """Return an action as its button says it."""
        try:
            return _for_all(self.words, action, written(action))
        except (ReaderDependent, TypeError):  # names somebody; or holds what cannot be a key
            return self.render_text(action.words)

    def game_words(self, text: str) -> str:
        """Return words of a game's classes, as its labels and docstrings."""
        return self.words.gettext(text) if text else ""

    def reason(self, refused: Refused) -> Reason:
        """Return a refusal with its sentence, and what fills it as this reader may know it."""
        args = refused.args_told
        if not all(isinstance(arg, Plain) for arg in args.values()):
            return self.filled(refused)
        try:
            return _shared_reason(self.words, refused.why, *chain.from_iterable(args.items()))
        except ReaderDependent:
            return self.filled(refused)

    def filled(self, refused: Refused) -> Reason:
        """Return the same as `reason`, made anew."""
        packed = pack(refused.text)
        args = {name: self._plain(arg) for name, arg in packed.get("args", {}).items()}
        return Reason(refused.token, self.render_text(packed), args, refused.why.number)

    def _plain(self, arg: Any) -> str | int | float | bool | None:
        if arg is None or isinstance(arg, str | int | float):
            return arg
        # Only as the sentence itself would tell it: what is secret stays so.
        return tell({"text": "{it}", "args": {"it": arg}}, self)


class SharedSentences(Sentences):
    """Tells what all readers of a language hear alike.  Raises Personal for anything else."""

    def __init__(self, translations: NullTranslations):
        self.words = translations

    def is_one_of(self, seats: Collection[int]) -> bool:
        raise ReaderDependent

    def seat(self, number: int) -> str:
        raise ReaderDependent


@lru_cache(4096)
def _for_all(translations: NullTranslations, action: Action, _written: bytes) -> str:
    """Return what the button of an action says to all: the same ones are offered again and again.

    As it is written tells 1 from True.
    """
    return tell(action.words, SharedSentences(translations))


@lru_cache(4096, typed=True)
def _shared_reason(translations: NullTranslations, why: Refusal, *filled: Any) -> Reason:
    """Return a refusal as all hear it; `filled` are names, each before what stands for it."""
    return SharedSentences(translations).filled(
        Refused(why, **dict(zip(filled[::2], filled[1::2], strict=True)))
    )
