"""All that is kept of somebody is in their data, and goes when they are erased: column by column."""

import json
from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
from sqlalchemy import String

from strifebarge.notifications.models import (
    Channel,
    ChannelKind,
    ChannelState,
    Notification,
    NotificationKind,
    Subscriber,
)
from strifebarge.people.models import Passkey, PersonalLink, Scope, Token
from strifebarge.store.schema import metadata
from strifebarge.tables.clock.vacation import Vacation
from tests.support.visitor import Local
from tests.web.house import House, OpenHouse, Party, suspend
from tests.web.signing import PASSWORD, code_of, page_of, sign_up
from tests.web.table.test_curtain import lift
from tests.web.table.test_put_aside import press

Data = dict[str, Any]
URL = "https://games.example.org"


def at_tables(what: str) -> Callable[[Data], object]:
    return lambda data: [each for each in data["tables"] if each.get(what)]


# Where somebody's secret id stands, and what tells them of it.
THEIRS: dict[tuple[str, str], Callable[[Data], object]] = {
    ("players", "id"): lambda data: data["me"]["name"],
    ("tables", "host"): at_tables("host"),
    ("tables", "body"): lambda data: data["tables"],
    ("traces", "player"): lambda data: data["tables"],
    ("chairs", "player"): at_tables("my_seats"),
    ("invitations", "player"): at_tables("invited_by"),
    ("receipts", "player"): lambda data: data["times"]["form"],
    ("chat_messages", "player"): lambda data: data["chat"],
    ("notes", "player"): lambda data: data["notes"],
    ("mutes", "player"): lambda data: data["not_read"],
    ("presence", "player"): lambda data: data["times"]["here"],
    ("devices", "player"): lambda data: data["me"]["devices"],
    ("accounts", "player"): lambda data: data["me"]["login"],
    ("passkeys", "player"): lambda data: data["me"]["passkeys"],
    ("personal_links", "player"): lambda data: data["me"]["personal_link"],
    ("tokens", "player"): lambda data: data["me"]["tokens"],
    ("device_codes", "player"): lambda data: data["times"]["code"],
    ("vacations", "player"): lambda data: data["vacations"],
    ("record_players", "player"): at_tables("record"),
    ("ratings", "player"): lambda data: data["ratings"],
    ("subscribers", "player"): lambda data: data["notices"]["wanted"],
    ("subscribers", "body"): lambda data: data["notices"]["wanted"],
    ("channels", "player"): lambda data: data["notices"]["channels"],
    ("notifications", "player"): lambda data: data["notices"]["notifications"],
    ("tournaments", "organiser"): lambda data: data["tournaments"],
    ("entrants", "player"): lambda data: data["tournaments"],
    ("tournament_receipts", "player"): lambda data: data["times"]["tournament"],
    ("page_visits", "player"): lambda data: data["times"]["looked"],
    ("nudges", "player"): lambda data: data["times"]["nudged"],
}
# Who does not read somebody is a secret of whoever chose so.
OTHERS = {("mutes", "other")}
# Whose form is being judged, which is forgotten within a minute.
FLEETING = {("forms_being_judged", "player")}
# Columns of words that name nobody by their secret id, wherever they stand.  A new one belongs here or above.
NOBODYS = {
    *("id", "table_id", "record_id", "notification_id", "channel_id", "parent", "series", "key", "code_hash"),
    *("game", "status", "stage", "pace", "language", "kind", "room", "phrase", "address", "state"),
    *("action", "log", "fingerprint", "digest", "by", "name", "text", "login", "password", "public"),
    *("tournament_id", "outcome", "entrants", "places", "form_key", "key_hash"),
    *("used_by", "error", "preferences", "gone", "body", "sid_hash", "value", "device", "mark", "skeleton"),
    *("machine", "hash", "scopes", "token", "facts", "act", "subject", "details", "ban"),
}  # fmt: skip


