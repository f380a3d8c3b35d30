"""All that somebody can ask of a table: every address, every form, everything a form can be made to say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product, zip_longest
from typing import Any, NamedTuple
from urllib.parse import urlencode

from werkzeug.datastructures import MultiDict
from werkzeug.routing import Rule

from strifebarge.fuzz.acts import GameOperation
from strifebarge.rules import Action, Refused
from strifebarge.rules.notation import from_form, listed, tag, write
from strifebarge.rules.schema import actions, form_fields
from strifebarge.rules.testing import random_choice
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.view.news import table_news
from strifebarge.web.page.textview import QUESTIONS
from tests.support.stub_hub import MARK

from .knowledge import of, witness
from .pairs import Pair, fate
from .worlds import Broken, Fields, Leak, Person, Reply

PIECE = {"X_Piece": "main"}  # as a page's script asks
EVIL = "https://elsewhere.example"


# -- reading --------------------------------------------------------------------------


def read_all(pair: Pair, who: Person) -> None:
    """Every address that can be read, with all that may be asked of it."""
    for path in addresses(pair, who):
        pair.twins.ask(who, "GET", path)
    for path in ("", "/at/0", "/nowhere"):
        pair.twins.ask(who, "HEAD", pair.path + path)
    for query in ("", "?view=text"):
        pair.twins.ask(who, "GET", pair.path + query, **PIECE)
    hear_news(pair, who)


def hear_news(pair: Pair, who: Person) -> None:
    """The word that a stream tells of the table; behind a + are their own steps, as a mark of that world."""
    one, other = (_word(world.table(pair.id), seat_of(pair, who)) for world in pair.twins.worlds)
    if one != other:
        raise Leak(f"a stream tells the worlds apart: {one} and {other}")


def _word(table: Table, seat: int | None) -> tuple[str, str]:
    player = None if seat is None else table.chairs[seat].player
    word = table_news(table, MARK).word_for(MARK("person", player) if player else "")
    return word.partition("+")[:2]


def addresses(pair: Pair, who: Person) -> Iterator[str]:
    table = pair.twins.one.table(pair.id)
    for rule in pair.twins.one.app.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            yield from built(pair, rule)
    for query in ("?done=0", f"?done={table.position.number}", "?done=99999"):
        yield pair.path + query
    for times in (0, 7, 1000):
        yield f"{pair.path}/status?v={table.version}&n={times}"
    yield f"{pair.path}/status?v={table.version - 1}"
    for number in (0, table.position.number):
        yield f"{pair.path}/at/{number}?as=seen"
    for question in (*QUESTIONS, "anything else"):
        yield f"{pair.path}?{urlencode({'view': 'text', 'say': question})}"
    for number in (0, table.position.number):
        yield f"{pair.path}/at/{number}?view=text"
    yield f"{pair.path}?view=board"
    yield f"/games/next?after={pair.id}"
    yield f"/rules/{pair.scene.game}/how?table={pair.id}"
    yield f"{pair.path.lower()}/"
    yield f"{pair.path}/seat?t=nonsense"
    if link := own_link(pair, who):
        yield link
        yield link[:-1]


def built(pair: Pair, rule: Rule) -> Iterator[str]:
    """The addresses of one rule of the site, filled in for this table."""
    table = pair.twins.one.table(pair.id)
    numbers = [*range(table.position.number + 1)]
    if len(numbers) > 7:  # the ends of a long game, and some of its middle
        numbers = sorted({0, 1, *numbers[-2:], *pair.dice.sample(numbers, 3)})
    values: Mapping[str, Sequence[Any]] = {
        "id": [pair.id],
        "code": [pair.id, *pair.twins.cups],
        "number": [*numbers, table.position.number + 1],
        "game": [pair.scene.game],
        "what": ["theme", "sure"],
        "ending": ["pgn", "txt"],
        "record": [table.ending.record or "0" * 16],
        "person": ["0" * 16, pair.id],
        "secret": ["nonsense"],
    }
    if unknown := rule.arguments - values.keys():
        raise Broken(f"nobody told asking.py what may be in the place of {unknown} in {rule.rule}")
    adapter = pair.twins.one.app.url_map.bind("localhost")
    for chosen in product(*(values[name] for name in sorted(rule.arguments))):
        filled = dict(zip(sorted(rule.arguments), chosen, strict=True))
        yield adapter.build(rule.endpoint, filled, append_unknown=False)


def own_link(pair: Pair, who: Person) -> str:
    """The link by which somebody may hand on their own seat."""
    page = pair.twins.ask(who, "GET", f"{pair.path}/quit")
    match = re.search(r'value="http://[^/"]+(/g/[^"]+/seat\?t=[^"]+)"', page.text)
    return match[1] if match else ""


def read_again(pair: Pair, who: Person) -> None:
    """The pages that show what has happened; also where the table was deleted by that."""
    number = 0
    with suppress(Refused):
        number = pair.twins.one.table(pair.id).position.number
    for path in ("", "/log", "/version", "/status", f"/at/{number}", "/quit"):
        pair.twins.ask(who, "GET", pair.path + path)
    for path in ("/games", "/games/next", "/"):
        pair.twins.ask(who, "GET", path)


# -- sending forms that are no moves ---------------------------------------------------


class Form(NamedTuple):
    """A form to be sent; `telling`: what it does may rightly be seen to differ."""

    path: str
    fields: Fields
    telling: bool = False
    headers: dict[str, str] = {}
    method: str = "POST"


def send_all(pair: Pair, who: Person, most: int) -> None:
    """Forms that are no moves, so many at most.  What was done by one is undone before the next."""
    with pair.twins.kept(who) as restore:
        for form in pair.dice.sample(forms(pair, who), most):
            reply = pair.twins.ask(who, form.method, form.path, form.fields, **form.headers)
            if reply.accepted:
                pair.twins.tally["accepted"] += 1
                pair.twins.ask(who, form.method, form.path, form.fields, **form.headers)
                if not form.telling:
                    read_again(pair, who)
                restore()


def go_on_from_here(pair: Pair, who: Person) -> None:
    """What is begun at a position of the game, alone and with others, and what is seen there."""
    number = pair.twins.one.table(pair.id).position.number
    with pair.twins.kept(who) as restore:
        for how in ("analysis", "table"):
            form = [pair.twins.key(), ("how", how)]
            reply = pair.twins.ask(who, "POST", f"{pair.path}/from/{number}", form)
            if reply.accepted:
                path = reply.header("Location")
                for world in pair.twins.worlds:
                    world.look_at(path.rpartition("/")[2])
                for page in (path, f"{path}/at/0", f"{path}/log"):
                    pair.twins.ask(who, "GET", page)
                restore()


def forms(pair: Pair, who: Person) -> Iterator[Form]:
    """The forms there are, whole and otherwise."""
    key = pair.twins.key
    seat, deals = seat_of(pair, who), may_deal(pair, who)
    for rule in pair.twins.one.app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            path = next(built(pair, rule))
            telling = deals or rule.endpoint == "lobby.start"
            yield Form(path, [], telling)
            yield Form(path, [("key", "short")], telling)
            if rule.endpoint != "seating.leave":
                yield Form(path, [key()], telling)
            yield Form(path, [key()], telling, {"Origin": EVIL})
            yield Form(path, [key()], telling, {"Sec_Fetch_Site": "cross-site"})
    for name in ("", "Ann", "Zoë", "\u202e", "x" * 30):
        yield Form(f"{pair.path}/join", [key(), ("name", name)], deals)
    for number in range(-1, pair.scene.seats + 1):
        yield Form(f"{pair.path}/join", [key(), ("seat", str(number))], deals)
        yield Form(f"{pair.path}/remove", [key(), ("seat", str(number))])
    yield Form(f"{pair.path}/undo", [key(), ("asked", "99999")], not undoes_alike(pair, seat))
    yield Form(f"{pair.path}/undo", [key(), ("asked", "x")])
    yield Form(f"{pair.path}/quit", [key(), ("how", "free")])
    yield Form(f"{pair.path}/quit", [key(), ("how", "resign")], not leaves_alike(pair, seat))
    for token in ("", "nonsense", own_link(pair, who).partition("?t=")[2]):
        yield Form(f"{pair.path}/seat", [key(), ("t", token)])
    yield Form("/code", [("code", pair.id)])
    yield Form("/code", [("code", "AAAAAAAA")])
    yield Form("/prefer/theme", [("theme", "dark"), ("back", pair.path)])
    yield Form("/prefer/theme", [("theme", "dark"), ("back", EVIL)])
    for method in ("PUT", "DELETE", "OPTIONS"):
        yield Form(pair.path, [], method=method)


def seat_of(pair: Pair, who: Person) -> int | None:
    """Where somebody sits, if they sit here by now."""
    if who not in pair.people:
        return None
    chair = pair.twins.one.table(pair.id).chairs[seat := pair.people.index(who)]
    return seat if chair.player else None


def may_deal(pair: Pair, who: Person) -> bool:
    """Could a form of theirs make the game begin, which deals each world other pieces?"""
    table = pair.twins.one.table(pair.id)
    return table.status is Status.OPEN or (bool(table.free()) and seat_of(pair, who) is None)


def undoes_alike(pair: Pair, seat: int | None) -> bool:
    return seat is None or not pair.matches or alike(pair, GameOperation("undo", seat))


def leaves_alike(pair: Pair, seat: int | None) -> bool:
    return seat is None or not pair.matches or alike(pair, GameOperation("leave", seat))


# -- moving ----------------------------------------------------------------------------


def move_all(pair: Pair, who: Person, most: int) -> None:
    """Moves of every kind, right and wrong ones; so many at most of those that are refused."""
    seat = seat_of(pair, who)
    number = str(pair.match.question_numbers.get(-1 if seat is None else seat, pair.match.number))
    fates: dict[str, list[Fields]] = {}
    for fields in pair.dice.sample(turns(pair), 3 * most):
        fates.setdefault(outcome(pair, seat, fields), []).append(fields)
    played, telling = fates.pop(ALIKE, []), fates.pop(TELLING, [])
    pair.twins.tally["telling moves"] += len(telling)
    evenly = [fields for each in zip_longest(*fates.values()) for fields in each if fields]
    with pair.twins.kept(who) as restore:
        for fields in evenly[:most]:
            reply = post_turn(pair, who, [("asked", number), *fields])
            if reply.accepted:
                raise Broken(f"{pair.scene}: {fields} was accepted, against the rules")
            pair.twins.tally[f"refusals {reply.refusal}"] += 1
            if pair.dice.below(4) == 0:
                form = [pair.twins.key(), ("asked", number), *fields]
                pair.twins.ask(who, "POST", f"{pair.path}/turn", form, **PIECE)
                pair.twins.ask(who, "GET", f"{pair.path}/sure?{urlencode([('asked', number), *fields])}")
        for fields in played[: max(3, most // 10)]:
            for stale in ([], [("asked", "x")], [("asked", str(int(number) + 1))], [("asked", "-1")]):
                post_turn(pair, who, [*stale, *fields])
            pair.twins.ask(who, "GET", f"{pair.path}/sure?{urlencode([('asked', number), *fields])}")
            play(pair, who, [("asked", number), *fields])
            restore()


def post_turn(pair: Pair, who: Person, fields: Fields) -> Reply:
    return pair.twins.ask(who, "POST", f"{pair.path}/turn", [pair.twins.key(), *fields])


def play(pair: Pair, who: Person, fields: Fields) -> None:
    """A move after which one must know as little as before; and the same form again, and falsified."""
    form = [pair.twins.key(), *fields]
    path = f"{pair.path}/turn"
    if pair.twins.ask(who, "POST", path, form).accepted:
        pair.twins.tally["moves"] += 1
        read_again(pair, who)
        pair.twins.ask(who, "POST", path, form)
        pair.twins.ask(who, "POST", path, form, **PIECE)
        pair.twins.ask(who, "POST", path, [*form, ("more", "than before")])
        pair.twins.ask(who, "POST", f"{pair.path}/undo", [pair.twins.key()])
        read_again(pair, who)


def turns(pair: Pair) -> Iterator[Fields]:
    """What a form for a move may say, rightly and wrongly."""
    match = pair.match
    for seat_asked in match.prompts:  # if another seat is asked, what that one could do
        for option in match.options(seat_asked):
            if isinstance(option, Action):
                yield [("move", write(option))]
    for kind in actions(match.rules):
        yield [("do", tag(kind))]
        for filled in islice(product(*spellings(pair, kind)), 400):
            yield [("do", tag(kind)), *(pair for field in filled for pair in field)]
    for words in ("", "dance", "fire 'A1", "undo", "leave", "fire " + "A" * 300):
        yield [("move", words)]


def spellings(pair: Pair, kind: type[Action]) -> Iterator[list[Fields]]:
    """For each field of an action, how it may be filled in."""
    for field in form_fields(kind):
        values = [choice.value for choice in field.choices]
        if field.kind == "number":
            values = ["-1", "0", "1", "2", "3", "99999", "x"]
        elif not values:
            values = of(pair.title.rules).candidate_words(pair.match.game)
        if field.name in listed(kind):
            several = [[], *(values[nth : nth + many] for nth in range(len(values)) for many in range(1, 5))]
            several += [[value] * 2 for value in values]
            yield [[(field.name, value) for value in chosen] for chosen in several]
        else:
            yield [[(field.name, value)] for value in [*values, "nonsense"]]


ALIKE = "accepted, and the viewer is as wise as before"
TELLING = "accepted, and the viewer learns what is different"


def outcome(pair: Pair, seat: int | None, fields: Fields) -> str:
    """What comes of a move: accepted in one way or the other, or the token of why it is refused."""
    try:
        if seat is None:
            raise Refused(TableRefusal.NOT_SEATED)
        op = GameOperation("move", seat, from_form(MultiDict(fields), actions(pair.title.rules)))
        pair.match.check(seat, op.action)
    except Refused as no:
        # Accepted in the other world, and not in this one: that will be seen.
        return no.token
    return ALIKE if alike(pair, op) else TELLING


def alike(pair: Pair, op: GameOperation) -> bool:
    """Would an act leave the viewer as wise as before, and the game going on?

    Also if one world refuses it and the other does not, for that must not be.
    """
    after = [fate(match, op) for match in pair.matches]
    if None in after:
        return True
    witnesses = [witness(match, pair.viewer) for match in after if match]
    return witnesses[0] == witnesses[1] and not any(match.result for match in after if match)


# -- the end ---------------------------------------------------------------------------


def revealed(pair: Pair) -> bool:
    """When the game is over, may everybody see that the worlds were different?"""
    twins = pair.twins
    if pair.match.pending:  # choices are shown when all are in
        for seat in pair.match.waiting_for():
            number = pair.match.question_numbers[seat]
            op = GameOperation("move", seat, random_choice(pair.match, seat, pair.dice))
            path, fields = pair.form(op, number)
            twins.each(pair.people[seat], "POST", path, [twins.key(), *fields])
    for seat, chair in enumerate(twins.one.table(pair.id).chairs):
        if chair.player and twins.one.table(pair.id).status is not Status.OVER:
            twins.each(pair.people[seat], "POST", f"{pair.path}/quit", [twins.key(), ("how", "resign")])
    if twins.one.table(pair.id).status is not Status.OVER:
        raise Broken(f"{pair.scene}: everybody left, and it is not over")
    for path in ("", "/at/0", "/log"):
        one, other = twins.each(pair.viewers[0], "GET", pair.path + path)
        if twins.unseeded(twins.one, one) != twins.unseeded(twins.other, other):
            return True
    return False
