"""What is said at a table."""

from strifebarge.rules import Refused

from ..chat import PHRASES, NotSaid, Room, Said, must_not_be_too_much, tidy_line
from ..ports import Player
from ..table import No, Status
from ..watching import Watched, told_to
from .desk import Desk, Slip


class Talking(Desk):
    """Saying something, and what can be done about what others said."""

    def say(self, player: Player, id: str, text: str, phrase: str, slip: Slip) -> None:
        """Say something: at the table who sits there, else in the gallery.

        Raises Refused: EMPTY, TOO_LONG, AGAIN, TOO_MUCH, CLOSED, NOT_WATCHED.
        """
        with self._acting(player.id, id, "say", slip) as act:
            if act.done:
                return
            told = told_to(player.id, act.table)
            if isinstance(told, Watched) and told.veiled:
                raise Refused(No.NOT_WATCHED)
            if act.table.hushed:
                raise Refused(NotSaid.CLOSED)
            phrase = phrase if phrase in PHRASES else ""
            text = "" if phrase else tidy_line(text)
            lines = act.change.lines(id)
            must_not_be_too_much(lines, player.id, text, phrase, self.now())
            chair = None if isinstance(told, Watched) else act.table.chair_of(player.id, slip.seat)
            act.change.save_player(player)
            act.change.say(
                Said(
                    number=lines[-1].number + 1 if lines else 1,
                    room=Room.TABLE if chair else Room.GALLERY,
                    player=player.id,
                    name=chair.name_of(player.id) if chair else player.name,
                    seat=chair.seat if chair else None,
                    text=text,
                    phrase=phrase,
                    at=self.now(),
                )
            )
            act.quiet = chair is None and act.table.status is not Status.OVER

    def strike(self, player: str, id: str, number: int, slip: Slip) -> None:
        """Take a line away, where it stood it says so: one's own, or as host any."""
        with self._acting(player, id, "strike", slip) as act:
            if not act.done:
                line = _line(act.change.lines(id), number)
                if player not in (line.player, act.table.host):
                    raise Refused(NotSaid.NOT_YOURS)
                act.change.strike(number)

    def report(self, player: str, id: str, number: int, slip: Slip) -> None:
        """Show a line to whoever looks after the site."""
        with self._acting(player, id, "report", slip) as act:
            if not act.done:
                _line(act.change.lines(id), number)
                act.change.report(number)
                act.quiet = True

    def answer_report(self, id: str, number: int, strike: bool) -> None:
        """Whoever looks after the site strikes a reported line out, or lets it stand.

        Raises Refused: NO_TABLE, NO_LINE.
        """
        if (id, number) not in [(table, line.number) for table, line in self.store.reported()]:
            raise Refused(NotSaid.NO_LINE)
        with self.store.change(id) as change:
            if strike:
                change.strike(number)
            else:
                change.report(number, False)
            change.table.version += 1

    def hush(self, player: str, id: str, hushed: bool, slip: Slip) -> None:
        """The host closes the chat, or opens it again."""
        with self._acting(player, id, "hush", slip) as act:
            if not act.done:
                act.table.must_be_hosted_by(player)
                act.table.hushed = hushed


def _line(lines: list[Said], number: int) -> Said:
    """Raises Refused(NO_LINE)."""
    for line in lines:
        if line.number == number and not line.struck:
            return line
    raise Refused(NotSaid.NO_LINE)
