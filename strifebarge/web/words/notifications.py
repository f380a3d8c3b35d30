"""Put notifications into words, with what everybody at the table may know and no more.

No request is being answered here: the language is the one that the subscriber has chosen.
"""

from collections.abc import Collection
from hashlib import sha256
from typing import Any

from strifebarge.notifications.message import NotificationMessage
from strifebarge.notifications.models import Channel, ChannelKind, Notification, NotificationKind
from strifebarge.notifications.service import Notifications
from strifebarge.rules import Text, count
from strifebarge.rules.text import Translator, tell
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.bots import parts_of_name
from strifebarge.tables.model.chair import GUEST, is_guest_name
from strifebarge.tables.model.player import public_id
from strifebarge.tables.model.table import FLAGS, Chair, Table
from strifebarge.tables.play.referee import Referee
from strifebarge.web.http.seals import Seals
from strifebarge.web.words.languages import ENGLISH, Language, Languages
from strifebarge.web.words.names import BOTS


class PlainVoice(Translator):
    """A teller of texts in plain words, as everybody at a table may hear them."""

    def __init__(self, language: Language, title: Title | None = None, table: Table | None = None):
        self.words = language.of(title)
        self.table = table

    def is_one_of(self, seats: Collection[int]) -> bool:
        """Return False: what nobody else may hear is not said aloud."""
        return False

    def seat(self, number: int) -> str:
        chairs = self.table.chairs if self.table else []
        return self.name(chairs[number]) if number < len(chairs) else str(number + 1)

    def word(self, value: str) -> str:
        return value

    def say(self, text: Any) -> str:
        return tell(text, self)

    def name(self, chair: Chair) -> str:
        if chair.player is None:
            return self.say(Text("{flag} (free)", {"flag": FLAGS[chair.letter]}))
        return self.known_as(chair.called)

    def known_as(self, name: str) -> str:
        """Return a name, in this language where the site has given it."""
        if is_guest_name(name):
            return self.say(Text("Guest {flag}", {"flag": name.removeprefix(f"{GUEST} ")}))
        bot = parts_of_name(name)
        return f"{self.say(BOTS[bot[0]])} {bot[1]}".rstrip() if bot else name

    def game(self, title: Title) -> str:
        return self.words.gettext(str(title.title))


def sentence_for(kind: NotificationKind, game: str, others: str) -> Text:
    """Return the sentence of a kind of notification."""
    named = {"game": game, "others": others}
    match kind:
        case NotificationKind.TURN:
            alone, together = (
                Text("It's your turn in {game}."),
                Text("It's your turn in {game} with {others}."),
            )
        case NotificationKind.HALF:
            alone = together = Text("Half of your time for this move in {game} is gone.")
        case NotificationKind.LAST:
            alone = together = Text("You're almost out of time in {game}.")
        case NotificationKind.NUDGE:
            alone = together = Text("Still your turn in {game}. Waiting: {others}.")
        case NotificationKind.AGREE:
            alone = together = Text("{others} want your answer in {game}.")
        case NotificationKind.DECIDE:
            alone = together = Text("A player ran out of time in {game}. You can decide what happens.")
        case NotificationKind.RESUMES:
            alone = together = Text("The clocks in {game} restart within a day.")
        case NotificationKind.OVER:
            alone, together = (
                Text("Your game of {game} is over."),
                Text("Your game of {game} with {others} is over."),
            )
        case NotificationKind.TEST:
            return Text("This is a test: your notifications work.")
        case _:
            return Text("Confirm your address for notifications")
    chosen = together if others else alone
    return Text(chosen.sentence, named)


