"""All verbs of the interface, by name."""

from types import ModuleType

from strifebarge.api.verbs import bots, chat, lobby, playing, seating, subscriptions, tournaments, views
from strifebarge.api.verbs.verb import Verb

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
