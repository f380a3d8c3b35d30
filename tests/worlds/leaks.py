"""Leaks planted on purpose, each as real programs have had it, to see that the comparison finds them."""

from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
import pytest
from flask import Response, current_app, request
from itsdangerous import URLSafeSerializer

from strifebarge.rules import Action
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.codec import save
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json, write
from strifebarge.rules.schema import actions
from strifebarge.tables.acts import from_here
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.table import Status, Table
from strifebarge.tables.play import queries
from strifebarge.tables.play.turn import Turn
from strifebarge.tables.view import View
from strifebarge.web.page import parts
from strifebarge.web.previews import previews
from strifebarge.web.render.keeping import PieceCache
from strifebarge.web.table import play
from strifebarge.web.words import texts

from .pairs import Pair, Scene
from .with_bots import PairWithBot
from .worlds import SECRET_KEY, Twins, World

Patch = pytest.MonkeyPatch

CARDS = Scene("eights", 2, {}, 0, 4, until=0)
LONG = Scene("eights", 4, {}, 0, 12, until=0)
WATCHED = Scene("eights", 3, {}, None, 6)
SEA = Scene("strifebarge", 2, {}, 0, 4, until=0)
FLEETS = Scene("strifebarge", 3, {"salvo": True}, None, 24)
HANDS = Scene("rps", 2, {"best_of": 7}, 0, 1, until=0)


class Planted(NamedTuple):
    """A leak: how it is planted, and where it shows: in a scene, at such a table."""

    name: str
    plant: Callable[[Twins, Patch], None]
    scene: Scene
    at: type[Pair] = Pair


LEAKS: list[Planted] = []


def leak(
    scene: Scene, at: type[Pair] = Pair
) -> Callable[[Callable[[Twins, Patch], None]], Callable[[Twins, Patch], None]]:
    def add(plant: Callable[[Twins, Patch], None]) -> Callable[[Twins, Patch], None]:
        LEAKS.append(Planted(plant.__name__, plant, scene, at))
        return plant

    return add


class Truth(NamedTuple):
    """All there is to know of a table that is asked for."""

    world: World
    table: Table
    game: Any
    match: Match

    @property
    def state(self) -> bytes:
        return save(self.game)

    @property
    def number(self) -> int:
        """A number that is another in another world."""
        return int(sha256(self.state).hexdigest()[:8], 16)

    def hand(self) -> str:
        """The cards that seat 1 holds."""
        return " ".join(self.game.seats[1].hand)


def taken_up(world: World, table: Table) -> Match:
    """The whole game, as the site lays it out for itself."""
    rules, store = world.referee.library[table.game].rules, world.referee.store
    snapshot = store.snapshot(table.id)
    kinds: tuple[type[Action], ...] = (*actions(rules), *FRAMEWORK)
    moves = [
        Move(row.number, row.seat, from_json(row.action, kinds), row.final, row.step)
        for row in store.rows(table.id, snapshot.number)
        if row.seat is not None
    ]
    pending = {seat: from_json(raw, kinds) for seat, raw in table.position.pending.items()}
    return Match(rules, snapshot, moves, pending)


def tell(twins: Twins, patch: Patch, what: Callable[[Truth, Response], None], at: str = "") -> None:
    """Have both sites tell something in their answers about a running game."""
    for world in twins.worlds:

        def telling(response: Response, world: World = world) -> Response:
            id = (request.view_args or {}).get("id")
            a_page = response.status_code != 303 and request.endpoint != "play.record"
            if id and a_page and at in request.path:
                table = world.table(id)
                if table.status not in (Status.OPEN, Status.OVER):
                    match = taken_up(world, table)
                    what(Truth(world, table, match.game, match), response)
            return response

        hooks = world.app.after_request_funcs
        patch.setitem(hooks, None, [*hooks.get(None, []), telling])


def write_in(response: Response, mark: str, words: str, instead: bool = False) -> None:
    """Put something before the first place where a page says `mark`."""
    page = response.get_data(as_text=True)
    response.set_data(page.replace(mark, words if instead else words + mark, 1))


# -- in the page's own text ------------------------------------------------------------


