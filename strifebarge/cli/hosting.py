"""Commands by which a host of the site acts at a table, and the log of what was done."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click
import msgspec

from strifebarge.cli.needs import load_site_settings, open_readonly_referee, open_referee, open_services
from strifebarge.cli.tables import (
    as_json_option,
    find_by_id,
    moment,
    of_tables,
    print_nothing_listed,
    summary,
)
from strifebarge.people.hosts import LINK_LASTS, address_of, operator_name

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee

dry_run_option = click.option("--dry-run", is_flag=True, help="Only try it: nothing is changed.")


@of_tables.command("suspend")
@click.argument("id")
@dry_run_option
@as_json_option
def suspend_game(id: str, dry_run: bool, as_json: bool) -> None:
    """Suspend a running game: clocks stop, and no one can move.

    Only `strifebarge games resume`, or the host's page, resumes it.
    """
    from strifebarge.tables.acts import hosting

    _act(id, hosting.suspend_by_host, "suspended", dry_run, as_json)


@of_tables.command("resume")
@click.argument("id")
@dry_run_option
@as_json_option
def resume_game(id: str, dry_run: bool, as_json: bool) -> None:
    """Resume a suspended game; if its code has failed, from before the last move."""
    from strifebarge.tables.acts import hosting

    _act(id, hosting.resume_by_host, "resumed", dry_run, as_json)


@of_tables.command("rewind")
@click.argument("id")
@click.argument("move", type=click.IntRange(min=0))
@dry_run_option
@as_json_option
def rewind_game(id: str, move: int, dry_run: bool, as_json: bool) -> None:
    """Take a game back to where it stood after MOVE, and let it go on; 0 is the deal.

    Moves that are taken back stay in its record.  `strifebarge games log ID` lists moves with their numbers.
    """
    from strifebarge.tables.acts import hosting

    _act(id, hosting.rewind_by_host, f"taken back to move {move}", dry_run, as_json, move)


@of_tables.command("end")
@click.argument("id")
@dry_run_option
@as_json_option
def end_game(id: str, dry_run: bool, as_json: bool) -> None:
    """End a running game without a result.  This cannot be undone."""
    from strifebarge.tables.acts import hosting

    _act(id, hosting.end_by_host, "ended without a result", dry_run, as_json)


@of_tables.command("delete")
@click.argument("id")
@dry_run_option
@as_json_option
def delete_game(id: str, dry_run: bool, as_json: bool) -> None:
    """Delete a game with all that is kept of it: its moves, chat and record.  This cannot be undone.

    If it was rated, the ratings of its players are rebuilt without it.
    """
    from strifebarge.tables.acts import hosting

    _act(id, hosting.delete_by_host, "deleted", dry_run, as_json)


@of_tables.command("purge")
@click.option(
    "--open",
    "open_days",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="Days for which no one has joined an open game.",
)
@click.option(
    "--over",
    "over_days",
    type=click.IntRange(min=1),
    help="Days for which nothing has happened in a finished game.  [default: these stay]",
)
@dry_run_option
@as_json_option
def purge_games(open_days: int, over_days: int | None, dry_run: bool, as_json: bool) -> None:
    """Delete open games that no one has joined and, on request, finished games.

    Rated games stay, since ratings follow from them; so do rematches that are open.  This cannot be undone.
    """
    with open_referee(load_site_settings(), upgrading=not dry_run) as referee:
        days = {"open": open_days} | ({"over": over_days} if over_days else {})
        deleted = [each for status, many in days.items() for each in _purge(referee, status, many, dry_run)]
    if as_json:
        click.echo(msgspec.json.encode({"dry_run": dry_run, "deleted": deleted}))
        return
    for each in deleted:
        click.echo(f"{each['id']}  {each['game']}, {each['status']}: {'would be ' if dry_run else ''}deleted")
    if not deleted:
        print_nothing_listed()


def _purge(referee: "Referee", status: str, days: int, dry_run: bool) -> list[dict[str, Any]]:
    """Delete the games of a status at which nothing has happened for some days, each by itself."""
    from strifebarge.rules import Refused
    from strifebarge.rules.pace import DAY
    from strifebarge.tables.acts import hosting

    before = referee.now() - days * DAY
    find = referee.store.open_since if status == "open" else referee.store.over_since
    run = referee.rehearse if dry_run else referee.change
    deleted = []
    for id in find(before):
        with suppress(Refused):  # somebody else has deleted it
            table = referee.store.table(id)
            if run(id, hosting.purge_by_host, operator_name(), before):
                deleted.append(summary(table))
    return deleted


@click.command("audit")
@click.option(
    "--most", type=click.IntRange(min=1), default=50, show_default=True, help="The maximum number of entries."
)
@as_json_option
def list_audit_log(most: int, as_json: bool) -> None:
    """List what hosts of the site have done by these commands, the newest first."""
    with open_readonly_referee(load_site_settings()) as referee:
        entries = referee.store.audit_log(most)
    if as_json:
        click.echo(msgspec.json.encode(entries))
        return
    for each in entries:
        details = "".join(f", {name} {value}" for name, value in each.details.items())
        click.echo(f"{moment(each.at)}  {each.by}: {each.act} {each.subject}{details}")
    if not entries:
        print_nothing_listed()


@click.command("host-link")
@as_json_option
def make_host_link(as_json: bool) -> None:
    """Make a link to the host's page, which makes one browser yours for twelve hours.

    It works once, within ten minutes.  Give it to no one: anyone who opens it can do what these commands do.
    """
    from strifebarge.lib.addresses import is_wildcard, url_of

    settings = load_site_settings()
    host = "localhost" if is_wildcard(settings.host) else settings.host
    if host.startswith("unix:") and not settings.public_url:
        raise click.ClickException("The site listens at a socket: set STRIFEBARGE_PUBLIC_URL to its address.")
    home = settings.public_url or url_of(host, settings.port)
    with open_services(settings) as services:
        link = address_of(home, services.hosts.make_link(operator_name()))
    click.echo(msgspec.json.encode({"link": link, "seconds": LINK_LASTS}) if as_json else link)


def _act(id: str, act: Callable[..., None], done: str, dry_run: bool, as_json: bool, *arguments: Any) -> None:
    """Do something at a table, or only try it, and say what was done.  Raises ClickException."""
    from strifebarge.rules import Refused

    with open_referee(load_site_settings(), upgrading=not dry_run) as referee:
        table = find_by_id(referee, id)
        run = referee.rehearse if dry_run else referee.change
        or_a_sentence(lambda: run(table.id, act, operator_name(), *arguments))
        with suppress(Refused):  # it is deleted now
            table = referee.store.table(table.id)
    if as_json:
        click.echo(msgspec.json.encode({"dry_run": dry_run, **summary(table)}))
    else:
        click.echo(f"{table.id}  {'would be ' if dry_run else ''}{done}")


def or_a_sentence(act: Callable[[], object]) -> None:
    """Run an act; turn what it raises into a sentence for the host."""
    from strifebarge.rules import Refused
    from strifebarge.rules.replay import Diverged
    from strifebarge.tables.library.budget import GameFault

    try:
        act()
    except Refused as no:
        raise click.ClickException(str(no.text)) from None
    except Diverged:
        sentence = "Its rules are other ones now: install the old ones, or rewind or end the game."
        raise click.ClickException(sentence) from None
    except GameFault as fault:
        raise click.ClickException(f"The game's code fails: {fault.fault.error}") from None
