"""The terms that the people at a table agree to, and who is ready to play on them."""

from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import json

from strifebarge.rules import Refused
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.facts import TableFacts
from strifebarge.tables.model.parts import TableSettings
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.model.status import StartRule

TERM = "t_"  # before the name of a term, wherever the options of games have names too


@lru_cache(1024)  # of the same terms for all pages of a game
def _digest(terms: bytes) -> str:
    return sha256(terms).hexdigest()[:16]


class AgreedTable(TableFacts, kw_only=True):
    """A table whose people are asked whether they agree, and asked anew when the terms are others."""

    @property
    def at_issue(self) -> str:
        """A word for the terms people agree to: how the game is to be played, and if need be with whom.

        Forms carry it, so that nobody agrees to what they have not seen.
        """
        chosen, suspension = self.settings, self.suspension
        how = [
            *(
                chosen.options,
                self.clock and self.clock.pace,
                chosen.afterwards,
                chosen.begins,
                chosen.seating,
            ),
            *(chosen.patience, chosen.remedy, chosen.watching, chosen.listed, self.suspended),
            # Unless somebody has set it, the language is the one in which the host reads the site.
            chosen.language if "t_language" in chosen.set_by else "",
            *((suspension.end, suspension.back) if suspension else ()),
            *((suspension.resume_point,) if suspension and suspension.resume_point else ()),
            *(["bots"] if self.with_bots else ()),
        ]
        counts = self.suspended or chosen.begins is StartRule.AGREED
        whom = [list(dict(chair.people).values()) for chair in self.chairs if counts]
        return ".".join(_digest(json.encode(part, order="deterministic")) for part in (how, whom))

    def require_current_terms(self, terms: str, whom: bool = True) -> None:
        """Raise Refused(CHANGED) if a form was made for other terms than these (`at_issue`); "" says nothing.

        Where it does not matter with `whom`, only for how the game is played.
        """
        parts = [each if whom else each.partition(".")[0] for each in (terms, self.at_issue)]
        if terms and parts[0] != parts[1]:
            raise Refused(TableRefusal.CHANGED)

    @property
    def all_ready(self) -> bool:
        """All who are needed are there, and all who are there are ready."""
        there = [chair for chair in self.chairs if chair.player]
        enough = self.settings.begins is StartRule.AGREED or len(there) == len(self.chairs)
        # Bots play among themselves in tournaments alone.
        somebody = bool(self.tournament) or any(not is_bot(chair.player) for chair in there)
        return enough and somebody and all(chair.agreed for chair in there)

    @property
    def all_ready_again(self) -> bool:
        """All who still play have agreed to go on, if they may; or all who are there, to end it."""
        if self.suspended_by_host:
            return False
        ending = self.suspension is not None and self.suspension.end is not None
        playing = [chair for chair in self.in_play() if chair.player or not ending]
        agreed = [chair.agreed_in_person if ending else chair.agreed for chair in playing]
        return bool(agreed) and all(agreed)

    def configure(
        self, player: str, options: dict[str, Any], terms: dict[str, Any], seat: int | None = None
    ) -> None:
        """Play by other options, or on other terms, if all agree.

        `terms` are the clock, and fields of the settings.  What is set to what it was changes nothing.
        """
        self.must_be_open()
        who = self.seated(player, seat).name_of(player)
        changed = [name for name, value in options.items() if self.settings.options.get(name) != value]
        other = {name: value for name, value in terms.items() if getattr(self._holder(name), name) != value}
        for name, value in other.items():
            setattr(self._holder(name), name, value)
        if changed or other:
            self.settings.options = options
            names = [*changed, *(f"{TERM}{name}" for name in other)]
            self.settings.set_by = {**self.settings.set_by, **dict.fromkeys(names, who)}
            self.unready()

    def _holder(self, term: str) -> "AgreedTable | TableSettings":
        """Return what has a term as its field: the clock is the table's own."""
        return self if term == "clock" else self.settings

    def unready(self) -> None:
        """Ask everybody anew: to be ready is to agree to just this table, as it is."""
        for chair in self.chairs:
            chair.unready()

    def close_up(self) -> None:
        """Take away the chairs whose people have not all agreed, and number the others anew."""
        self.chairs = [chair for chair in self.chairs if chair.player and chair.agreed]
        for seat, chair in enumerate(self.chairs):
            chair.seat = seat
