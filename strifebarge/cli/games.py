"""Commands about games: to write one, to see that it holds, and to take those in that were played."""

import shlex
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
import msgspec

from strifebarge.cli.needs import (
    UnusableSetting,
    an_untouched_referee,
    cannot_write,
    load_settings,
    load_site_settings,
    must_know_game,
    no_such_game,
    open_readonly_services,
    open_referee,
    open_services,
    output,
    try_games,
)
from strifebarge.lib.encoding import is_utf16, utf8

if TYPE_CHECKING:
    from strifebarge.services import Services


@click.command("library")
@click.pass_context
def list_library(context: click.Context) -> None:
    """List the games of the site: short name, version, hash of the code, and folder.

    Games that cannot be loaded are left out of the site, and listed with the reason; the exit code is then 1.
    """
    from strifebarge.tables.library.library import Library

    library = Library(load_settings().games, lambda fault: None)
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
    from strifebarge.tables.library.library import Library

    library = Library(load_settings().games, lambda fault: None)
    try:
        home = new_game(name, folder, {*library.titles, *library.left_out})
    except WrongName as error:
        raise UnusableSetting(str(error)) from None
    except OSError as error:
        raise cannot_write(error.filename or folder, error) from None
    click.echo(f"{home} is a working game.  {_how_to_serve(folder)}")


def _how_to_serve(folder: Path) -> str:
    """Say which command has the games of a folder on the site."""
    from strifebarge.lib.shipped import games

    folders: list[str | Path] = [*games.__path__, *load_settings().games]
    if folder.resolve() in [Path(home).resolve() for home in folders]:
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
    from strifebarge.tables.library.library import Library, NotAGame

    broken: list[NotAGame] = []
    library = Library(load_settings().games, broken.append)
    for fault in broken:  # of a neighbour, which is left out; or of the game itself, which then is not there
        click.echo(str(fault), err=True)
    try:
        title = library[game]
    except Refused:
        raise no_such_game(game, library) from None
    others = [other.rules for other in library if other is not title]
    seconds = 60 if seconds is None and games is None else seconds
    if hunt_and_tell(title.rules, others, seed, seconds, games, out, click.echo):
        context.exit(1)


@click.command()
@click.argument("file", type=click.File("rb"))
def replay(file: BinaryIO) -> None:
    """Replay a recorded game move by move, and check that it ends as recorded.

    Says what the record does not prove.  The exit code is 1 if it does not hold.
    """
    from strifebarge.results.proof import not_proved
    from strifebarge.results.record import WrongRecord, read_record
    from strifebarge.results.replaying import replay as play_again
    from strifebarge.tables.library.library import Library

    try:
        record = read_record(file.read())
        library = Library(load_settings().games, lambda fault: click.echo(str(fault), err=True))
        match = play_again(record, library).match
    except WrongRecord as wrong:
        raise click.ClickException(str(wrong.text)) from None
    click.echo(f"{record.game}: {len(record.moves)} moves, the same to the last: {match.fingerprint()}")
    for each in not_proved(record, match.rules):
        click.echo(str(each))


@click.command()
@click.argument("game", required=False)
@click.option("--adopt", is_flag=True, help="Move games that come out the same to the newest rules.")
@click.pass_context
def check(context: click.Context, game: str | None, adopt: bool) -> None:
    """Replay all running games by the rules installed here, before these go live.

    Changes nothing without --adopt.  The exit code is 1 if any game comes out differently.
    """
    from strifebarge.results import checking

    settings = load_site_settings()
    try_games(settings)
    checkeds: list[checking.CheckedTable] = []
    with open_referee(settings) if adopt else an_untouched_referee(settings) as referee:
        must_know_game(referee, game)
        missing = checking.unknown(referee)
        for table in missing:
            click.echo(f"{table.id}  {table.game}: this game is not here")
        for checked in checking.check(referee, game):
            checkeds.append(checked)
            click.echo(checking.describe(checked))
            if adopt and checking.adopt(referee, checked.table.id):
                click.echo(f"{checked.table.id}  goes on by rules {checked.now}")
    click.echo(checking.summary(checkeds))
    if missing or not all(each.parting.same for each in checkeds):
        context.exit(1)


