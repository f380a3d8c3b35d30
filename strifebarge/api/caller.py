"""The caller of a verb: their token, their person, and what they ask the services with."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from strifebarge.api import faults
from strifebarge.api.arguments import Write
from strifebarge.api.ports import ApiServices, Language
from strifebarge.api.words import Sentences
from strifebarge.people.models import Token
from strifebarge.tables.acts import local_play
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.status import RUNNING, Status
from strifebarge.tables.model.watching import SpectatorTable, visible_table
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken, Turn
from strifebarge.tables.view import View

P = ParamSpec("P")
T = TypeVar("T")
CODES = "codes"  # the limit on guessed codes of tables


class ActResult(Struct):
    """An act was carried out: the number of the table's last move after it."""

    number: int
    repeated: bool = False  # it had been carried out before, by a call with this key


class Caller:
    """A person, by a token of theirs, at one site."""

    def __init__(self, site: ApiServices, token: Token, player: Player, language: Language):
        self.site = site
        self.token = token
        self.player = player
        self.language = language

    @property
    def referee(self) -> Referee:
        return self.site.services.referee

    # -- limits --------------------------------------------------------------------

    def count(self, limit: str, at: str = "") -> None:
        """Count one more act by this token and by its address.  Raises Fault after too many by either.

        `at` names what it is done at, where that has a limit of its own.
        """
        limits = self.site.limits
        for whose in self._counted_by(at):
            if not limits.note(limit, whose):
                raise faults.too_fast(limits.standing(limit, whose).seconds)

    def wait(self, limit: str) -> int:
        """Return the seconds until this token and its address may do this again; 0 if they may now."""
        limits = self.site.limits
        spent = [whose for whose in self._counted_by() if limits.spent(limit, whose)]
        return max((limits.standing(limit, whose).seconds for whose in spent), default=0)

    def _counted_by(self, at: str = "") -> list[str]:
        return [f"{whose} {at}".strip() for whose in (self.token.id, self.site.address())]

    # -- reading -------------------------------------------------------------------

    def table(self, code: str) -> str:
        """Return a table's code in its one form.

        After too many wrong codes by this token or its address, only for a table where its person sits.
        Raises Refused(NO_TABLE, NOT_SEATED).
        """
        id = tidy_code(code)
        if self.wait(CODES):
            self.referee.store.table(id).must_sit(self.player.id)
        return id

    def view(self, code: str, seat: int | None = None) -> View:
        """Return a table as the caller may see it now; at a shared device, from one `seat`.

        A seated caller is noted to be there.  Raises Busy; Refused: NO_TABLE, and as `must_look_from`.
        """
        id = self.table(code)
        self.must_look_from(id, seat)
        overview = self.referee.views.overview(id)
        with self.referee.views.place(overview.table, self.site.address(), self.player.id):
            view = self.referee.views.show(self.player.id, id, seat, overview)
        self.note_presence(view)
        return view

    def must_look_from(self, id: str, seat: int | None) -> None:
        """Raise Refused for a seat from which the caller cannot look: COVERED, NOT_SEATED, NOT_YOUR_SEAT."""
        if seat is not None:
            self.must_be_open(id, seat)
            self.referee.store.table(id).seated(self.player.id, seat)

    def must_be_open(self, id: str, seat: int | None) -> None:
        """Raise Refused(COVERED) for a seat whose page asks for a PIN, which programs do not type."""
        if seat is not None:
            local_play.must_be_lifted(self.referee, id, seat, None)

    def note_presence(self, view: View) -> None:
        """Note that a seated caller is at the table."""
        sits = any(seat.my_device and not seat.left for seat in view.places)
        if sits and view.status is not Status.OVER and not self.site.read_only:
            self.referee.attendance.record_presence(self.player.id, view.id, 0)

    def sentences(self, view: View | None = None) -> Sentences:
        return Sentences(self.language, view)

    # -- writing -------------------------------------------------------------------

    def form(self, call: Write, question: int | None = None, seat: int | None = None) -> FormToken:
        """Return what a call carries beside its content, as a form does.

        Keys are each person's own: nobody learns which ones others have used.
        """
        key = sha256(f"api {self.player.id} {call.key}".encode()).hexdigest()
        fields: dict[str, Any] = msgspec.to_builtins(call)
        fields.pop("key")
        return FormToken(key, msgspec.json.encode(fields, order="deterministic").decode(), question, seat)

    def must_not_hurry(self, call: Write, limit: str, at: str = "") -> None:
        """Count an act as `count` does, but not that of a call sent again.  Raises Fault."""
        key = self.form(call).key
        if self.referee.receipt(key) is None and not self.site.services.tournaments.accepted(key):
            self.count(limit, at)

    def carry_out(
        self,
        call: Write,
        code: str,
        act: Callable[Concatenate[Turn, P], object],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> ActResult:
        """Carry out what a call wants at a table, once.  Raises Refused: what the act raises; COVERED."""
        return self.answer(call, code, None, act, *arguments, **named)

    def answer(
        self,
        call: Write,
        code: str,
        question: int | None,
        act: Callable[Concatenate[Turn, P], object],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> ActResult:
        """Carry out what a call wants, for the question with this number; else as `carry_out`."""
        id, seat = self.table(code), getattr(call, "seat", None)
        self.must_be_open(id, seat)
        form = self.form(call, question, seat)
        accepted = self.referee.carry_out(self.player.id, id, form, act, *arguments, **named)
        return self.done(id, accepted.number, accepted.repeated)

    def done(self, id: str, number: int, repeated: bool = False) -> ActResult:
        """Return that an act was carried out; a spectator is told no newer move than they may see."""
        visible = visible_table(self.player.id, self.referee.store.table(id))
        return ActResult(visible.position.number if isinstance(visible, SpectatorTable) else number, repeated)


def is_my_move(table: Any, player: str) -> bool:
    """Return whether a running table waits for a move of this person."""
    waiting = table.position.waiting
    return table.status in RUNNING and any(chair.seat in waiting for chair in table.chairs_of(player))