class Wording:
    """A writer of notifications."""

    def __init__(
        self, referee: Referee, notifications: Notifications, languages: Languages, seals: Seals, url: str
    ):
        self.referee = referee
        self.notifications = notifications
        self.languages = languages
        self.seals = seals
        self.url = url

    def __call__(
        self, channel: Channel, notifications: list[Notification], tables: dict[str, Table]
    ) -> NotificationMessage:
        subscriber = self.notifications.subscriber(channel.player)
        language = self.languages.by_code.get(subscriber.language if subscriber else "", ENGLISH)
        voice = PlainVoice(language)
        by_mail = channel.kind is ChannelKind.MAIL
        answers = by_mail and subscriber is not None and subscriber.answers
        serial = subscriber.link_serial if subscriber and answers else None
        parts = [self._part(each, tables.get(each.table or ""), language, serial) for each in notifications]
        firsts = [part[0] for part in parts]
        if len(notifications) == 1:
            link = self._link(notifications[0])
            subject = firsts[0].rstrip(".")
        else:
            link = f"{self.url}/games"
            subject = voice.say(count("{n} notification", "{n} notifications", len(notifications)))
        text, off = "\n\n".join("\n".join(part) for part in parts), ""
        if notifications[0].kind is NotificationKind.CONFIRM:
            text += "\n\n" + self._asking(voice, channel)
        elif by_mail:
            off = f"{self.url}/notices/off?t={self.seals.off(channel.id)}"
            text += "\n\n-- \n" + voice.say(
                Text("Change your notifications: {link}", {"link": f"{self.url}/notices"})
            )
            text += "\n" + voice.say(Text("Unsubscribe: {link}", {"link": off}))
        digest = sha256(" ".join([channel.id, *sorted(each.id for each in notifications)]).encode())
        return NotificationMessage(
            id=digest.hexdigest()[:32],
            subject=f"{subject} – StrifeBarge" if "StrifeBarge" not in subject else subject,
            text=text + "\n",
            short="\n".join("\n".join(part) for part in parts),
            link=link,
            off=off,
        )

    def _link(self, notification: Notification) -> str:
        return f"{self.url}/g/{notification.table}" if notification.table else f"{self.url}/notices"

    def _part(
        self, notification: Notification, table: Table | None, language: Language, serial: int | None
    ) -> list[str]:
        """Return a notification's own lines: what it tells, what happened last, where it leads."""
        voice = PlainVoice(language)
        if table is None:
            return [voice.say(sentence_for(notification.kind, "", ""))]
        lines = [sentence_of(notification, table, self.referee, language)]
        lines += [line] if (line := self._last(table, language)) else []
        lines.append(self._link(notification))
        of_a_move = notification.kind not in (
            NotificationKind.AGREE,
            NotificationKind.DECIDE,
            NotificationKind.RESUMES,
            NotificationKind.OVER,
        )
        if serial is not None and of_a_move and (way := self._answer(notification, table, serial)):
            lines.append(voice.say(Text("Or make just this move, without signing in: {link}", {"link": way})))
        return lines

    def _last(self, table: Table, language: Language) -> str:
        """Return the last line of the log that everybody was told."""
        view = self.referee.views.show(None, table.id)
        voice = PlainVoice(language, view.title, table)
        return voice.say(view.lines[-1].text) if view.lines else ""

    def _answer(self, notification: Notification, table: Table, serial: int) -> str:
        """Return the link that answers the question that the seat is asked now; "" if it is asked none."""
        view = self.referee.views.show(notification.player, table.id)
        chair = table.chair_of(notification.player)
        if chair is None or view.question_number is None:
            return ""
        person = public_id(notification.player)
        token = self.seals.answer(
            person, serial, table.id, chair.seat, chair.generation, view.question_number
        )
        return f"{self.url}/g/{table.id}/answer?t={token}"

    def _asking(self, voice: PlainVoice, channel: Channel) -> str:
        link = f"{self.url}/notices/confirm?t={self.seals.confirm(channel.id)}"
        return "\n\n".join(
            [
                voice.say(
                    Text(
                        "Someone entered this address for notifications. If it was you, open this link "
                        "to confirm:"
                    )
                ),
                link,
                voice.say(Text("If it wasn't you, ignore this email. We won't send another one.")),
            ]
        )


def sentence_of(notification: Notification, table: Table, referee: Referee, language: Language) -> str:
    """Return what a notification tells of its table."""
    title = referee.library[table.game]
    voice = PlainVoice(language, title, table)
    others = [voice.name(each) for each in table.chairs if each.player and each.player != notification.player]
    return PlainVoice(language).say(sentence_for(notification.kind, voice.game(title), ", ".join(others)))
