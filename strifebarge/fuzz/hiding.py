"""The law of hidden things: no viewer is sent what they may not see, nor anything that depends on it."""

import json
from typing import Any

import msgspec

from strifebarge.fuzz.acts import viewers
from strifebarge.fuzz.law import Law, must
from strifebarge.rules import Chance, Game, Hidden, Seat, Secret
from strifebarge.rules.codec import held_by, load, save
from strifebarge.rules.match import Match


def what_is_hidden_is_not_sent(match: Match) -> None:
    """Check that a view holds None wherever its viewer may not look, and nothing of the seed."""
    for viewer in viewers(match):
        sent = save(match.game, viewer)
        _must_hide(match.game, json.loads(sent), viewer)
        blank = save(without_the_unseen(match.game, viewer), viewer)
        must(blank == sent, Law.HIDING, f"what {_who(viewer)} is sent hangs on what is hidden from them")
        seed = match.game.chance.seed.encode()
        must(not seed or seed not in sent, Law.HIDING, f"{_who(viewer)} is sent the seed")


def _who(viewer: int | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _must_hide(obj: Any, sent: Any, viewer: int | None, keeper: int | None = None) -> None:
    """Check that what was sent is None wherever this viewer may not look, and else what it is."""
    is_keeper = viewer is not None and viewer == keeper
    match obj:
        case Hidden():
            may_look = [is_keeper or viewer in readers or None in readers for readers in obj.readers]
            visible = [item is not None for item in sent]
            must(visible == may_look, Law.HIDING, f"{_who(viewer)} is sent {sent!r:.200}")
            for item, sent_item in zip(obj.items, sent, strict=True):
                if sent_item is not None:
                    _must_hide(item, sent_item, viewer, keeper)
        case Secret():
            open_ = sent is None or is_keeper or viewer in obj.readers or None in obj.readers
            must(open_, Law.HIDING, f"{_who(viewer)} is sent {sent!r:.200}")
        case Chance():
            must(sent is None, Law.HIDING, f"{_who(viewer)} is sent the state of chance")
        case msgspec.Struct():
            inner_keeper = obj.number if isinstance(obj, Seat) else keeper
            for name in obj.__struct_fields__:
                if name in sent:  # what is at its default may be left out
                    _must_hide(getattr(obj, name), sent[name], viewer, inner_keeper)
        case dict():
            for item, sent_item in zip(obj.values(), sent.values(), strict=True):
                _must_hide(item, sent_item, viewer, keeper)
        case list() | tuple():
            for item, sent_item in zip(obj, sent, strict=True):
                _must_hide(item, sent_item, viewer, keeper)


def without_the_unseen(game: Game[Any], viewer: int | None) -> Game[Any]:
    """Return a copy of the game with nothing in the place of all that this viewer may not see."""
    blank: Game[Any] = load(type(game), save(game))
    blank.chance = Chance("another", {"": 1})
    for holder, keeper in list(held_by(blank)):
        unseen = [id(item) for item in holder.unseen(viewer, keeper)]
        if isinstance(holder, Hidden):
            holder.items = [None if id(item) in unseen else item for item in holder.items]
        elif unseen:
            holder.value = None
    return blank
