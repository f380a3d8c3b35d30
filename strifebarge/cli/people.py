"""Commands about people: to find them, to ban, revoke and erase, and to export their data."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec

from strifebarge.cli.hosting import dry_run_option, or_a_sentence
from strifebarge.cli.needs import load_site_settings, open_readonly_services, open_services, output
from strifebarge.cli.tables import as_json_option, moment, print_nothing_listed
from strifebarge.people.hosts import operator_name

if TYPE_CHECKING:
    from strifebarge.people.models import FoundPerson
    from strifebarge.services import Services
    from strifebarge.tables.model.player import Ban, Player

Act = Callable[["Services", "Player"], None]

person_argument = click.argument("person", metavar="PERSON")


@click.group("people")
def of_people() -> None:
    """Look after people.

    PERSON is a public id, as `strifebarge people find` lists it, or a username.
    """


@of_people.command("find")
@click.argument("text")
@click.option(
    "--most", type=click.IntRange(min=1), default=50, show_default=True, help="The maximum number of people."
)
@as_json_option
def find_people(text: str, most: int, as_json: bool) -> None:
    """Find people by a part of their name or username, or by their public id.

    Changes nothing.
    """
    with open_readonly_services(load_site_settings()) as services:
        results, now = services.people.find(text, most), services.accounts.now()
    if as_json:
        click.echo(msgspec.json.encode([_details(each, now) for each in results]))
        return
    for each in results:
        click.echo(_line(each, now))
    if not results:
        print_nothing_listed()


@of_people.command("ban")
@person_argument
@click.option("--reason", required=True, help="Why, which the person is told.")
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"]),
    help="When it ends, UTC.  [default: when it is lifted]",
)
@dry_run_option
@as_json_option
def ban_person(person: str, reason: str, until: datetime | None, dry_run: bool, as_json: bool) -> None:
    """Ban a person: from their next request on they cannot sign in, join, move or write.

    Their seats follow the rules about absent players.  Pages tell them the reason.
    """
    at = until.replace(tzinfo=UTC).timestamp() if until else None
    _act(
        person,
        lambda services, player: services.people.ban(player, operator_name(), reason, at, dry_run),
        "banned",
        dry_run,
        as_json,
    )


@of_people.command("unban")
@person_argument
@dry_run_option
@as_json_option
def unban_person(person: str, dry_run: bool, as_json: bool) -> None:
    """Let a banned person in again; browsers that were signed in still are."""
    _act(
        person,
        lambda services, player: services.people.unban(player, operator_name(), dry_run),
        "let in again",
        dry_run,
        as_json,
    )


@of_people.command("revoke")
@person_argument
@dry_run_option
@as_json_option
def revoke_access(person: str, dry_run: bool, as_json: bool) -> None:
    """Sign out all devices of a person, and end their codes, links, links to seats, feeds and tokens.

    Password and passkeys stay.  A guest cannot come back by themselves.
    """
    _act(
        person,
        lambda services, player: services.people.revoke(player, operator_name(), dry_run),
        "signed out everywhere",
        dry_run,
        as_json,
    )


@of_people.command("erase")
@person_argument
@dry_run_option
@as_json_option
def erase_person(person: str, dry_run: bool, as_json: bool) -> None:
    """Delete all data of a person, as they can themselves.  This cannot be undone.

    Their running games count as left; games of others stay whole.
    """
    _act(
        person,
        lambda services, player: services.people.erase(player, operator_name(), dry_run),
        "erased",
        dry_run,
        as_json,
    )


@of_people.command("export")
@person_argument
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True), default="-")
def export_person(person: str, file: str) -> None:
    """Write all that is kept of a person as JSON, as they can themselves under “My data”.

    FILE is created, for you alone to read; without it the data is printed.
    """
    settings = load_site_settings()
    with open_services(settings, upgrading=False) as services:
        from strifebarge.api.words import Sentences
        from strifebarge.web.words.languages import Languages

        player = _person(services, person)
        languages = Languages(services.referee.library, settings.language)
        language = languages.by_code.get(player.preferences.get("lang", ""), languages.usual)
        data = services.people.data_of(
            player,
            operator_name(),
            lambda text, view: Sentences(language, view, view.title).render_text(text),
        )
    with output(file) as write:
        write(msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n")


def _act(person: str, act: Act, done: str, dry_run: bool, as_json: bool) -> None:
    """Do something about a person, or only try it, and say what was done.  Raises ClickException."""
    with open_services(load_site_settings(), upgrading=not dry_run) as services:
        player = _person(services, person)
        or_a_sentence(lambda: act(services, player))
        player = services.accounts.player(player.id) or player
        now = services.accounts.now()
    if as_json:
        ban = _ban(player.ban, now)
        click.echo(
            msgspec.json.encode({"dry_run": dry_run, "id": player.public, "name": player.name, "ban": ban})
        )
    else:
        click.echo(f"{player.public}  {'would be ' if dry_run else ''}{done}")


def _person(services: "Services", person: str) -> "Player":
    """Return a person by their public id or username.  Raises ClickException."""
    from strifebarge.rules import Refused

    try:
        return services.people.person(person)
    except Refused:
        raise click.ClickException(
            f"There is nobody with the public id or username “{person}”.  "
            "`strifebarge people find` lists people by their names."
        ) from None


def _line(person: "FoundPerson", now: float) -> str:
    lines = [person.player.name or "a guest"]
    lines += [f"username {person.login}"] if person.login else []
    lines += [f"{person.tables} game{'' if person.tables == 1 else 's'}"]
    lines += [f"last here {moment(person.last_seen)[:10]}"] if person.last_seen else []
    if ban := _ban(person.player.ban, now):
        lines += [f"banned{' until ' + ban['until'] if ban['until'] else ''}: {ban['reason']}"]
    return f"{person.player.public}  {', '.join(lines)}"


def _details(person: "FoundPerson", now: float) -> dict[str, Any]:
    """Return what tells a person from others; never the id that stands for them."""
    return {
        "id": person.player.public,
        "name": person.player.name,
        "login": person.login,
        "since": moment(person.player.created),
        "last_seen": moment(person.last_seen)[:10],
        "games": person.tables,
        "ban": _ban(person.player.ban, now),
    }


def _ban(ban: "Ban | None", now: float) -> dict[str, str] | None:
    if ban is None or not ban.is_active(now):
        return None
    return {"reason": ban.reason, "since": moment(ban.since), "until": moment(ban.until)}