@click.command("export")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True), default="-")
@click.option("--game", metavar="GAME", help="Only those of one game, by its short name.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["records", "pgn"]),
    default="records",
    show_default=True,
    help="A record in JSON on each line; or PGN, where a game has it.",
)
@click.pass_context
def export_games(context: click.Context, file: str, game: str | None, kind: str) -> None:
    """Write all finished games as a stream, the earliest first; `strifebarge import` reads records.

    FILE is created, for you alone to read; without it they are printed.  Changes nothing.  The exit code is 1
    if a game could not be written.
    """
    failed = 0
    settings = load_site_settings()
    with open_readonly_services(settings) as services:
        must_know_game(services.referee, game)
        with output(file) as write:
            if kind == "records":
                for record in services.results.all_records(game):
                    write(msgspec.json.encode(record) + b"\n")
            else:
                for id in services.referee.store.ended(game):
                    failed += not _write_pgn(services, settings.public_url, id, write)
    if failed:
        context.exit(1)


def _write_pgn(services: "Services", home: str | None, id: str, write: Callable[[bytes], object]) -> bool:
    """Write a game as PGN, if it is one that has that; return False, and say so, where it cannot be read."""
    from strifebarge.rules import Refused
    from strifebarge.tables.library.budget import GameFault

    try:
        view = services.referee.views.show(None, id)
        site = f"{home.rstrip('/')}/r/{view.ending.record}" if home and view.ending.record else ""
        pgn = services.files(view, site).get("pgn", "")
    except (Refused, GameFault) as error:
        why = error.text if isinstance(error, Refused) else error.fault.error
        click.echo(f"{id}  left out: {why}", err=True)
        return False
    if pgn:
        write(pgn.strip().encode() + b"\n\n")
    return True


@click.command("import")
@click.argument("file", type=click.File("rb"))
@click.pass_context
def bring_game(context: click.Context, file: BinaryIO) -> None:
    """Read games that were played elsewhere, and keep them here: a record, or a stream of them.

    What `strifebarge export` has written is such a stream: a record on each line.  A game that is here
    already is not kept twice, and one that fails its check is left out; the exit code is then 1, as for an
    empty file.
    """
    from strifebarge.results.record import WrongRecord

    wrong = 0
    with open_services(load_site_settings()) as services:
        keep = _importer(services)
        for line, data in _records_in(file):
            try:
                click.echo(f"The game is at /r/{keep(data)}")
            except WrongRecord as no:
                if line is None:
                    raise click.ClickException(str(no.text)) from None
                click.echo(f"Line {line}: {no.text}", err=True)
                wrong += 1
    if wrong:
        context.exit(1)


def _importer(services: "Services") -> Callable[[bytes], str]:
    """Return what keeps a record and returns the address of its game; the same one again is kept once."""
    from strifebarge.tables.play.turn import FormToken

    someone = services.accounts.newcomer()

    def keep(data: bytes) -> str:
        form = FormToken(sha256(b"import " + data.strip()).hexdigest())
        earlier = services.referee.receipt(form.key)
        if earlier is not None:
            return services.referee.store.table(earlier.table).ending.record
        return services.results.bring(someone, data, form).ending.record

    return keep


def _records_in(file: BinaryIO) -> Iterator[tuple[int | None, bytes]]:
    """Yield the records of a file: one alone, without a number, or each line of a stream with its number.

    Raises ClickException for an empty file.
    """
    from strifebarge.results.record import LARGEST

    longest = LARGEST + 2  # what is longer is refused as too large
    first = file.readline(longest)
    if is_utf16(first):
        file = _recoded(first + file.read())
        first = file.readline(longest)
    first, second = utf8(first), file.readline(longest)
    if not second or not _is_json(first):
        alone = first + second + file.read(longest)
        if not alone.strip():
            raise click.ClickException("The file is empty: there is no game in it.")
        yield None, alone
        return
    yield 1, first
    number, line = 2, second
    while line:
        if line.strip():
            yield number, line
        while line and not line.endswith(b"\n"):  # the rest of a line that is too long
            line = file.readline(longest)
        number, line = number + 1, file.readline(longest)


def _recoded(data: bytes) -> BinaryIO:
    """Return a file that is in UTF-16 as one in UTF-8.  Raises ClickException."""
    try:
        return BytesIO(utf8(data))
    except UnicodeDecodeError:
        raise click.ClickException("The file is neither UTF-8 nor UTF-16.") from None


def _is_json(line: bytes) -> bool:
    """Return whether a line is JSON by itself, and not the beginning of a text over many lines."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
