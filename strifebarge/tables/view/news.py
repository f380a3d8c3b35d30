"""News for the open pages of a table that has changed: a word for each viewer.  Pure.

The words pass a process that knows no secrets.  So people are marks there, which follow from a secret key,
and what is being composed, or planned, changes only the word of the people who do it, and an invitation by
name only those of the players.
"""

from collections.abc import Callable

from msgspec import Struct

from strifebarge.tables.clock.presence import TablePresence, presence_part, with_seats
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import SpectatorTable, visible_table

Mark = Callable[[str, str], str]  # of a kind of thing and its name: stands for it, and does not tell it


class News(Struct, frozen=True):
    """The words for the viewers of one table, as of one revision of it.

    A viewer's word is another one as soon as their page is.
    """

    table: str
    revision: int
    etag: str  # for spectators
    etags: dict[str, str] = {}  # by mark, for the people who sit there
    live: bool = False  # whether who is present matters more as time passes
    shows_presence: bool = False  # whether pages of players show who is present
    watched: bool = False  # whether spectators see something else than players; if so, never who is present
    presence: str | None = None  # the end of all words, who is present; None where it is not known
    invited: list[str] = []  # the marks of people who are invited by name
    seats: dict[str, list[int]] = {}  # by mark, where the people sit: to themselves they are always here

    def word_for(self, person: str, presence: str = "") -> str:
        """Return the word for the person of this mark; `presence` is its end where pages show who is."""
        own_etag = self.etags.get(person)
        if own_etag is None:
            return self.etag + presence if self.shows_presence and not self.watched else self.etag
        return (
            own_etag + with_seats(presence, self.seats.get(person, [])) if self.shows_presence else own_etag
        )


def table_news(table: Table, mark: Mark, presence: TablePresence | None = None) -> News:
    """Return the news of a table as it stands; `presence` is who is present, if that is known."""
    spectators = visible_table(None, table)
    people = {player: mark("person", player) for chair in table.chairs for player in chair.players}
    return News(
        table.id,
        table.revision,
        spectators.news,
        {person: _word(table, player, mark) for player, person in people.items()},
        table.live,
        table.shows_presence,
        isinstance(spectators, SpectatorTable),
        presence_part(table, presence) if presence and table.shows_presence else None,
        [mark("person", player) for player, each in table.invited.items() if not each.declined],
        {person: [chair.seat for chair in table.chairs_of(player)] for player, person in people.items()},
    )


def _word(table: Table, player: str, mark: Mark) -> str:
    """Return the word for somebody who sits there, without who is present."""
    visible = visible_table(player, table)
    own = visible.own_news(player)
    return (
        f"{visible.news}+{mark('steps', f'{table.id} {player} {visible.news} {own}')}"
        if own
        else visible.news
    )
