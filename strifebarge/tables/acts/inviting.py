"""Say who may sit down: renew the link, invite people by name, put a table on the list of open ones."""

from strifebarge.rules import Refused
from strifebarge.tables.acts.forms import form_name
from strifebarge.tables.model.chat import tidy_line
from strifebarge.tables.model.invitation import MOST_INVITED, InvitedPerson
from strifebarge.tables.model.names import code_of
from strifebarge.tables.model.player import Player, alias
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.turn import Turn


@form_name("renew")
def renew_link(turn: Turn) -> None:
    """Give out another invitation, as host: older links are dead.  Raises Refused: NOT_HOST, OVER, LISTED."""
    table = turn.table
    table.must_be_hosted_by(turn.player)
    _must_not_be_over(table)
    if table.settings.listed:
        raise Refused(TableRefusal.LISTED)
    old = {table.invitation.code, *table.invitation.past}
    while (code := code_of(turn.referee.entropy(5))) in old:
        pass
    table.invitation = table.invitation.renewed(code, turn.now)


def publish(turn: Turn, listed: bool) -> None:
    """Put a table on the list of open ones, or take it off, as host; all are asked anew.

    Raises Refused: NOT_HOST, BEGUN, OVER.
    """
    turn.table.must_be_hosted_by(turn.player)
    turn.table.must_be_open()
    if turn.table.settings.listed != listed:
        turn.table.settings.listed = listed
        turn.table.unready()


@form_name("ask")
def invite(turn: Turn, whom: str, companions: list[Player], message: str = "") -> None:
    """Ask somebody by name to a table whom one has played with; they find it among their games.

    `whom` is their alias among the `companions`, those one has played with; `message` is for them to read.

    Raises Refused: NOT_SEATED, OVER, NOT_MET, ALREADY_HERE, FULL, BEGUN, ASKED_ENOUGH; TOO_LONG for a
    message.
    """
    message = tidy_line(message) if message.strip() else ""
    table, player = turn.table, turn.player
    met = {alias(each.id, player): each for each in companions}
    chair = table.chair_of(player, turn.seat)
    if chair is None:
        raise Refused(TableRefusal.NOT_SEATED)
    _must_not_be_over(table)
    if whom not in met:
        raise Refused(TableRefusal.NOT_MET)
    other = met[whom]
    if table.chair_of(other.id):
        raise Refused(TableRefusal.ALREADY_HERE)
    if not table.free():
        raise Refused(TableRefusal.FULL if table.status is Status.OPEN else TableRefusal.BEGUN)
    if len(table.invited) >= MOST_INVITED and other.id not in table.invited:
        raise Refused(TableRefusal.ASKED_ENOUGH)
    table.invited[other.id] = InvitedPerson(
        other.name, player, chair.name_of(player), turn.now, message=message
    )
    turn.quiet = True  # spectators do not know who was invited


def decline(turn: Turn) -> None:
    """Say no to an invitation by name.  Raises Refused(NOT_ASKED)."""
    if turn.player not in turn.table.invited:
        raise Refused(TableRefusal.NOT_ASKED)
    turn.table.invited[turn.player].declined = True
    turn.quiet = True


@form_name("take_back")
def withdraw_invitation(turn: Turn, whom: str) -> None:
    """Take an invitation by name back that one has given; as host, any.

    `whom` is the alias of the one invited: at this table, or to the one who withdraws.
    Raises Refused: NOT_ASKED, NOT_HOST.
    """
    table = turn.table
    other = next((each for each in table.invited if whom in _aliases(each, turn)), None)
    if other is None:
        raise Refused(TableRefusal.NOT_ASKED)
    if turn.player != table.invited[other].by:
        table.must_be_hosted_by(turn.player)
    del table.invited[other]
    turn.quiet = True


def _aliases(invited: str, turn: Turn) -> tuple[str, str]:
    return alias(invited, turn.table.id), alias(invited, turn.player)


def _must_not_be_over(table: Table) -> None:
    if table.status is Status.OVER:
        raise Refused(TableRefusal.OVER)
