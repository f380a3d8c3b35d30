"""Commands about games: to write one, to see that it holds, and to take those in that were played."""

from pathlib import Path
from typing import BinaryIO

import click

from .needs import Unusable, an_untouched_referee, the_referee, the_settings, try_games


@click.command("new-game")
@click.argument("name")
@click.option(
    "--in",
    "folder",
    default="games",
    show_default=True,
    help="The folder to write it into.",
    type=click.Path(file_okay=False, path_type=Path),
)
def write_new_game(name: str, folder: Path) -> None:
    """Write a small game that works, to make your own of."""
    from strifebarge.starter import WrongName, new_game

    try:
        home = new_game(name, folder)
    except WrongName as error:
        raise Unusable(str(error)) from None
    click.echo(f"{home} is a game. `make run` has it on the site; other folders of games: STRIFEBARGE_GAMES.")


@click.command()
@click.argument("game")
@click.option("--seconds", type=click.FloatRange(min=0), help="How long to play.  [default: 60]")
@click.option("--games", type=click.IntRange(min=1), help="How many games to play at most.")
@click.option("--seed", default="fuzz", show_default=True, help="The same seed plays the same games.")
@click.option(
    "--out",
    default="findings",
    show_default=True,
    help="The folder for the records of what is found.",
    type=click.Path(file_okay=False, path_type=Path),
)
@click.pass_context
def fuzz(
    context: click.Context, game: str, seconds: float | None, games: int | None, seed: str, out: Path
) -> None:
    """Play a game so that its rules might break, and write down what does.

    Exit code 1 where something was found.
    """
    from strifebarge.fuzz.telling import hunt_and_tell
    from strifebarge.rules import Refused
    from strifebarge.table.library import Library

    library = Library(the_settings().games)
    try:
        title = library[game]
    except Refused:
        raise Unusable(f"There is no game “{game}” here; there are {', '.join(library.titles)}.") from None
    others = [other.rules for other in library if other is not title]
    seconds = 60 if seconds is None and games is None else seconds
    if hunt_and_tell(title.rules, others, seed, seconds, games, out, click.echo):
        context.exit(1)


@click.command()
@click.argument("file", type=click.File("rb"))
def replay(file: BinaryIO) -> None:
    """Play a recorded game again, move by move, and see that it comes out as it says."""
    from strifebarge.table.library import Library
    from strifebarge.table.record import WrongRecord, read_record
    from strifebarge.table.record import replay as play_again

    try:
        record = read_record(file.read())
        match = play_again(record, Library(the_settings().games)).match
    except WrongRecord as wrong:
        raise click.ClickException(str(wrong.text)) from None
    click.echo(f"{record.game}: {len(record.moves)} moves, the same to the last: {match.fingerprint()}")


@click.command()
@click.argument("game", required=False)
@click.option("--adopt", is_flag=True, help="Let games that come out the same go on by the newest rules.")
@click.pass_context
def check(context: click.Context, game: str | None, adopt: bool) -> None:
    """Play all running games again by the rules that are here, before these go live.

    Nothing is changed, unless with --adopt.  Exit code 1 where a game comes out otherwise.
    """
    from strifebarge.table import checking

    settings = the_settings()
    try_games(settings)
    found: list[checking.Checked] = []
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
    if missing or any(each.parting.outcome is not checking.Outcome.SAME for each in found):
        context.exit(1)


@click.command("import")
@click.argument("file", type=click.File("rb"))
def bring_game(file: BinaryIO) -> None:
    """Keep a game that was played elsewhere, from its record, to be looked at here."""
    from secrets import token_hex

    from strifebarge.table.record import WrongRecord, bring
    from strifebarge.table.referee import Slip

    with the_referee(the_settings()) as referee:
        try:
            table = bring(referee, referee.newcomer(), file.read(), Slip(token_hex(16)))
        except WrongRecord as wrong:
            raise click.ClickException(str(wrong.text)) from None
    click.echo(f"The game is at /r/{table.record}")
