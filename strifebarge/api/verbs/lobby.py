"""Verbs before a table: games, open tables, the caller's own tables, people to invite."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from strifebarge.api.arguments import Arguments, AtTable, Short, Write, one_of
from strifebarge.api.caller import Caller, is_my_move
from strifebarge.api.schemas import GameSchema, schema_of
from strifebarge.api.shown import told_language
from strifebarge.api.verbs.verb import verb
from strifebarge.api.words import Sentences
from strifebarge.people.models import Scope
from strifebarge.rules.pace import DAY
from strifebarge.rules.schema import seat_numbers, usual_seats
from strifebarge.tables.acts.vacations import come_back, go_on_vacation
from strifebarge.tables.clock import vacation
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.listing import LASTS, PACES, TableSearch, pace_of
from strifebarge.tables.model.player import alias
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table

MOST_PAGES = 500


class GameInfo(Struct):
    """A game of the site."""

    game: str
    title: str
    version: int
    players: list[int]  # how many may play
    usual: int
    length: str  # how long it takes, in words
    paces: list[str]  # times to play by, besides none


class Games(Struct):
    """The games of the site."""

    games: list[GameInfo]


class GameName(Arguments, kw_only=True, forbid_unknown_fields=True):
    """A game, by its short name."""

    game: Short


class Search(Arguments, kw_only=True, forbid_unknown_fields=True):
    """Words to search for among open tables; empty means anything."""

    game: Short = ""
    pace: Annotated[str, one_of(["", *PACES])] = ""
    language: Short = ""
    free: Annotated[int, Meta(ge=1, le=8)] = 1
    page: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1


class TableLine(Struct):
    """A table on a list."""

    table: str
    game: str
    status: Status
    seats: int
    free: int
    pace: str
    language: str
    afterwards: str
    host: str  # the name of the player who opened it, or who sits first
    players: list[str]
    your_turn: bool
    due: float | None  # the next deadline, in seconds since 1970
    changed: float


class Tables(Struct):
    """Tables of a list, and whether more follow on the next page."""

    tables: list[TableLine]
    more: bool = False


class InvitationView(Struct):
    """An invitation by name to the caller."""

    table: str
    game: str
    inviter: str
    message: str


class Invitations(Struct):
    """Invitations by name to the caller."""

    invitations: list[InvitationView]


class PastPlayer(Struct):
    """A person the caller has played with; `person` is their alias, for `table.invite`."""

    name: str
    person: str


class People(Struct):
    """People the caller has played with, the latest first."""

    people: list[PastPlayer]


class Me(Struct):
    """The token's person, and how the token stands."""

    name: str
    person: str  # the id of their page
    token: str  # its name
    scopes: list[Scope]
    tables_to_move: int
    away_until: float | None  # on vacation until then, in seconds since 1970
    vacation_days_left: int
    vacations: Short  # for `lobby.vacation`: another word after each vacation


class VacationArguments(Write, kw_only=True, forbid_unknown_fields=True):
    """Days of vacation; 0 comes back.  A call that saw older vacations (`vacations_etag`) changes nothing."""

    days: Annotated[int, Meta(ge=0, le=366)]
    vacations_etag: Short  # `vacations` of `lobby.me`


class InvitationInfo(Struct):
    """How people may join a table."""

    table: str
    invitation: str  # for `table.sit`; "" while the table's own address is enough
    path: str  # of the link, below the site's address
    invited: list[PastPlayer]  # by name; `person` is for `table.withdraw`


