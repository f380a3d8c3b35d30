"""Commands about the games at the site's tables: to list them, to read one, and to see that it holds."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from strifebarge.cli.needs import load_site_settings, must_know_game, open_readonly_referee

if TYPE_CHECKING:
    from strifebarge.tables.library.library import Title
    from strifebarge.tables.model.parts import Fault
    from strifebarge.tables.model.ports import Row
    from strifebarge.tables.model.table import Table
    from strifebarge.tables.play.referee import Referee

STATUSES = ("open", "playing", "suspended", "over")
as_json_option = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")


@click.group("games")
def of_tables() -> None:
    """Look after the games at the site's tables."""


@of_tables.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--game", metavar="GAME", help="Only those of one game, by its short name.")
@click.option(
    "--most", type=click.IntRange(min=1), default=50, show_default=True, help="The maximum number of games."
)
@as_json_option
def list_tables(status: str | None, game: str | None, most: int, as_json: bool) -> None:
    """List games, the latest active first: id, game, status, moves, players.

    Changes nothing.
    """
    with open_readonly_referee(load_site_settings()) as referee:
        must_know_game(referee, game)
        tables = referee.store.latest(status, game, most)
    if as_json:
        click.echo(msgspec.json.encode([summary(table) for table in tables]))
        return
    for table in tables:
        click.echo(_line(table))
    if not tables:
        print_nothing_listed()


@of_tables.command("show")
@click.argument("id")
@as_json_option
def show_table(id: str, as_json: bool) -> None:
    """Show a table: players, settings, times, and an error of the game's code.

    Each player has the public id that `strifebarge people` takes.  Shows nothing that is hidden from a
    player.  Changes nothing.
    """
    from strifebarge.tables.play.ledger import standing_moves

    with open_readonly_referee(load_site_settings()) as referee:
        table = find_by_id(referee, id)
        details = _details(table, standing_moves(referee.store, table))
    if as_json:
        click.echo(msgspec.json.encode(details))
        return
    seats, standing, rest = details.pop("seats"), details.pop("standing"), details
    if standing != rest["moves"]:
        rest["moves"] = f"{standing} stand, numbered up to {rest['moves']}"
    for name, value in rest.items():
        if value != "":
            click.echo(f"{name + ':':15}{_plain(value)}")
    for each in seats:
        states = [word.replace("_", " ") for word in ("bot", "to_move", "left") if each[word]]
        click.echo(f"{'seat ' + str(each['seat']) + ':':15}{', '.join([each['name'], *states, *_ids(each)])}")


@of_tables.command("log")
@click.argument("id")
@as_json_option
def list_moves(id: str, as_json: bool) -> None:
    """List the moves of a game, with their times.

    Lists all moves, including those that other players may not know of yet, and says which were taken back
    and where.  Changes nothing.
    """
    from strifebarge.tables.model.log import effective
    from strifebarge.tables.play.ledger import known_rows

    with open_readonly_referee(load_site_settings()) as referee:
        table = find_by_id(referee, id)
        title = _title(referee, table)
        rows = known_rows(referee.store, table, 0)
        standing = {row.ledger_position for row in effective(rows)}
        moves = [{**_entry(row, table, title), "stands": row.ledger_position in standing} for row in rows]
    if as_json:
        click.echo(msgspec.json.encode(moves))
        return
    for each in moves:
        description = each["note"] if each["seat"] is None else f"{each['name']}: {each['move']}"
        back = "" if each["stands"] else "  (taken back)"
        click.echo(f"{each['number']:>4}  {each['at']}  {description}{back}")


def _entry(row: "Row", table: "Table", title: "Title") -> dict[str, Any]:
    """Return what a row of the ledger tells of: the move of a seat, or that the game was taken back."""
    from strifebarge.rules.notation import write
    from strifebarge.rules.text import tell
    from strifebarge.tables.play.ledger import moves_of

    entry: dict[str, Any] = {"number": row.number, "at": moment(row.at), "seat": row.seat}
    if row.seat is None:
        return {**entry, "name": "", "move": "", "note": tell(row.log[-1], None) if row.log else ""}
    [move] = moves_of([row], title, 0)
    name = row.by or table.chairs[row.seat].called
    return {**entry, "name": name, "move": write(move.action), "note": ""}


@of_tables.command("verify")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@as_json_option
@click.pass_context
def verify_tables(context: click.Context, ids: Sequence[str], as_json: bool) -> None:
    """Play games again from the deal by their own rules, and compare each position.

    Without an ID: all that are running.  Changes nothing.  The exit code is 1 if any comes out differently.
    """
    with open_readonly_referee(load_site_settings()) as referee:
        verified = [_verify(referee, find_by_id(referee, id)) for id in ids or referee.store.running()]
    if as_json:
        click.echo(msgspec.json.encode(verified))
    else:
        for each in verified:
            where = "" if each["move"] is None else f" at move {each['move']}"
            click.echo(f"{each['id']}  {each['game']}: {each['outcome']}{where}")
    if any(each["outcome"] != "same" for each in verified):
        context.exit(1)


