"""Letters in words: in their reader's language, with what everybody at the table may know and no more.

No request is being answered here: what a page knows of its reader is asked of what they have chosen.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from strifebarge.post import Message
from strifebarge.rules import Refused, Text, count
from strifebarge.rules.text import tell
from strifebarge.table.letters import Address, Kind, Letter, Way
from strifebarge.table.library import Title
from strifebarge.table.ports import public_id
from strifebarge.table.reasons import NotTold
from strifebarge.table.referee import Referee
from strifebarge.table.table import FLAGS, Chair, Table

from .languages import ENGLISH, Language, Languages

CONFIRM_WITHIN = 7 * 86400  # seconds


class Seals:
    """Signs what links carry, each kind with a salt of its own: none is good for anything else."""

    def __init__(self, keys: Sequence[str]):
        self.keys = list(keys)

    def off(self, address: str) -> str:
        return self._seal("off", address)

    def confirm(self, address: str) -> str:
        return str(URLSafeTimedSerializer(self.keys, salt="strifebarge:confirm").dumps(address))

    def feed(self, person: str, generation: int) -> str:
        return self._seal("feed", [person, generation])

    def person(self, person: str, number: int) -> str:
        return self._seal("person", [person, number])

    def answer(self, person: str, lot: int, table: str, seat: int, generation: int, asked: int) -> str:
        return self._seal("answer", [person, lot, table, seat, generation, asked])

    def read(self, kind: str, token: str) -> Any:
        """What a token says.  Raises Refused(DEAD_LINK)."""
        try:
            if kind == "confirm":
                timed = URLSafeTimedSerializer(self.keys, salt="strifebarge:confirm")
                return timed.loads(token, max_age=CONFIRM_WITHIN)
            return URLSafeSerializer(self.keys, salt=f"strifebarge:{kind}").loads(token)
        except (BadSignature, ValueError) as wrong:
            raise Refused(NotTold.DEAD_LINK) from wrong

    def _seal(self, kind: str, what: Any) -> str:
        return str(URLSafeSerializer(self.keys, salt=f"strifebarge:{kind}").dumps(what))


class Voice:
    """Tells a text plainly, as everybody at a table may hear it."""

    viewer: int | None = None

    def __init__(self, language: Language, title: Title | None = None, table: Table | None = None):
        self.words = language.of(title)
        self.table = table

    def sentence(self, text: str, plural: str, n: int) -> str:
        return self.words.ngettext(text, plural, n) if plural else self.words.gettext(text)

    def seat(self, number: int) -> str:
        chairs = self.table.chairs if self.table else []
        return self.name(chairs[number]) if number < len(chairs) else str(number + 1)

    def word(self, value: str) -> str:
        return value

    def say(self, text: Any) -> str:
        return tell(text, self)

    def name(self, chair: Chair) -> str:
        return self.say(Text("Guest {flag}", {"flag": FLAGS[chair.letter]})) if chair.guest else chair.name

    def game(self, title: Title) -> str:
        return self.words.gettext(str(title.title))


def told(kind: Kind, game: str, others: str) -> Text:
    """What a letter tells, in a sentence."""
    named = {"game": game, "others": others}
    match kind:
        case Kind.TURN:
            alone, together = (
                Text("It is your turn in {game}."),
                Text("It is your turn in {game} with {others}."),
            )
        case Kind.HALF:
            alone = together = Text("Half of the time for your move in {game} is gone.")
        case Kind.LAST:
            alone = together = Text("Little time is left for your move in {game}.")
        case Kind.NUDGE:
            alone = together = Text("They wait for your move in {game}: {others}.")
        case Kind.AGREE:
            alone = together = Text("They wait for you to agree in {game}: {others}.")
        case Kind.DECIDE:
            alone = together = Text("Somebody's time has run out in {game}: you may decide what comes of it.")
        case Kind.RESUMES:
            alone = together = Text("The pause in {game} ends within a day: then all clocks go on.")
        case Kind.OVER:
            alone, together = (
                Text("Your game of {game} is over."),
                Text("Your game of {game} with {others} is over."),
            )
        case Kind.TEST:
            return Text("This is what a notice looks like. Nothing has happened.")
        case _:
            return Text("Do you want to be told here when it is your turn?")
    chosen = together if others else alone
    return Text(chosen.sentence, named)


class Wording:
    """Puts letters into words."""

    def __init__(self, referee: Referee, languages: Languages, seals: Seals, url: str):
        self.referee = referee
        self.languages = languages
        self.seals = seals
        self.url = url

    def __call__(self, address: Address, letters: list[Letter], tables: dict[str, Table]) -> Message:
        reader = self.referee.store.outbox.reader(address.player)
        language = self.languages.by_code.get(reader.language if reader else "", ENGLISH)
        voice = Voice(language)
        by_mail = address.way is Way.MAIL
        lot = reader.lot if by_mail and reader and reader.answers else None
        parts = [self._part(each, tables.get(each.table or ""), language, lot) for each in letters]
        firsts = [part[0] for part in parts]
        if len(letters) == 1:
            link = self._link(letters[0])
            subject = firsts[0].rstrip(".")
        else:
            link = f"{self.url}/games"
            subject = voice.say(count("{n} notice", "{n} notices", len(letters)))
        text, off = "\n\n".join("\n".join(part) for part in parts), ""
        if letters[0].kind is Kind.CONFIRM:
            text += "\n\n" + self._asking(voice, address)
        elif by_mail:
            off = f"{self.url}/notices/off?t={self.seals.off(address.id)}"
            text += "\n\n-- \n" + voice.say(
                Text("What is sent, and when: {link}", {"link": f"{self.url}/notices"})
            )
            text += "\n" + voice.say(Text("No more mail to this address: {link}", {"link": off}))
        digest = sha256(" ".join([address.id, *sorted(each.id for each in letters)]).encode())
        return Message(
            id=digest.hexdigest()[:32],
            subject=f"{subject} – StrifeBarge" if "StrifeBarge" not in subject else subject,
            text=text + "\n",
            short="\n".join("\n".join(part) for part in parts),
            link=link,
            off=off,
        )

    def _link(self, letter: Letter) -> str:
        return f"{self.url}/g/{letter.table}" if letter.table else f"{self.url}/notices"

    def _part(self, letter: Letter, table: Table | None, language: Language, lot: int | None) -> list[str]:
        """A letter's own lines: what it tells, what happened last, where it leads."""
        voice = Voice(language)
        if table is None:
            return [voice.say(told(letter.kind, "", ""))]
        lines = [sentence_of(letter, table, self.referee, language)]
        lines += [line] if (line := self._last(table, language)) else []
        lines.append(self._link(letter))
        of_a_move = letter.kind not in (Kind.AGREE, Kind.DECIDE, Kind.RESUMES, Kind.OVER)
        if lot is not None and of_a_move and (way := self._answer(letter, table, lot)):
            lines.append(
                voice.say(Text("Or make this one move here, without signing in: {link}", {"link": way}))
            )
        return lines

    def _last(self, table: Table, language: Language) -> str:
        """What everybody was told last."""
        view = self.referee.show(None, table.id)
        voice = Voice(language, view.title, table)
        return voice.say(view.lines[-1].text) if view.lines else ""

    def _answer(self, letter: Letter, table: Table, lot: int) -> str:
        """Where the one question can be answered that the seat is asked now; "" if it is asked none."""
        view, chair = self.referee.show(letter.player, table.id), table.chair_of(letter.player)
        if chair is None or view.asked is None:
            return ""
        person = public_id(letter.player)
        token = self.seals.answer(person, lot, table.id, chair.seat, chair.generation, view.asked)
        return f"{self.url}/g/{table.id}/answer?t={token}"

    def _asking(self, voice: Voice, address: Address) -> str:
        link = f"{self.url}/notices/confirm?t={self.seals.confirm(address.id)}"
        return "\n\n".join(
            [
                voice.say(
                    Text("Somebody has entered this address there. If it was you, open this page and say so:")
                ),
                link,
                voice.say(Text("If not, do nothing: no other mail will come.")),
            ]
        )


def sentence_of(letter: Letter, table: Table, referee: Referee, language: Language) -> str:
    """What a letter tells of its table."""
    title = referee.library[table.game]
    voice = Voice(language, title, table)
    others = [voice.name(each) for each in table.chairs if each.player and each.player != letter.player]
    return Voice(language).say(told(letter.kind, voice.game(title), ", ".join(others)))