@verb("lobby.me", Scope.READ, "GET", "/me")
def me(caller: Caller, call: Arguments) -> Me:
    """Show whose token this is, and what it may do."""
    player, now = caller.player, caller.referee.now()
    vacations = caller.referee.views.vacations(player.id)
    away = vacation.current(vacations, now)
    return Me(
        name=player.name,
        person=player.public,
        token=caller.token.name,
        scopes=caller.token.scopes,
        tables_to_move=caller.site.services.lists.waiting_for(player.id),
        away_until=away.until if away else None,
        vacation_days_left=int(vacation.left(vacations, now) // DAY),
        vacations=vacation.vacations_etag(vacations),
    )


@verb("lobby.games", Scope.READ, "GET", "/games")
def games(caller: Caller, call: Arguments) -> Games:
    """List the games of the site."""
    return Games([_game(caller, title) for title in caller.referee.library])


def _game(caller: Caller, title: Title) -> GameInfo:
    sentences = Sentences(caller.language, title=title)
    return GameInfo(
        game=title.slug,
        title=sentences.game_words(title.title),
        version=title.version,
        players=[each for each in seat_numbers(title.rules) if title.allows(each)],
        usual=usual_seats(title.rules),
        length=sentences.game_words(title.length),
        paces=[*title.paces],
    )


@verb("game.schema", Scope.READ, "GET", "/games/{game}")
def schema(caller: Caller, call: GameName) -> GameSchema:
    """Return JSON Schemas of a game's actions, options and view, its refusals and its questions."""
    return schema_of(caller.referee.library[call.game], caller.language)


@verb("lobby.tables", Scope.READ, "GET", "/tables")
def tables(caller: Caller, call: Search) -> Tables:
    """Search the list of open tables."""
    library = caller.referee.library
    search = TableSearch(
        games=[library[call.game].slug] if call.game else [*library.titles],
        pace=call.pace,
        language=call.language,
        free=call.free,
        page=call.page,
        since=caller.referee.now() - LASTS,
    )
    open_tables, more = caller.site.services.lists.open_tables(search)
    return Tables([_line(table, caller) for table in open_tables], more)


@verb("lobby.mine", Scope.READ, "GET", "/me/tables")
def own_tables(caller: Caller, call: Arguments) -> Tables:
    """List the caller's tables: first those that wait for them."""
    lines = [_line(table, caller) for table in caller.referee.views.tables_of(caller.player.id)]
    return Tables(sorted(lines, key=lambda line: not line.your_turn))


def _line(table: Table, caller: Caller) -> TableLine:
    seated = [chair for chair in table.chairs if chair.player]
    host = next((chair for chair in seated if chair.player == table.host), seated[0] if seated else None)
    return TableLine(
        table=table.id,
        game=table.game,
        status=table.status,
        seats=len(table.chairs),
        free=len(table.free()),
        pace=pace_of(table),
        language=told_language(table.settings.language, table.settings.set_by, table.settings.listed),
        afterwards=table.settings.afterwards,
        host=host.called if host else "",
        players=[chair.called for chair in seated],
        your_turn=is_my_move(table, caller.player.id),
        due=table.due,
        changed=table.times.changed,
    )


@verb("lobby.invitations", Scope.READ, "GET", "/me/invitations")
def invitations(caller: Caller, call: Arguments) -> Invitations:
    """List the caller's invitations by name, without those of people they mute."""
    services, me = caller.site.services, caller.player.id
    muted, titles = services.conversations.muted_by(me), services.referee.library.titles
    return Invitations(
        [
            InvitationView(table.id, table.game, table.invited[me].inviter, table.invited[me].message)
            for table in services.lists.tables_inviting(me)
            if table.game in titles and table.free() and table.invited[me].by not in muted
        ]
    )


@verb("lobby.people", Scope.READ, "GET", "/me/people")
def people(caller: Caller, call: Arguments) -> People:
    """List the people the caller has played with, to invite them by name."""
    met = caller.site.services.results.past_players(caller.player.id)
    return People([PastPlayer(each.name, alias(each.id, caller.player.id)) for each in met])


@verb("table.invitation", Scope.READ, "GET", "/tables/{table}/invitations")
def invitation(caller: Caller, call: AtTable) -> InvitationInfo:
    """Return a player's link to invite others with, and who was invited by name."""
    table = caller.referee.store.table(caller.table(call.table))
    table.must_sit(caller.player.id)
    code = table.invitation.code
    return InvitationInfo(
        table=table.id,
        invitation=code,
        path=f"/g/{table.id}" + (f"?i={code}" if code else ""),
        invited=[PastPlayer(each.name, alias(player, table.id)) for player, each in table.invited.items()],
    )


@verb("lobby.vacation", Scope.PLAY, "POST", "/me/vacation")
def take_vacation(caller: Caller, call: VacationArguments) -> Me:
    """Go on vacation at all tables with a slow clock, or come back from it."""
    referee, player = caller.referee, caller.player.id
    if call.days:
        go_on_vacation(referee, player, call.days, call.vacations_etag)
    else:
        come_back(referee, player, call.vacations_etag)
    done: Any = me.do(caller, Arguments())
    return done  # type: ignore[no-any-return]