def test_every_column_of_words_is_known_to_name_people_or_not() -> None:
    names = {
        (table.name, column.name)
        for table in metadata.sorted_tables
        for column in table.c
        if isinstance(column.type, String)
    }
    unknown = {each for each in names - THEIRS.keys() - OTHERS - FLEETING if each[1] not in NOBODYS}
    assert not unknown, "whose are these?  See to it that they are in one's data, and are erased"
    assert not {*THEIRS, *OTHERS, *FLEETING} - names


def columns_with(house: House, id: str) -> set[tuple[str, str]]:
    """The columns in which a secret id stands; sessions are ended by their devices."""
    columns = set()
    with house.engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(table.select()).mappings() if table.name != "web_sessions" else ():
                columns |= {(table.name, name) for name, value in row.items() if id in str(value)}
    return columns


@pytest.fixture
def house(open_house: OpenHouse) -> House:
    return open_house(public_url=URL, secure=False)


def id_of(house: House, who: Local) -> str:
    return house.store.accounts.person(page_of(who).removeprefix("/p/")).id


def all_sorts(house: House) -> tuple[Local, Party]:
    """Somebody of whom everything is kept that can be, and a table where they sit in company."""
    rated = house.gathered("rps", afterwards="rated")
    ann, ben = rated.players
    ann.submit(ann.get("/me"), "/me/name", name="Zebedee")
    for who, hand in ((ann, "rock"), (ben, "paper")):
        who.move(rated.table, f"throw {hand}")
    page = ben.start("strifebarge", seats="3")
    ben.submit(page, "/ask", page.form("/ask").buttons[0])
    sign_up(ann, "zebedee")
    code_of(ann)
    company = beside(house, ann)
    ann.submit(ann.get(company.table), "/say", text="I am here")
    ann.submit(ann.get(company.table), "/note", note="they hold the eights")
    form = ann.get("/tournaments/new/rps").form("/tournaments/new/rps")
    path = ann.post("/tournaments/new/rps", form.filled(name="A cup", pace="days-3")).headers["Location"]
    ann.submit(ann.get(path), "/join", name="Zebedee")
    store, id = house.store, id_of(house, ann)
    store.accounts.keep_link(PersonalLink(id, 1, 1.0))
    store.tables.mute(id, id_of(house, ben), True)
    store.tables.mute(id_of(house, ben), id, True)
    store.tokens.add_token(Token("tok", id, "0" * 64, "Bot", [Scope.READ], 1, 1), "form", 9.0)
    store.accounts.add_passkey(Passkey("a key", id, b"public", 0, "Firefox", 1, 1))
    store.tables.set_vacation(id, lambda _: Vacation(id, 1.0, 2.0))
    store.notifications.keep_subscriber(Subscriber(player=id))
    store.notifications.keep_channel(
        Channel(id="ad", player=id, kind=ChannelKind.NTFY, address=f"{URL}/topic", state=ChannelState.WORKING)
    )
    store.notifications.look(id, company.code, 5.0)
    with store.tables.change(company.code) as change:
        change.write_notification(
            Notification(id="le", player=id, kind=NotificationKind.TURN, table=company.code, created=1, due=1)
        )
        change.note_nudge(id, 7.0, 0.0)
    return ann, company


def beside(house: House, guest: Local) -> Party:
    """Eights, where a guest plays the second seat together with Ben, and has moved for it."""
    host, ben = house.visitor(), house.visitor()
    table = host.start("eights", seats="2", name="Hella", t_begins="agreed").table
    ben.join(table, name="Ben")
    guest.submit(guest.get(house.link(ben, table, "beside")), "/seat")
    party = Party(house, table, [host, ben])
    for who in (host, ben, guest):
        press(who, party, "/ready")
    while not (page := guest.get(table)).my_turn:
        page = host.get(table)
        host.submit(page, "/turn", page.form("/turn").moves[0])
    guest.submit(page, "/turn", page.form("/turn").moves[0])
    return party


def data_of(who: Local) -> Data:
    data: Data = json.loads(who.get("/me/data.json").body)
    return data


