"""The ways in which people come to a seat at a table, change it, share it, and leave it before the game."""

from collections.abc import Iterator

from strifebarge.lib.lookalikes import alike
from strifebarge.rules import Refused
from strifebarge.tables.model.agreement import AgreedTable
from strifebarge.tables.model.bots import EACH, bot_id, bot_name, is_bot
from strifebarge.tables.model.chair import MOST_COPLAYERS, Chair, Person, is_guest_name
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.model.status import StartRule, Status


class SeatedTable(AgreedTable, kw_only=True):
    """A table at which people sit down: by a link, by name, together, or as bots."""

    def free(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.player is None]

    def why_not_join(self, player: str | None, code: str, now: float) -> TableRefusal | None:
        """Return why somebody with this invitation cannot sit down here, if they cannot."""
        if self.chair_of(player):
            return None
        if self.status is Status.OVER:
            return TableRefusal.OVER
        if why := self._why_not_invited(player, code, now):
            return why
        if not self.free():
            return TableRefusal.FULL if self.status is Status.OPEN else TableRefusal.BEGUN
        if not any(self.may_have(player, chair) for chair in self.free()):
            return TableRefusal.OTHER_SEAT
        return None

    def may_have(self, player: str | None, chair: Chair) -> bool:
        """Return whether a player knows no other seat's secrets, which they would take along to this one."""
        return self.settings.shared or not any(
            player in each.sat for each in self.chairs if each is not chair
        )

    def _why_not_invited(self, player: str | None, code: str, now: float) -> TableRefusal | None:
        if self.settings.listed or (player in self.invited and not self.invited[player].declined):
            return None
        if code != self.invitation.code:
            return TableRefusal.REVOKED if code in ("", *self.invitation.past) else TableRefusal.NO_INVITATION
        return TableRefusal.RUN_OUT if self.run_out(now) else None

    def run_out(self, now: float) -> bool:
        """Return whether the game has not begun for so long that its invitation holds no more."""
        return self.status is Status.OPEN and self.invitation.run_out(
            max(self.times.changed, self.times.created), now
        )

    def sit(self, player: str, name: str, seat: int | None = None) -> Chair:
        """Give a player this seat, or the first free one, ready to play.  Sitting twice is sitting once.

        Raises Refused: FULL, NO_SUCH_SEAT, SEAT_TAKEN, OVER, NAME_TAKEN, OTHER_SEAT.
        """
        if chair := self.chair_of(player):
            return chair
        if self.status is Status.OVER:
            raise Refused(TableRefusal.OVER)
        free = self.free()
        if not free:
            raise Refused(TableRefusal.FULL)
        if seat is not None and self.chair(seat) not in free:
            raise Refused(TableRefusal.SEAT_TAKEN)
        suitable = [chair for chair in free if seat in (None, chair.seat) and self.may_have(player, chair)]
        if not suitable:
            raise Refused(TableRefusal.OTHER_SEAT)
        chair = suitable[0]
        chair.give(player, self.name_for(name, chair), ready=True)
        self.ask_newcomer_agreement(chair)
        if self.host is None:
            self.host = player
        return chair

    def seat_another(self, player: str, name: str) -> Chair:
        """Add somebody who plays at the same device as `player`, and as them.

        Raises Refused: ONE_SEAT, NOT_SEATED, FULL, BEGUN, OVER, NAME_TAKEN.
        """
        self.must_be_open()
        if not self.settings.shared:
            raise Refused(TableRefusal.ONE_SEAT)
        self.must_sit(player)
        if not (free := self.free()):
            raise Refused(TableRefusal.FULL)
        free[0].give(player, self.name_for(name, free[0]), ready=True)
        self.ask_newcomer_agreement(free[0])
        return free[0]

    def bot_for(self, level: str, chair: Chair) -> tuple[str, str]:
        """Return the id and the name of a bot of that level which may play a seat, and sits in no other.

        Raises LookupError if there is no such level; Refused(FULL) if none is left.
        """
        for number in range(1, EACH + 1):
            id, name = bot_id(level, number), bot_name(level, number)
            taken = any(alike(name, other) for other in self._names())
            if not (taken or self.chair_of(id)) and self.may_have(id, chair):
                return id, name
        raise Refused(TableRefusal.FULL)

    def join_seat(self, player: str, name: str, seat: int) -> Chair:
        """Play a seat together with who has it.  Sitting twice is sitting once.

        Raises Refused: SEATED_ELSEWHERE, BEGUN, OVER, DEAD_LINK, NAME_TAKEN, CROWDED, OTHER_SEAT.
        """
        chair = self.chair(seat)
        if chair.has(player):
            return chair
        if self.chair_of(player):
            raise Refused(TableRefusal.SEATED_ELSEWHERE)
        if self.status is not Status.SUSPENDED:
            self.must_be_open()
        if chair.player is None or chair.left:
            raise Refused(TableRefusal.DEAD_LINK)
        if len(chair.coplayers) >= MOST_COPLAYERS:
            raise Refused(TableRefusal.CROWDED)
        if not self.may_have(player, chair):
            raise Refused(TableRefusal.OTHER_SEAT)
        chair.coplayers.append(Person(player, self.name_for(name, chair), ready=True))
        self.ask_newcomer_agreement(chair)
        return chair

    def ask_newcomer_agreement(self, chair: Chair) -> None:
        """Ask anew the players who had not agreed to a newcomer; where sitting down is agreeing, they had."""
        if self.status is Status.SUSPENDED or (
            self.status is Status.OPEN and self.settings.begins is StartRule.AGREED
        ):
            self.unready()
        elif self.times.started is not None:
            chair.note()

    def _names(self, but: Chair | None = None) -> Iterator[str]:
        """Return what all are called, but for the player of this chair."""
        for chair in self.chairs:
            own = but.player if but and but.seat == chair.seat else None
            yield from (name for player, name in chair.people if player != own)

    def must_be_unused(self, name: str, but: Chair | None = None) -> None:
        """Refuse a name that looks like that of somebody here, or of a flag.  Raises Refused(NAME_TAKEN)."""
        if name and any(alike(name, other) for other in self._names(but)):
            raise Refused(TableRefusal.NAME_TAKEN)

    def name_for(self, name: str, chair: Chair, but: Chair | None = None) -> str:
        """Return the name of a person in a chair: their own, or the flag for a guest without one.

        A guest's name gets a number where somebody else has it.  `but`: the person who is to have the name.
        Raises Refused(NAME_TAKEN) for a chosen name that somebody else has.
        """
        if name and not is_guest_name(name):
            self.must_be_unused(name, but)
            return name
        others = [*self._names(but)]
        called, number = name or Chair(chair.seat).called, 1
        flag_name = " ".join(called.split()[:2])
        while any(alike(called, other) for other in others):
            number += 1
            called = f"{flag_name} {number}"
        return called

    def change_seat(self, player: str, seat: int, old_seat: int | None = None) -> None:
        """Move to another seat before the game.  Raises Refused: NO_SUCH_SEAT, SEAT_TAKEN, BEGUN."""
        self.must_be_open()
        old, new = self.seated(player, old_seat), self.chair(seat)
        if new is old:
            return
        if new.player is not None:
            raise Refused(TableRefusal.SEAT_TAKEN)
        name, ready = old.name_of(player), old.is_ready(player)
        old.go(player)
        new.give(player, name, ready)
        self.ask_newcomer_agreement(new)

    def stand(self, player: str) -> None:
        """Leave before the game, with all who play at the same device."""
        self.must_be_open()
        own_chairs = self.must_sit(player)
        for chair in own_chairs:
            chair.go(player)
        self.somebody_went()
        self.pass_host_on(own_chairs[0].seat)

    def free_seat(self, chair: Chair, host: str) -> None:
        """Clear a seat before the game.

        All but the host, who does this, are asked anew if a bot went for whom it would not be rated.
        """
        rated = self.is_rated
        chair.empty()
        self.somebody_went()
        own_chairs = [each for each in self.chairs_of(host) if each.is_ready(host)]
        if self.is_rated and not rated:
            self.unready()
            for each in own_chairs:
                each.agree(host, True)

    def pass_host_on(self, seat: int) -> None:
        """Make the next player the host, from `seat` on, if the host plays here no longer."""
        if any(not chair.left for chair in self.chairs_of(self.host)):
            return
        round_it = [*self.chairs[seat:], *self.chairs[:seat]]
        stay = [chair for chair in round_it if not (chair.left or chair.gone or is_bot(chair.player))]
        players = (chair.player for chair in stay if chair.player)
        self.host = next(players, None)

    def somebody_went(self) -> None:
        """Ask all anew, where they had agreed to play with somebody who is gone."""
        if self.settings.begins is StartRule.AGREED or self.status is Status.SUSPENDED:
            self.unready()