@leak(CARDS)
def the_state_in_a_hidden_field(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        held = b64encode(truth.state).decode()
        write_in(response, "</form>", f'<input type="hidden" name="state" value="{held}">')

    tell(twins, patch, what)


@leak(SEA)
def a_data_attribute(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        lying = ",".join(ship.squares[0] for ship in truth.game.seats[1].fleet)
        write_in(response, ' id="board"', f' data-ships="{lying}"')

    tell(twins, patch, what)


@leak(CARDS)
def a_comment(twins: Twins, patch: Patch) -> None:
    tell(twins, patch, lambda truth, response: write_in(response, "</main>", f"<!-- {truth.hand()} -->"))


@leak(WATCHED)
def words_for_screen_readers(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        write_in(response, "a card face down", f"{truth.game.stock[-1]}, face down", instead=True)

    tell(twins, patch, what)


@leak(LONG)
def the_order_of_the_seats(twins: Twins, patch: Patch) -> None:
    """Those with the most points in hand first: no word of it is a secret."""

    def what(truth: Truth, response: Response) -> None:
        seats = sorted(truth.game.seats, key=lambda seat: sorted(seat.hand))
        places = "".join(f"<li>{seat.number}</li>" for seat in seats)
        write_in(response, "</main>", f"<ul>{places}</ul>")

    tell(twins, patch, what)


@leak(CARDS)
def the_order_of_a_fan(twins: Twins, patch: Patch) -> None:
    """Backs of cards, all alike, but each lies where its face would be in a sorted hand."""

    def what(truth: Truth, response: Response) -> None:
        hand = list(truth.game.seats[1].hand)
        backs = "".join(f'<i class="back n{hand.index(card)}"></i>' for card in sorted(hand))
        write_in(response, "</main>", backs)

    tell(twins, patch, what)


@leak(WATCHED)
def names_of_cards_that_outlive_a_shuffle(twins: Twins, patch: Patch) -> None:
    """Every card has a number for life, and so the stock can be read after it was seen once."""

    def what(truth: Truth, response: Response) -> None:
        ids = [sha256(f"{card} of {truth.table.id}".encode()).hexdigest()[:6] for card in truth.game.stock]
        write_in(response, "</main>", "".join(f'<i id="c{each}"></i>' for each in ids))

    tell(twins, patch, what)


@leak(CARDS)
def a_card_face_down_has_the_name_of_its_face(twins: Twins, patch: Patch) -> None:
    """So that it moves as itself when it is played."""

    def what(truth: Truth, response: Response) -> None:
        backs = "".join(f'<i data-piece="card-{card}"></i>' for card in sorted(truth.game.seats[1].hand))
        write_in(response, "</main>", backs)

    tell(twins, patch, what)


@leak(WATCHED)
def the_picture_of_a_link(twins: Twins, patch: Patch) -> None:
    def draw(title: Title, game: object) -> str:
        world: World = current_app.extensions["world"]
        table = world.table((request.view_args or {})["id"])
        match = taken_up(world, table)
        number = Truth(world, table, match.game, match).number
        return f'<svg viewBox="0 0 99 99"><circle cx="50" cy="50" r="{9 + number % 37}"/></svg>'

    patch.setattr(previews, "draw_position", draw)


@leak(CARDS)
def the_title(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        eights = sum(card.rank == "8" for card in truth.game.seats[1].hand)
        write_in(response, "</title>", f" – {eights} {sorted(truth.game.seats[1].hand)[0].suit.name}")

    tell(twins, patch, what)


@leak(CARDS)
def the_seed_among_the_settings(twins: Twins, patch: Patch) -> None:
    tell(twins, patch, lambda truth, response: write_in(response, "</dl>", f"<dd>{truth.table.seed}</dd>"))


@leak(CARDS)
def a_hash_of_the_position(twins: Twins, patch: Patch) -> None:
    """It looks like noise, but whoever guesses the position can check the guess."""
    tell(twins, patch, lambda truth, response: write_in(response, "</main>", truth.match.fingerprint()))


@leak(WATCHED)
def the_legal_moves_for_everybody(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        moves = [write(action) for seat in truth.match.prompts for action in truth.match.offers(seat)]
        write_in(response, "</main>", f"<!-- {moves} -->")

    tell(twins, patch, what)


@leak(CARDS)
def ids_of_players(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        players = [f'<i data-player="{chair.player}"></i>' for chair in truth.table.chairs]
        write_in(response, "</main>", "".join(players))

    tell(twins, patch, what)


@leak(CARDS)
def links_by_which_other_seats_are_handed_on(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        signer = URLSafeSerializer(SECRET_KEY, salt="strifebarge:seat")
        for chair in truth.table.chairs:
            token = signer.dumps([truth.table.id, chair.seat, chair.generation])
            write_in(response, "</main>", f'<a href="/g/{truth.table.id}/seat?t={token}">{chair.called}</a>')

    tell(twins, patch, what)


@leak(HANDS)
def a_choice_in_the_waiting_frame(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        write_in(response, "</body>", f"<!-- {truth.table.position.pending} -->")

    tell(twins, patch, what, at="/status")


# -- beside the text -------------------------------------------------------------------


@leak(CARDS)
def an_etag_of_the_whole_state(twins: Twins, patch: Patch) -> None:
    tell(twins, patch, lambda truth, response: response.set_etag(sha256(truth.state).hexdigest()))


@leak(HANDS)
def the_time_of_the_last_writing(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        response.last_modified = datetime.fromtimestamp(truth.table.revision, UTC)

    tell(twins, patch, what)


@leak(SEA)
def the_status(twins: Twins, patch: Patch) -> None:
    def what(truth: Truth, response: Response) -> None:
        if response.status_code == 404:
            response.status_code = 400 + truth.number % 20

    tell(twins, patch, what)


@leak(SEA)
def the_length(twins: Twins, patch: Patch) -> None:
    """Nothing is said, but the answer is as long as the state it was made from."""

    def what(truth: Truth, response: Response) -> None:
        response.set_data(response.get_data() + b"\n" * (truth.number % 50))

    tell(twins, patch, what)


@leak(SEA)
def a_cookie(twins: Twins, patch: Patch) -> None:
    tell(twins, patch, lambda truth, response: response.set_cookie("seen", str(truth.number)))


@leak(HANDS)
def the_version_counts_changed_minds(twins: Twins, patch: Patch) -> None:
    patch.setattr(Turn, "quiet", property(lambda turn: False, lambda turn, _: None), raising=False)


@leak(HANDS)
def the_version_is_the_number_of_writings(twins: Twins, patch: Patch) -> None:
    tell(twins, patch, lambda truth, response: response.set_data(str(truth.table.revision)), at="/version")


# -- in what the game says -------------------------------------------------------------


@leak(LONG)
def the_log_says_what_was_drawn(twins: Twins, patch: Patch) -> None:
    from games.eights.rules import CrazyEights

    def draw(game: Any, seat: Any) -> None:
        [card] = game.stock.draw()
        seat.hand.append(card)
        game.log("{seat} draws {card}.", seat=seat, card=card)

    patch.setattr(CrazyEights, "draw", draw)


@leak(FLEETS)
def the_log_says_whose_ship_was_hit(twins: Twins, patch: Patch) -> None:
    """Its name alone: which ship it was stays secret."""
    from games.strifebarge.rules import StrifeBarge

    def log_hit(game: Any, captain: Any, owner: Any, ship: Any, square: str) -> None:
        game.log("{seat} hits {owner} at {square}.", seat=captain, owner=owner, square=square)

    patch.setattr(StrifeBarge, "log_hit", log_hit)


@leak(SEA)
def an_enemy_ship_is_refused_like_ones_own(twins: Twins, patch: Patch) -> None:
    from games.strifebarge.rules import StrifeBarge, Why

    def refuse_square(game: Any, captain: Any, square: str) -> Any:
        if any(square in ship.squares for each in game.seats for ship in each.fleet if not game.sunk(ship)):
            return Why.OWN_SHIP(square=square)
        return before(game, captain, square)

    before = StrifeBarge.refuse_square
    patch.setattr(StrifeBarge, "refuse_square", refuse_square)


@leak(CARDS)
def the_answer_to_a_move_tells_what_comes_next(twins: Twins, patch: Patch) -> None:
    """The page itself does not; but what a script is sent for its form was made from the whole game."""

    def what(truth: Truth, response: Response) -> None:
        if request.method == "POST" and truth.game.stock:
            write_in(response, "</main>", f"<p>{truth.game.stock[-1]}</p>")

    tell(twins, patch, what, at="/turn")


@leak(CARDS)
def a_refusal_depends_on_the_next_card(twins: Twins, patch: Patch) -> None:
    from games.eights.rules import CrazyEights, Draw, Why

    def refuse(game: Any, seat: Any, action: Any) -> Any:
        if isinstance(action, Draw) and game.stock:
            return reasons[game.stock[-1].suit]
        return before(game, seat, action)

    before = CrazyEights.refuse
    reasons = {"C": Why.NAME_A_SUIT, "D": Why.NO_SUIT_TO_NAME, "H": Why.MUST_PLAY, "S": Why.STOCK_EMPTY}
    patch.setattr(CrazyEights, "refuse", refuse)


# -- in who is shown what ---------------------------------------------------------------


def shown(patch: Patch, change: Callable[[View, Table, Match], None]) -> None:
    """Have the sites change what somebody is shown of a running game."""

    def look(
        table: Table, title: Title, player: str | None, match: Any = None, *more: Any, **named: Any
    ) -> Any:
        view = before(table, title, player, match, *more, **named)
        if match is not None:
            change(view, table, match)
        return view

    before = queries.show_table
    patch.setattr(queries, "show_table", look)


@leak(WATCHED)
def spectators_see_everything(twins: Twins, patch: Patch) -> None:
    """The third role is the one that is forgotten."""

    def change(view: View, table: Table, match: Match) -> None:
        if view.viewer.seat is None:
            view.position.game = match.view()

    shown(patch, change)


@leak(CARDS)
def the_deal_is_history(twins: Twins, patch: Patch) -> None:
    """Everything that has happened may be seen, and so may the position it all began with."""

    def change(view: View, table: Table, match: Match) -> None:
        if match.number == 0 < table.position.number:
            view.position.game = match.view()

    shown(patch, change)


@leak(HANDS)
def whoever_has_to_choose_sees_the_others_choice(twins: Twins, patch: Patch) -> None:
    """As plug-ins do that are handed the table instead of the view."""

    def change(view: View, table: Table, match: Match) -> None:
        view.places = [
            msgspec.structs.replace(place, role=table.position.pending.get(place.seat, {}).get("hand", ""))
            for place in view.places
        ]

    shown(patch, change)


@leak(CARDS)
def a_plate_tells_the_highest_card_of_a_hand(twins: Twins, patch: Patch) -> None:
    """It says how many cards there are, from the hand itself."""

    def change(view: View, table: Table, match: Match) -> None:
        view.places = [
            msgspec.structs.replace(place, standing={"text": str(max(match.game.seats[place.seat].hand))})
            for place in view.places
        ]

    shown(patch, change)


@leak(CARDS)
def the_analysis_of_a_running_game(twins: Twins, patch: Patch) -> None:
    """It is taken for one that is over, so its secrets are opened to who analyzes it."""
    patch.setattr(
        from_here, "visible_table", lambda _, table: msgspec.structs.replace(table, status=Status.OVER)
    )


@leak(CARDS)
def the_record_of_a_running_game(twins: Twins, patch: Patch) -> None:
    for world in twins.worlds:

        def record(id: str, world: World = world) -> Response:
            return Response(world.deal(id).state, mimetype="application/json")

        patch.setitem(world.app.view_functions, "play.record", record)


@leak(CARDS)
def a_diagram_of_the_running_game(twins: Twins, patch: Patch) -> None:
    """How to play is shown by the very game from which that page was opened, with all hands."""
    for world in twins.worlds:
        before = world.app.view_functions["manual.how"]

        def how(game: str, world: World = world, before: Any = before) -> str:
            page = str(before(game=game))
            if id := request.args.get("table"):
                page += " ".join(taken_up(world, world.table(id)).game.seats[1].hand)
            return page

        patch.setitem(world.app.view_functions, "manual.how", how)


# -- in a hint -------------------------------------------------------------------------


class Cheat(NamedTuple):
    """Gives hints that follow from what the other seat holds."""

    world: World

    def hint(self, id: str, seat: int, player: str, address: str) -> str:
        """Return one of the moves that a seat may make, another one for another hand of seat 1."""
        match = taken_up(self.world, self.world.table(id))
        allowed = [
            write(each)
            for each in match.options(seat)
            if isinstance(each, Action) and not match.reason(seat, each)
        ]
        held = " ".join(sorted(match.game.seats[1].hand))
        return allowed[int(sha256(held.encode()).hexdigest()[:8], 16) % len(allowed)]


@leak(LONG._replace(seats=2), PairWithBot)
def a_hint_from_the_hand_of_the_other_seat(twins: Twins, patch: Patch) -> None:
    for world in twins.worlds:
        patch.setitem(world.app.extensions, "hints", Cheat(world))


# -- in what a worker keeps ------------------------------------------------------------


@leak(CARDS)
def a_page_cached_without_its_viewer(twins: Twins, patch: Patch) -> None:
    """The next viewer at the same table is sent the page of somebody else."""
    key = play.page_key
    patch.setattr(play, "page_key", lambda player_key, player: key(player_key, None)[:1])
    twins.warm = True


@leak(LONG)
def a_part_cached_without_its_seat(twins: Twins, patch: Patch) -> None:
    """A line of the log is rendered once, for the first who looks."""
    patch.setattr(parts.PartViewer, "is_one_of", lambda self, seats: self.cache_identity in seats)
    twins.warm = True


@leak(CARDS)
def a_text_cached_without_its_reader(twins: Twins, patch: Patch) -> None:
    """A text is told once, for the first who hears it."""
    patch.setattr(texts, "RENDERED_TEXTS", PieceCache(texts.MOST))
    asks = lambda self, seats: self.view is not None and self.view.viewer.is_one_of(seats)  # noqa: E731
    patch.setattr(texts.HtmlTeller, "is_one_of", asks)
    twins.warm = True


@leak(CARDS)
def a_tag_of_the_revision(twins: Twins, patch: Patch) -> None:
    tell(twins, patch, lambda truth, response: response.set_etag(str(truth.table.revision), weak=True))