def test_all_that_is_kept_of_somebody_is_in_their_data(house: House) -> None:
    ann, _ = all_sorts(house)
    assert columns_with(house, id_of(house, ann)) == {*THEIRS, *OTHERS}, (
        "the world of this test lacks something"
    )
    page = ann.get("/me/data.json")
    data = json.loads(page.body)
    assert not [where for where, holds in THEIRS.items() if not holds(data)]
    for secret in (id_of(house, ann), "argon2", "code_hash", "a key", PASSWORD):
        assert secret not in page.text


def test_nothing_that_is_kept_of_somebody_outlives_them(house: House) -> None:
    ann, _ = all_sorts(house)
    id = id_of(house, ann)
    public = house.store.accounts.player(id).public
    done = ann.submit(ann.get("/me/erase"), "/me/erase", sure="yes", password=PASSWORD)
    assert done.status == 303, done.words
    assert columns_with(house, id) == {("players", "id")}  # that nobody is it any more
    assert "Zebedee" not in str(house.kept())
    assert public not in str(house.kept())


def test_a_game_that_one_plays_in_company_is_in_ones_data_with_ones_own_moves(house: House) -> None:
    guest = house.visitor()
    guest.start("rps", name="Cleo")
    party = beside(house, guest)
    mine = next(each for each in data_of(guest)["tables"] if each["id"] == party.code)
    assert (mine["my_seats"], mine["my_names"]) == ([1], ["Cleo"])
    assert mine["players"] == [["Hella"], ["Ben", "Cleo"]]
    assert {"Cleo"} <= {move.get("by") for move in mine["my_moves"]} <= {"Ben", "Cleo"}
    assert mine["log"]
    suspend(party.players[0], party)
    late = house.visitor()
    late.submit(late.get(house.link(party.players[1], party.table, "beside")), "/seat", name="Dora")
    [hers] = data_of(late)["tables"]
    assert (hers["my_seats"], hers["my_moves"]) == ([1], [])  # who has yet to be agreed to sees nothing


def test_whoever_stands_in_or_is_host_alone_is_told_so(house: House) -> None:
    party, helper = house.fleet(3), house.visitor()
    helper.submit(helper.get(house.link(party.players[1], party.table, "substitute")), "/seat", name="Dora")
    assert data_of(helper)["tables"] == [{"id": party.code, "game": "strifebarge", "substitute_for": [1]}]


def test_of_several_at_one_device_the_data_shows_nobody_what_another_did(house: House) -> None:
    ann = house.visitor()
    table = ann.start("strifebarge", seats="2", devices="one", name="Ann", others="Ben").table
    for note in ("Ben is at K9", "Ann is at A1"):
        page = lift(ann, table)
        ann.submit(page, "/note", note=note)
        ann.submit(page, "/turn", page.form("/turn").moves[0])
    data = data_of(ann)
    [entry] = data["tables"]
    assert (entry["my_seats"], entry["my_moves"]) == ([0, 1], [])
    assert sorted((each["seat"], each["text"]) for each in data["notes"]) == [
        (0, "Ben is at K9"),
        (1, "Ann is at A1"),
    ]
    chess = house.visitor()
    page = chess.start("chess", devices="one", others="Ben")
    for move in ("e4", "e5"):
        chess.submit(chess.get(page.table), "/turn", move=f"move {move}")
    [entry] = data_of(chess)["tables"]
    assert [move["seat"] for move in entry["my_moves"]] == [0, 1]


def test_notes_of_one_device_go_along_and_are_erased(house: House) -> None:
    guest, member = house.visitor(), house.visitor()
    table = guest.start("strifebarge", seats="2", devices="one", others="Ben").table
    guest.submit(lift(guest, table), "/note", note=f"seen at {token_hex(4)}")
    old = id_of(house, guest)
    sign_up(member, "with.notes")
    form = guest.get("/sign-in").form("/sign-in")
    assert guest.post("/sign-in", form.filled(login="with.notes", password=PASSWORD)).status == 303
    assert [each["seat"] for each in data_of(guest)["notes"]] == [0]
    assert columns_with(house, old) == {("players", "id")}
    guest.submit(guest.get("/me/erase"), "/me/erase", sure="yes", password=PASSWORD)
    assert house.kept_of("notes") == []