def _verify(referee: "Referee", table: "Table") -> dict[str, Any]:
    from strifebarge.rules import Refused
    from strifebarge.tables.play.retracing import find_divergence

    result: dict[str, Any] = {"id": table.id, "game": table.game}
    try:
        parting = find_divergence(referee.store, table, referee.library.of(table))
    except Refused:
        return {**result, "outcome": "not installed", "move": None}
    return {**result, "outcome": str(parting.outcome), "move": parting.number}


@of_tables.command("faults")
def list_faults() -> None:
    """List the tables at which a game's code has failed, with details for its author."""
    with open_readonly_referee(load_site_settings()) as referee:
        lines = [_fault_details(table, table.fault) for table in referee.store.faulty() if table.fault]
    for each in lines:
        click.echo(each + "\n")
    if not lines:
        print_nothing_listed()


def _fault_details(table: "Table", fault: "Fault") -> str:
    when = datetime.fromtimestamp(fault.at, UTC).isoformat(" ", "seconds")
    where = f"{table.id}  {table.game}, {table.status}, {when}, at move {fault.number}"
    return "\n".join(
        [f"{where}, {fault.what}: {fault.error}", *(f"    {each}" for each in fault.trace.splitlines())]
    )


# -- what is told of a table ---------------------------------------------------------------


def find_by_id(referee: "Referee", id: str) -> "Table":
    """Return a table by its id, however it is typed.  Raises ClickException."""
    from strifebarge.rules import Refused
    from strifebarge.tables.model.names import tidy_code

    try:
        return referee.store.table(tidy_code(id))
    except Refused:
        raise click.ClickException(f"There is no game “{id}”.") from None


def _title(referee: "Referee", table: "Table") -> Any:
    """Return the rules of a table's game.  Raises ClickException."""
    from strifebarge.rules import Refused

    try:
        return referee.library.of(table)
    except Refused:
        raise click.ClickException(f"{table.id}: the game “{table.game}” is not installed.") from None


def _line(table: "Table") -> str:
    names = ", ".join(chair.called if chair.players else "(free)" for chair in table.chairs)
    moves = f"{table.position.number} move{'' if table.position.number == 1 else 's'}"
    return f"{table.id}  {moment(table.times.changed)}  {table.game}, {table.status}, {moves}: {names}"


def summary(table: "Table") -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.game,
        "status": str(table.status),
        "moves": table.position.number,
        "changed": moment(table.times.changed),
        "players": [chair.called if chair.players else None for chair in table.chairs],
    }


def _details(table: "Table", standing: int) -> dict[str, Any]:
    """Return what a table's host may know of it as well; nothing of a position, seed or link.

    `moves` is the number of the last move, as everywhere; `standing` is how many were neither undone nor
    taken back.
    """
    fault = table.fault
    return {
        "id": table.id,
        "game": table.game,
        "rules": table.rules_version,
        "status": str(table.status),
        "trouble": table.trouble,
        "moves": table.position.number,
        "standing": standing,
        "created": moment(table.times.created),
        "started": moment(table.times.started),
        "changed": moment(table.times.changed),
        "ended": moment(table.times.ended),
        "pace": table.clock.pace.key if table.clock else "",
        "afterwards": str(table.settings.afterwards),
        "listed": table.settings.listed,
        "options": table.settings.options,
        "record": f"/r/{table.ending.record}" if table.ending.record else "",
        "fault": f"{fault.what}, at move {fault.number}: {fault.error}" if fault else "",
        "seats": [
            {
                "seat": chair.seat,
                "name": chair.called if chair.players else "(free)",
                "bot": bool(chair.bot),
                "to_move": chair.seat in table.position.waiting,
                "left": bool(chair.left),
                "people": [{"id": id, "name": name} for id, name in chair.public_ids],
            }
            for chair in table.chairs
        ],
    }


def _ids(seat: dict[str, Any]) -> list[str]:
    """Return the public ids of the players of a seat; co-players have their name before it."""
    return [
        f"id {each['id']}" if each["name"] == seat["name"] else f"with {each['name']}, id {each['id']}"
        for each in seat["people"]
    ]


def print_nothing_listed() -> None:
    """Say that there is nothing to list; not among what is listed, which programs may read."""
    click.echo("There are none.", err=True)


def moment(at: float | None) -> str:
    """Return a time as in 2026-03-01 14:05:00, UTC; "" for none."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S") if at else ""


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
