"""All verbs of the interface, by name."""

from types import ModuleType

from . import bots, chat, lobby, playing, seating, subscriptions, tournaments, views
from .verbs import Verb

CHAPTERS: tuple[ModuleType, ...] = (
    lobby,
    views,
    seating,
    bots,
    playing,
    chat,
    subscriptions,
    tournaments,
)
VERBS: dict[str, Verb] = {
    each.name: each for chapter in CHAPTERS for each in vars(chapter).values() if isinstance(each, Verb)
}
