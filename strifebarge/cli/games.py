"""Commands about games: to write one, to see that it holds, and to take those in that were played."""

import shlex
from pathlib import Path
from typing import BinaryIO

import click

from .needs import Unusable, an_untouched_referee, the_referee, the_services, the_settings, try_games


@click.command("library")
@click.pass_context
def list_library(context: click.Context) -> None:
    """List the games of the site: short name, version, hash of the code, and folder.

    Games that cannot be loaded are left out of the site, and listed with the reason; the exit code is then 1.
    """
    from strifebarge.table.library import Library

    library = Library(the_settings().games, lambda fault: None)
    for title in library:
        for each in (title, *title.editions.values()):
            click.echo(f"{each.slug}  version {each.version}  {each.sources}  {each.folder}")
    for name, why in library.left_out.items():
        click.echo(f"{name}  left out: {why}", err=True)
    if library.left_out:
        context.exit(1)


@click.command("new-game")
@click.argument("name")
@click.option(
    "--in",
    "folder",
    default="games",
    show_default=True,
    help="The folder for the new game.",
    type=click.Path(file_okay=False, path_type=Path),
)
def write_new_game(name: str, folder: Path) -> None:
    """Write a small working game as a start for your own."""
    from strifebarge.starter import WrongName, new_game

    try:
        home = new_game(name, folder)
    except WrongName as error:
        raise Unusable(str(error)) from None
    click.echo(f"{home} is a working game.  {_how_to_serve(folder)}")


def _how_to_serve(folder: Path) -> str:
    """Say which command has the games of a folder on the site."""
    import games

    found: list[str | Path] = [*games.__path__, *the_settings().games]
    if folder.resolve() in [Path(home).resolve() for home in found]:
        return "`make run` or `strifebarge serve` serves it."
    return f"To serve it: STRIFEBARGE_GAMES={shlex.quote(str(folder))} strifebarge serve"


@click.command()
@click.argument("game")
@click.option("--seconds", type=click.FloatRange(min=0), help="For how many seconds to play.  [default: 60]")
@click.option("--games", type=click.IntRange(min=1), help="The maximum number of games.")
@click.option("--seed", default="fuzz", show_default=True, help="The same seed plays the same games.")
@click.option(
    "--out",
    default="findings",
    show_default=True,
    help="The folder for records of games in which a bug was found.",
    type=click.Path(file_okay=False, path_type=Path),
)
@click.pass_context
def fuzz(
    context: click.Context, game: str, seconds: float | None, games: int | None, seed: str, out: Path
) -> None:
    """Look for bugs in a game's rules by playing it at random.

    The exit code is 1 if any were found.
    """
    from strifebarge.fuzz.telling import hunt_and_tell
    from strifebarge.rules import Refused
    from strifebarge.table.library import Library, NotAGame

    broken: list[NotAGame] = []
    library = Library(the_settings().games, broken.append)
    for fault in broken:  # of a neighbour, which is left out; or of the game itself, which then is not there
        click.echo(str(fault), err=True)
    try:
        title = library[game]
    except Refused:
        raise Unusable(f"There is no game “{game}”; the games are {', '.join(library.titles)}.") from None
    others = [other.rules for other in library if other is not title]
    seconds = 60 if seconds is None and games is None else seconds
    if hunt_and_tell(title.rules, others, seed, seconds, games, out, click.echo):
        context.exit(1)


@click.command()
@click.argument("file", type=click.File("rb"))
def replay(file: BinaryIO) -> None:
    """Replay a recorded game move by move, and check that it ends as recorded."""
    from strifebarge.results.record import WrongRecord, read_record
    from strifebarge.results.replaying import replay as play_again
    from strifebarge.table.library import Library

    try:
        record = read_record(file.read())
        library = Library(the_settings().games, lambda fault: click.echo(str(fault), err=True))
        match = play_again(record, library).match
    except WrongRecord as wrong:
        raise click.ClickException(str(wrong.text)) from None
    click.echo(f"{record.game}: {len(record.moves)} moves, the same to the last: {match.fingerprint()}")


@click.command()
@click.argument("game", required=False)
@click.option("--adopt", is_flag=True, help="Move games that come out the same to the newest rules.")
@click.pass_context
def check(context: click.Context, game: str | None, adopt: bool) -> None:
    """Replay all running games by the rules installed here, before these go live.

    Changes nothing without --adopt.  The exit code is 1 if any game comes out differently.
    """
    from strifebarge.results import checking

    settings = the_settings()
    try_games(settings)
    found: list[checking.CheckedTable] = []
    with the_referee(settings) if adopt else an_untouched_referee(settings) as referee:
        missing = checking.unknown(referee)
        for table in missing:
            click.echo(f"{table.id}  {table.game}: this game is not here")
        for checked in checking.check(referee, game):
            found.append(checked)
            click.echo(checking.told(checked))
            if adopt and checking.adopt(referee, checked.table.id):
                click.echo(f"{checked.table.id}  goes on by rules {checked.now}")
    click.echo(checking.summary(found))
    if missing or not all(each.parting.same for each in found):
        context.exit(1)


@click.command("import")
@click.argument("file", type=click.File("rb"))
def bring_game(file: BinaryIO) -> None:
    """Read a game that was played elsewhere from its record, and keep it here."""
    from secrets import token_hex

    from strifebarge.results.record import WrongRecord
    from strifebarge.table.turn import FormToken

    with the_services(the_settings()) as services:
        try:
            someone = services.accounts.newcomer()
            table = services.results.bring(someone, file.read(), FormToken(token_hex(16)))
        except WrongRecord as wrong:
            raise click.ClickException(str(wrong.text)) from None
    click.echo(f"The game is at /r/{table.ending.record}")
