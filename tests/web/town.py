"""A site that sends notices: with a clock of the test's own, and a box for all that is sent."""

import re

from strifebarge.app import dispatcher
from strifebarge.notifications.dispatch import Dispatcher, NotificationMessage
from strifebarge.notifications.models import Channel, ChannelKind, Subscriber
from strifebarge.rules import Refused
from strifebarge.tables.model.player import public_id
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.web.http.seals import Seals
from tests.support.visitor import Local, Page
from tests.web.house import House, Party

NOON = 2_000_023_200.0  # 18 May 2033, 10 in the morning, UTC
URL = "https://games.example.org"


class Box:
    """Where all letters of a test land, whatever way they go; it may be shut."""

    tries = (60.0, 600.0)

    def __init__(self) -> None:
        self.sent: list[tuple[str, NotificationMessage]] = []
        self.shut = False

    def send(self, address: Channel, message: NotificationMessage) -> None:
        if self.shut:
            raise Refused(NotificationRefusal.NO_ANSWER)
        self.sent.append((address.address, message))

    def taken(self) -> list[tuple[str, NotificationMessage]]:
        sent, self.sent = self.sent, []
        return sent


class Town:
    """A site with a clock of the test's own and a box for its letters."""

    def __init__(self, house: House):
        self.house = house
        self.now = NOON
        self.box = Box()
        house.referee.now = lambda: self.now  # type: ignore[method-assign]
        self.post: Dispatcher = dispatcher(house.services, house.app.extensions["settings"])
        self.post.carriers = dict.fromkeys(ChannelKind, self.box)

    def wait(self, seconds: float = 61) -> list[tuple[str, NotificationMessage]]:
        """Time goes on, the post makes its round; what has come."""
        self.now += seconds
        self.post(self.now)
        return self.box.taken()

    def chess(self) -> Party:
        """A game of two, the second one told by a webhook; it is the first one's turn."""
        party = self.house.gathered("chess")
        self.told(party.players[1])
        return party

    def told(self, who: Local, place: str = "https://hooks.example.org/a", **wishes: str) -> Local:
        """Somebody who is told by a webhook."""
        added = who.submit(who.get("/notices"), "/notices/add", way="discord", place=place)
        assert added.status == 303, added.words
        if wishes:
            page = who.get("/notices")
            assert who.submit(page, "/notices", **wishes).status == 303
        return who

    def by_mail(self, who: Local, place: str = "ann@example.org", answers: bool = False) -> Local:
        """Somebody who is told by mail, and has said that it is theirs."""
        assert who.submit(who.get("/notices"), "/notices/add", way="mail", place=place).status == 303
        [(_, message)] = self.wait(0)
        link = link_in(message.text, "/notices/confirm")
        stranger = self.house.visitor()
        assert stranger.submit(stranger.get(link), "/notices/confirm").status == 303
        if answers:
            choose(who, answers="yes")
        return who


def choose(who: Local, **fields: str) -> Page:
    """Send the form of wishes with these fields, and all kinds of notices."""
    form = who.get("/notices").form("/notices")
    kinds = [("kind", kind) for kind in ("turn", "half", "nudge", "agree", "over")]
    given = {"zone": "UTC", "key": dict(form.filled())["key"], **fields}
    return who.post("/notices", [*kinds, *given.items()])


def link_in(text: str, path: str) -> str:
    """The path of a link in a letter."""
    match = re.search(re.escape(URL) + "(" + re.escape(path) + r"\S*)", text)
    assert match, text
    return match[1]


def answering(party: Party) -> str:
    """What stands in the link of a letter by which the one to move may do so."""
    house = party.house
    chair = house.referee.views.status(party.code).chairs[party.players.index(party.to_move())]
    player = str(chair.player)
    reader = Subscriber(player=player, answers=True)
    house.store.notifications.keep_subscriber(reader)
    number = house.referee.views.show(player, party.code).question_number or 0
    seals = Seals(house.app.extensions["settings"].secret_keys, house.referee.now)
    return seals.answer(
        public_id(player), reader.link_serial, party.code, chair.seat, chair.generation, number
    )


def address_of(who: Local) -> str:
    """The one on somebody's page of notices, as forms speak of it."""
    return re.findall(r'name="address" value="(\w+)"', who.get("/notices").text)[0]


def moves(party: Party, *words: str) -> None:
    """The two make these moves in turn, white first."""
    for number, move in enumerate(words):
        assert party.players[number % 2].move(party.table, f"move {move}").status == 303


def play_on(party: Party, mover: Local) -> None:
    """Somebody plays until it is another's turn."""
    while (page := mover.get(party.table)).my_turn:
        assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
