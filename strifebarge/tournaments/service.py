"""Do what people want with tournaments, and let these go on by themselves."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Concatenate, ParamSpec

from msgspec import Struct

from strifebarge.lib.lookalikes import alike, is_reserved
from strifebarge.rules import Refused
from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.acts.bots import must_be_level
from strifebarge.tables.acts.forms import named
from strifebarge.tables.acts.opening import open_for_tournament
from strifebarge.tables.clock.absence import UNJOINED_AFTER
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import SettingsChange, checked_options, clock_for, options_from
from strifebarge.tables.model.bots import EACH, bot_id, bot_name
from strifebarge.tables.model.names import code_of, tidy_characters, tidy_words
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Busy, Receipt
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.model.status import ResultUse
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken, Turn
from strifebarge.tournaments.models import (
    MOST_ENTRANTS,
    MOST_ROUNDS,
    Entrant,
    Format,
    Tournament,
    TournamentGame,
    TournamentSettings,
    TournamentStage,
)
from strifebarge.tournaments.pairing import draw_numbers, next_games
from strifebarge.tournaments.ports import TournamentChange, TournamentRepository
from strifebarge.tournaments.reasons import TournamentRefusal
from strifebarge.tournaments.swiss import swiss_pairs

P = ParamSpec("P")
LONGEST_NAME = 60
MOST_LISTED = 100
ATTEMPTS = 5  # to pair a round while others change the tournament


class NewTournament(Struct, kw_only=True):
    """A tournament as a form would have it."""

    name: str
    format: Format
    settings: SettingsChange  # of its tables; `seats`: at one of several
    rounds: int = 0  # 0: as many as usual
    listed: bool = False


class Tournaments:
    """Tournaments of a site.  Every method may raise Busy."""

    def __init__(self, repository: TournamentRepository, referee: Referee):
        self.repository = repository
        self.referee = referee

    def tournament(self, id: str) -> Tournament:
        """Return a tournament, however its code was typed.  Raises Refused(NO_TOURNAMENT)."""
        return self.repository.tournament(tidy_characters(id))

    def listed(self) -> list[Tournament]:
        """Return the listed tournaments of games that are here, those changed last first."""
        titles = self.referee.library.titles
        return [each for each in self.repository.listed(MOST_LISTED) if each.game in titles]

    def of_player(self, player: str) -> list[Tournament]:
        """Return the tournaments that somebody plays in or organises, those changed last first."""
        return self.repository.of_player(player)

    def accepted(self, key: str) -> bool:
        """Return whether a form of this key was accepted at a tournament."""
        return self.repository.accepted(key)

    # -- forms -----------------------------------------------------------------------

    def open(self, organiser: Player, game: str, form: FormToken, new: NewTournament) -> str:
        """Open a tournament that people may join, and return its id.

        Raises Refused: NO_GAME, FOR_ONE, WRONG_NAME, WRONG_FORMAT, WRONG_ROUNDS, NO_CLOCK, NO_PACE,
        WRONG_OPTIONS, KEY_REUSED.
        """
        now, title = self.referee.now(), self.referee.library[game]
        created = Tournament(
            id=code_of(self.referee.entropy(5)),
            game=title.slug,
            name=_tidy_title(new.name),
            format=new.format,
            organiser=organiser.id,
            seed=self.referee.entropy(16).hex(),
            settings=checked_settings(title, new),
            rounds=checked_rounds(new.rounds),
            listed=new.listed,
            created=now,
            changed=now,
        )
        receipt = form.receipt("open tournament", organiser.id, title.slug, now)
        return self.repository.add(created, organiser, receipt)

    def join(self, player: Player, id: str, name: str, form: FormToken) -> None:
        """Let a person join.

        Raises Refused: ALREADY_IN, WITHDRAWN, FULL, CLOSED, TOO_LATE, FINISHED, NAME_NEEDED, NAME_TAKEN,
        WRONG_NAME, RESERVED_NAME.
        """
        person = named(player, name)
        self._carry_out("join tournament", person.id, id, form, enter, person)

    def withdraw(self, player: str, id: str, form: FormToken) -> None:
        """Let somebody withdraw: before the start as if they had never joined.  Raises Refused(NOT_IN)."""
        self._carry_out("withdraw", player, id, form, withdraw_player, player)

    def remove(self, player: str, id: str, number: int, form: FormToken) -> None:
        """Withdraw an entrant, as organiser.  Raises Refused: NOT_ORGANISER, NO_ENTRANT, FINISHED."""
        self._carry_out("remove entrant", player, id, form, remove_entrant, player, number)

    def configure(self, player: str, id: str, rounds: int, listed: bool, form: FormToken) -> None:
        """Set how many rounds there are, and whether anybody finds it.

        Raises Refused: NOT_ORGANISER, STARTED, FINISHED, WRONG_ROUNDS.
        """
        self._carry_out("configure tournament", player, id, form, set_terms, player, rounds, listed)

    def add_bots(self, player: str, id: str, level: str, count: int, form: FormToken) -> None:
        """Enter bots, as organiser.

        As many may play at once as games with bots are allowed, each of which has two.
        Raises Refused: NOT_ORGANISER, STARTED, FINISHED, FULL, FEW_BOTS, NO_LEVEL, NO_BOTS, BOTS_AT_MOST,
        BOTS_BUSY.
        """
        rules = self.referee.bots

        def bring(change: TournamentChange) -> None:
            must_be_organiser(change.tournament, player)
            must_be_open(change.tournament)
            must_be_level(level)
            if not rules.on:
                raise Refused(TableRefusal.NO_BOTS)
            bring_bots(change.tournament, level, count)
            own, all_here = change.count_bots()
            if own + count > 2 * rules.per_person:
                raise Refused(TournamentRefusal.BOTS_AT_MOST, most=2 * rules.per_person)
            if all_here + count > 2 * rules.per_site:
                raise Refused(TableRefusal.BOTS_BUSY)

        self._carry_out("bring bots", player, id, form, bring)

    def start(self, player: str, id: str, form: FormToken) -> None:
        """Start a tournament with the entrants who are there, as organiser: pair the first round.

        Raises Refused: NOT_ORGANISER, STARTED, FINISHED, TOO_FEW, CANNOT_BEGIN.
        """
        id = tidy_characters(id)
        receipt = form.receipt("start tournament", player, id, self.referee.now())

        def must_start(tournament: Tournament) -> None:
            must_be_organiser(tournament, player)
            must_be_open(tournament)
            if not enough(tournament):
                raise Refused(TournamentRefusal.TOO_FEW, fewest=fewest(tournament))

        self._advance(
            id, lambda current: current.stage is TournamentStage.OPEN and enough(current), must_start, receipt
        )

    def _carry_out(
        self,
        name: str,
        player: str,
        id: str,
        form: FormToken,
        act: Callable[Concatenate[TournamentChange, P], object],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> None:
        """Change a tournament as a form wants; a form that was accepted before changes nothing more."""
        id, now = tidy_characters(id), self.referee.now()
        receipt = form.receipt(name, player, id, now)
        with self.repository.change(id, receipt) as change:
            if change is not None:
                act(change, *arguments, **named)
                change.tournament.changed = now
                change.written = True

    # -- going on by itself ----------------------------------------------------------

    def go_on(self, id: str) -> None:
        """Pair what comes next where no game is running any more, or end the tournament.

        Raises Refused(CANNOT_BEGIN) where the game has failed, and the like.
        """
        self._advance(
            id, lambda tournament: tournament.stage is TournamentStage.RUNNING and not tournament.is_under_way
        )

    def due(self) -> list[str]:
        """Return the ids of the tournaments that are to go on."""
        return self.repository.due()

    def delete_unstarted(self) -> None:
        """Delete the tournaments that have not started, and where nothing has happened for long."""
        for id in self.repository.open_since(self.referee.now() - UNJOINED_AFTER):
            with suppress(Refused), self.repository.change(id) as change:
                if change is not None and change.tournament.stage is TournamentStage.OPEN:
                    change.delete()

    def _advance(
        self,
        id: str,
        ready: Callable[[Tournament], bool],
        must: Callable[[Tournament], None] = lambda made: None,
        receipt: Receipt | None = None,
    ) -> None:
        """Pair what comes next and open its tables, in one transaction, if the tournament is `ready`.

        The games are dealt before it is locked.  `must` raises Refused where a form may not do this.
        """
        for _ in range(ATTEMPTS):
            tournament = self.repository.tournament(id)
            turns = self._paired(tournament) if ready(tournament) else None
            if turns is None and receipt is None:
                return
            with self.repository.change(id, receipt) as change:
                if change is None:
                    return
                must(change.tournament)
                if turns is None:
                    continue  # it is ready by now
                if change.tournament.revision != tournament.revision:
                    continue
                change.tournament, change.written = tournament, True
                for turn in turns:
                    change.open_table(turn)
            self._tell(turns)
            return
        raise Busy(f"too many change tournament {id} at once")

    def _paired(self, tournament: Tournament) -> list[Turn]:
        """Pair what comes next, and return the first turns of its tables; without any it is over."""
        tournament.changed = self.referee.now()
        draw_numbers(tournament)
        games = next_games(tournament, swiss_pairs)
        tournament.stage = TournamentStage.RUNNING if games else TournamentStage.OVER
        tournament.round = max((game.round for game in games), default=tournament.round)
        tournament.games += games
        turns = []
        for game in games:
            if game.running:
                turn = self._first_turn(tournament, game)
                game.table = turn.table.id
                turns.append(turn)
        return turns

    def _first_turn(self, tournament: Tournament, game: TournamentGame) -> Turn:
        """Return the turn in which a game begins."""
        people = [tournament.entrant(number) for number in game.entrants]
        players = [Player(each.player or "", each.name) for each in people]
        settings = tournament.settings
        requested = SettingsChange(
            options=settings.options,
            pace=settings.pace,
            seats=len(players),
            afterwards=ResultUse(settings.afterwards),
            language=settings.language,
        )
        return open_for_tournament(self.referee, tournament.id, tournament.game, players, requested)

    def _tell(self, turns: list[Turn]) -> None:
        """Let open pages know of new tables, once they are kept."""
        if on_change := self.referee.store.on_change:
            for turn in turns:
                on_change(turn.table)


# -- what people may do ------------------------------------------------------------------


def enter(change: TournamentChange, person: Player) -> None:
    """Let a person join.  Raises Refused as `Tournaments.join`."""
    tournament = change.tournament
    entrant = tournament.entrant_of(person.id)
    if entrant:
        raise Refused(TournamentRefusal.WITHDRAWN if entrant.withdrawn else TournamentRefusal.ALREADY_IN)
    if why := why_not_join(tournament):
        raise Refused(why, most=MOST_ENTRANTS)
    if not person.name:
        raise Refused(TournamentRefusal.NAME_NEEDED)
    if any(alike(person.name, each.name) for each in tournament.entrants):
        raise Refused(TournamentRefusal.NAME_TAKEN)
    change.save_player(person)
    _add(tournament, person.id, person.name)


def why_not_join(tournament: Tournament) -> TournamentRefusal | None:
    """Return why nobody more can join, if nobody can."""
    if tournament.stage is TournamentStage.OVER:
        return TournamentRefusal.FINISHED
    if tournament.stage is TournamentStage.RUNNING and tournament.format is Format.KNOCK_OUT:
        return TournamentRefusal.CLOSED
    if tournament.round > 1:
        return TournamentRefusal.TOO_LATE
    return TournamentRefusal.FULL if len(tournament.entrants) >= MOST_ENTRANTS else None


def _add(tournament: Tournament, player: str, name: str) -> None:
    number = max((each.number for each in tournament.entrants), default=0) + 1
    tournament.entrants.append(Entrant(number, player, name, first_round=tournament.round + 1))


def withdraw_player(change: TournamentChange, player: str) -> None:
    """Let somebody withdraw.  Raises Refused: NOT_IN, FINISHED."""
    entrant = change.tournament.entrant_of(player)
    if entrant is None:
        raise Refused(TournamentRefusal.NOT_IN)
    _withdraw(change.tournament, entrant)


def remove_entrant(change: TournamentChange, player: str, number: int) -> None:
    """Withdraw an entrant, as organiser.  Raises Refused: NOT_ORGANISER, NO_ENTRANT, FINISHED."""
    tournament = change.tournament
    must_be_organiser(tournament, player)
    entrants = [each for each in tournament.entrants if each.number == number]
    if not entrants:
        raise Refused(TournamentRefusal.NO_ENTRANT)
    _withdraw(tournament, entrants[0])


def _withdraw(tournament: Tournament, entrant: Entrant) -> None:
    if tournament.stage is TournamentStage.OVER:
        raise Refused(TournamentRefusal.FINISHED)
    if tournament.stage is TournamentStage.OPEN:
        tournament.entrants.remove(entrant)
    entrant.withdrawn = True


def set_terms(change: TournamentChange, player: str, rounds: int, listed: bool) -> None:
    """Set how many rounds there are, and whether anybody finds it.  Raises Refused."""
    tournament = change.tournament
    must_be_organiser(tournament, player)
    must_be_open(tournament)
    tournament.rounds, tournament.listed = checked_rounds(rounds), listed


def bring_bots(tournament: Tournament, level: str, count: int) -> None:
    """Enter `count` bots of a level.  Raises Refused: FULL, or FEW_BOTS where fewer can enter."""
    entered, room = {each.player for each in tournament.entrants}, MOST_ENTRANTS - len(tournament.entrants)
    if not room:
        raise Refused(TournamentRefusal.FULL, most=MOST_ENTRANTS)
    free = [number for number in range(1, EACH + 1) if bot_id(level, number) not in entered][:room]
    if not 1 <= count <= len(free):
        raise Refused(TournamentRefusal.FEW_BOTS, most=len(free))
    for number in free[:count]:
        _add(tournament, bot_id(level, number), bot_name(level, number))


def must_be_organiser(tournament: Tournament, player: str) -> None:
    if tournament.organiser != player:
        raise Refused(TournamentRefusal.NOT_ORGANISER)


def must_be_open(tournament: Tournament) -> None:
    if tournament.stage is not TournamentStage.OPEN:
        over = tournament.stage is TournamentStage.OVER
        raise Refused(TournamentRefusal.FINISHED if over else TournamentRefusal.STARTED)


def fewest(tournament: Tournament) -> int:
    """Return how many entrants a tournament needs."""
    return min(tournament.settings.sizes) if tournament.format is Format.TABLES else 2


def enough(tournament: Tournament) -> bool:
    return len(tournament.active) >= fewest(tournament)


# -- settings ----------------------------------------------------------------------------


def formats_of(title: Title) -> list[Format]:
    """Return the formats in which a game can be played in a tournament; none of a game for one alone."""
    numbers = seat_numbers(title.rules)
    two = [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCK_OUT] if 2 in numbers else []
    return [*two, Format.TABLES] if max(numbers) > 2 else two


def checked_settings(title: Title, new: NewTournament) -> TournamentSettings:
    """Return how the games of a new tournament are played.

    Raises Refused: FOR_ONE, WRONG_FORMAT, NO_CLOCK, NO_PACE, WRONG_OPTIONS.
    """
    formats, requested = formats_of(title), new.settings
    if not formats:
        raise Refused(TableRefusal.FOR_ONE)
    options = checked_options(title, requested.options)
    sizes = _sizes(title, options)
    seats = (requested.seats or max(sizes, default=0)) if new.format is Format.TABLES else 2
    if new.format not in formats or seats not in sizes or (new.format is Format.TABLES and seats < 3):
        raise Refused(TournamentRefusal.WRONG_FORMAT)
    if title.paces and not requested.pace:
        raise Refused(TournamentRefusal.NO_CLOCK)
    clock_for(title, requested.pace)
    return TournamentSettings(
        options=options,
        pace=requested.pace or "",
        seats=seats,
        sizes=[size for size in sizes if size <= seats],
        afterwards=requested.afterwards or ResultUse.QUIET,
        language=requested.language or "",
    )


def _sizes(title: Title, options: dict[str, Any]) -> list[int]:
    """Return for how many a game can be played with these options, but for one alone."""
    chosen = options_from(title.rules, options)
    numbers = [number for number in seat_numbers(title.rules, chosen) if number > 1]
    return [number for number in numbers if not chosen.refuse_seats(number)]


def checked_rounds(rounds: int) -> int:
    """Return a number of rounds, 0 for as many as usual.  Raises Refused(WRONG_ROUNDS)."""
    if not 0 <= rounds <= MOST_ROUNDS:
        raise Refused(TournamentRefusal.WRONG_ROUNDS, most=MOST_ROUNDS)
    return rounds


def _tidy_title(raw: str) -> str:
    """Return the name of a tournament in one form.  Raises Refused(WRONG_NAME)."""
    name = tidy_words(raw)
    if not 1 <= len(name) <= LONGEST_NAME or is_reserved(name):
        raise Refused(TournamentRefusal.WRONG_NAME, most=LONGEST_NAME)
    return name
