"""Who may sit down: links are renewed, people invited by name, tables put on the list of open ones."""

from strifebarge.rules import Refused

from ..invitation import MOST_INVITED, Invited
from ..names import code_of
from ..person import alias
from ..ports import Player
from ..table import No, Status, Table
from .desk import Desk, Slip


class Inviting(Desk):
    """What is done so that others come, or do not."""

    def renew(self, player: str, id: str, slip: Slip) -> None:
        """The host takes the invitation back and gives out another: older links are dead.

        Raises Refused: NOT_HOST, OVER, LISTED.
        """
        with self._acting(player, id, "renew", slip) as act:
            if not act.done:
                table = act.table
                table.must_be_hosted_by(player)
                _must_not_be_over(table)
                if table.listed:
                    raise Refused(No.LISTED)
                old = {table.invitation.code, *table.invitation.past}
                while (code := code_of(self.entropy(5))) in old:
                    pass
                table.invitation = table.invitation.renewed(code, self.now())

    def publish(self, player: str, id: str, listed: bool, slip: Slip) -> None:
        """The host puts a table on the list of open ones, or takes it off; all are asked anew."""
        with self._acting(player, id, "publish", slip) as act:
            if not act.done:
                act.table.must_be_hosted_by(player)
                act.table.must_be_open()
                if act.table.listed != listed:
                    act.table.listed = listed
                    act.table.unready()

    def ask(self, player: str, id: str, whom: str, slip: Slip) -> None:
        """Invite somebody by name, whom one has played with; they find it among their games.

        `whom` is their alias among those one has played with.

        Raises Refused: NOT_SEATED, OVER, NOT_MET, ALREADY_HERE, FULL, BEGUN, ASKED_ENOUGH.
        """
        met = {alias(each.id, player): each for each in self.store.companions(player)}
        with self._acting(player, id, "ask", slip) as act:
            if act.done:
                return
            table, chair = act.table, act.table.chair_of(player, slip.seat)
            if chair is None:
                raise Refused(No.NOT_SEATED)
            _must_not_be_over(table)
            if whom not in met:
                raise Refused(No.NOT_MET)
            other = met[whom]
            if table.chair_of(other.id):
                raise Refused(No.ALREADY_HERE)
            if not table.free():
                raise Refused(No.FULL if table.status is Status.OPEN else No.BEGUN)
            if len(table.invited) >= MOST_INVITED and other.id not in table.invited:
                raise Refused(No.ASKED_ENOUGH)
            table.invited[other.id] = Invited(other.name, player, chair.name_of(player), self.now())

    def decline(self, player: Player, id: str, slip: Slip) -> None:
        """Say no to an invitation by name.  Raises Refused(NOT_ASKED)."""
        with self._acting(player.id, id, "decline", slip) as act:
            if not act.done:
                if player.id not in act.table.invited:
                    raise Refused(No.NOT_ASKED)
                act.table.invited[player.id].declined = True

    def take_back(self, player: str, id: str, whom: str, slip: Slip) -> None:
        """Whoever invited somebody by name, or the host, takes it back.  Raises NOT_ASKED, NOT_HOST.

        `whom` is the alias of whoever was invited, at this table.
        """
        with self._acting(player, id, "take_back", slip) as act:
            if not act.done:
                table = act.table
                other = next((each for each in table.invited if alias(each, id) == whom), None)
                if other is None:
                    raise Refused(No.NOT_ASKED)
                if player != table.invited[other].by:
                    table.must_be_hosted_by(player)
                del table.invited[other]


def _must_not_be_over(table: Table) -> None:
    if table.status is Status.OVER:
        raise Refused(No.OVER)
