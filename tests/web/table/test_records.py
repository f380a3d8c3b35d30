"""The books on the site: permanent pages, the check, series, people's pages, games brought here as files."""

import json
import re
from random import Random
from typing import Any

import msgspec
import pytest

from strifebarge.results.record import LARGEST
from strifebarge.results.replaying import replay
from strifebarge.tables.model.player import public_id
from tests.support import forms
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Party, leave, play_out, token
from tests.web.markup import must_be_sound

ADDRESS = re.compile(r"/r/[0-9a-f]{16}")
PERSON = re.compile(r"/p/[0-9a-f]{16}")


def address_of(party: Party) -> str:
    """Where a game that is over stays, found by the link of its table to its check."""
    links = party.players[0].get(party.table).seen.links
    [address] = {link for link in links if link.endswith("/check")}
    return address.removesuffix("/check")


def thrown(house: House, *hands: str, **options: str) -> Party:
    party = house.gathered("rps", **options)
    for player, hand in zip(party.players, hands, strict=True):
        assert player.move(party.table, f"throw {hand}").status == 303
    return party


def killed(house: House, **options: str) -> Party:
    """A game that was ended before it was finished."""
    party = house.gathered("eights", 3, **options)
    forms.close(house.referee, party.code)
    return party


@pytest.fixture(scope="module")
def rated(house: House) -> Party:
    party = house.gathered("eights", 3, afterwards="rated")
    play_out(party, Random(12))
    return party


@pytest.fixture(scope="module")
def quiet(house: House) -> Party:
    party = house.gathered("eights", 3)
    play_out(party, Random(13))
    return party


def result_of(party: Party) -> str:
    """Return the sentence in which a table tells the result."""
    [result] = re.findall(r"Game over\. ([^.]+\.)", party.house.visitor().get(party.table).words)
    return str(result)


# -- the page that stays ---------------------------------------------------------------------


def test_a_game_that_is_over_has_a_page_that_stays_for_everybody(house: House, rated: Party) -> None:
    path = address_of(rated)
    result = result_of(rated)
    for who in rated.viewers.values():
        page = who.get(path)
        must_be_sound(page)
        assert page.status == 200
        assert result in page.words
        assert "Rematch" not in page.words
        assert not [form for form in page.forms if form.method == "POST" and form.action != "/prefer"]


def test_no_way_leads_from_the_page_that_stays_to_the_table(house: House, rated: Party) -> None:
    """Whoever finds a public game must not find the rematch, where a seat may be free."""
    path = address_of(rated)
    stranger = house.visitor()
    for page in (path, f"{path}/log", f"{path}/at/0", f"{path}/at/3", f"{path}/check"):
        assert rated.code not in stranger.get(page).text, page


def test_a_running_game_is_in_no_book(house: House) -> None:
    party = house.gathered("eights", 2, afterwards="rated")
    public = public_id(house.referee.views.status(party.code).chairs[0].player or "")
    for who in party.viewers.values():
        assert not ADDRESS.findall(who.get(party.table).text)
        page = who.get(f"/p/{public}")
        assert "o public games yet." in page.words
        assert party.code not in page.text


@pytest.mark.parametrize("wrong", ["0" * 16, "X" * 16, "1", "%00", "%ff", "0" * 17, "%2e%2e"])
@pytest.mark.parametrize("kind", ["r", "p"])
def test_an_address_at_which_there_is_nothing_says_so(house: House, kind: str, wrong: str) -> None:
    page = house.visitor().get(f"/{kind}/{wrong}")
    assert page.status == 404
    must_be_sound(page)
    if kind == "r":
        for more in ("/check", "/log", "/at/0", "/record.json"):
            assert house.visitor().get(f"/r/{wrong}{more}").status == 404


def test_the_wrong_address_of_a_record_is_no_guess_at_a_code(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=2)
    who = house.visitor()
    for _ in range(9):
        assert "no game record at this address" in who.get("/r/" + "0" * 16).words


def test_a_game_that_was_ended_before_it_was_finished_says_so_and_has_no_winner(house: House) -> None:
    party = killed(house, afterwards="rated")
    for path in (party.table, address_of(party)):
        page = house.visitor().get(path)
        must_be_sound(page)
        assert "Ended early: nobody won or lost." in page.words
        assert "Not rated: the game wasn't finished." in page.words
        assert "No result." in page.words
    mine = party.players[0].get("/p/me")
    assert "finished: 0, won: 0, shared: 0, not finished: 1" in mine.words


def test_a_game_whose_rules_have_changed_since_keeps_its_result(house: House, monkeypatch: Any) -> None:
    party = house.gathered("eights", 2, afterwards="rated")
    play_out(party, Random(3))
    path = address_of(party)
    monkeypatch.setattr("strifebarge.rules.match.Match.fingerprint", lambda self: "another")
    house.referee.matches.clear()
    page = house.visitor().get(path)
    assert page.status == 200
    assert result_of(party) in page.words
    assert "Its result and moves stand." in page.words
    checked = house.visitor().get(f"{path}/check")
    assert checked.status == 200
    assert "differs from the record. The moves stay as they are." in checked.words
    assert re.search(r"The position after move \d+ differs from the record\.", checked.words)
    record = json.loads(house.visitor().get(f"{path}/record.json").body)
    assert record["draws"] is None
    assert record["moves"]


# -- what is public, and what is not ------------------------------------------------------------


def secrets_of(house: House, party: Party) -> list[str]:
    return [chair.player for chair in house.referee.views.status(party.code).chairs if chair.player]


def every_page(house: House, party: Party) -> list[Page]:
    path, who = address_of(party), house.visitor()
    people = [public_id(secret) for secret in secrets_of(house, party)]
    paths = [party.table, path, f"{path}/check", f"{path}/log", f"{path}/at/1", f"{path}/record.json"]
    pages = [who.get(each) for each in (*paths, *(f"/p/{person}" for person in people))]
    return [*pages, *(player.get("/p/me") for player in party.players)]


def test_nobodys_secret_id_is_on_any_page_or_in_any_file(house: House, rated: Party, quiet: Party) -> None:
    for party in (rated, quiet):
        for page in every_page(house, party):
            assert page.status == 200
            for secret in secrets_of(house, party):
                assert secret not in page.text, page.path


def test_of_a_game_that_is_not_public_nobodys_page_is_named(house: House, quiet: Party) -> None:
    path = address_of(quiet)
    for who in quiet.viewers.values():
        for page in (quiet.table, path, f"{path}/record.json"):
            for person in map(public_id, secrets_of(house, quiet)):
                assert person not in who.get(page).text
    for player in quiet.players:
        page = player.get("/p/me")
        assert "You have no public games yet." in page.words
        assert not ADDRESS.findall(page.text)


def test_everybody_who_sits_down_is_told_what_becomes_of_the_result(house: House) -> None:
    table = house.visitor().start("eights", seats="2", afterwards="rated").table
    joining = house.visitor().get(table)
    assert "Results: public and rated." in joining.words
    plain = house.visitor().start("eights", seats="2").table
    assert "Results:" not in house.visitor().get(plain).words


def test_a_choice_there_is_not_is_refused_on_the_page_of_options(house: House) -> None:
    who = house.visitor()
    with house.unchanged():
        refused = who.submit(who.get("/new/rps"), "/new/rps", afterwards="secret")
    assert refused.status == 422
    assert "That result setting doesn't exist. Choose one from the list." in refused.words


def test_a_rated_game_shows_everybodys_rating_and_leads_to_their_pages(house: House, rated: Party) -> None:
    page = house.visitor().get(address_of(rated))
    people = sorted(set(PERSON.findall(page.text)))
    assert people == sorted(f"/p/{public_id(secret)}" for secret in secrets_of(house, rated))
    shown = set()
    for path in people:
        person = house.visitor().get(path)
        must_be_sound(person)
        assert "Crazy Eights" in person.words
        pattern = r"Crazy Eights (\d{3,4}) \(provisional\) finished: 1, won: [01], shared: 0"
        [rating] = re.findall(pattern, person.words)
        assert rating in page.words
        shown.add(rating)
        assert address_of(rated) in person.seen.links
    assert len(shown) > 1


def test_my_page_is_the_one_that_others_see(house: House, rated: Party) -> None:
    player = rated.players[1]
    assert "/p/me" in player.get("/games").seen.links
    mine = player.get("/p/me")
    must_be_sound(mine)
    [address] = {link for link in mine.seen.links if link == f"/p/{public_id(secrets_of(house, rated)[1])}"}
    assert "This is your public page" in player.get(address).words
    theirs = house.visitor().get(address)
    assert "This is your public page" not in theirs.words
    assert theirs.words.partition("By game")[2] == mine.words.partition("By game")[2]


def test_whoever_is_nobody_yet_has_no_page(house: House) -> None:
    page = house.visitor().get("/p/me")
    assert (page.status, page.location) == (303, "/games")


def test_what_somebody_calls_themselves_is_text_on_their_page(house: House) -> None:
    party = thrown(house, "rock", "paper", afterwards="public")
    who = party.players[0]
    assert who.post("/name", [("name", "<b>Ann</b>&\"'")]).status == 303
    page = who.get("/p/me")
    must_be_sound(page)
    assert "<b>Ann" not in page.text
    assert "<b>Ann</b>&\"'" in page.words


# -- a row of rematches ------------------------------------------------------------------------------


def once_more(house: House, party: Party, *hands: str) -> Party:
    """The rematch, played to its end; whoever sat second sits first."""
    one, other = party.players
    table = one.submit(one.get(party.table), "/rematch").table
    other.submit(other.get(table), "/ready")
    again = Party(house, table, [other, one])
    for player, hand in zip(again.players, hands, strict=True):
        assert player.move(table, f"throw {hand}").status == 303
    return again


def test_a_row_of_rematches_shows_its_score_at_the_table_and_in_the_books(house: House) -> None:
    first = thrown(house, "rock", "paper", afterwards="public")
    assert "in a row" not in first.players[0].get(first.table).words
    second = once_more(house, first, "rock", "paper")
    third = once_more(house, second, "paper", "rock")
    for party in (first, second, third):
        for path in (party.table, address_of(party)):
            page = house.visitor().get(path)
            must_be_sound(page)
            assert "3 games in a row" in page.words, path
            assert {address_of(each) for each in (first, second, third)} <= {
                *page.seen.links,
                address_of(party),
            }
            # Golf and Foxtrot have changed seats each time; the first one won twice.
            match = re.search(r"Player ?Won ?Shared ?Games (Guest \w+)203 (Guest \w+)103", page.words)
            assert match, page.words
            winners = re.findall(r"Game \d: (Guest \w+)", page.words)
            assert sorted(winners) == sorted([match[1], match[1], match[2]])


def test_a_rematch_that_is_being_played_is_not_in_the_score(house: House) -> None:
    first = thrown(house, "rock", "paper")
    one, other = first.players
    table = one.submit(one.get(first.table), "/rematch").table
    other.submit(other.get(table), "/ready")
    other.move(table, "throw rock")
    for path in (first.table, address_of(first)):
        assert "in a row" not in house.visitor().get(path).words


# -- the check ---------------------------------------------------------------------------------------------


def test_the_check_says_that_it_holds_and_how_to_see_for_oneself(house: House, rated: Party) -> None:
    path = address_of(rated)
    page = house.visitor().get(f"{path}/check")
    must_be_sound(page)
    table = house.referee.views.status(rated.code)
    assert "Yes! The seed is the promised one" in page.words
    assert table.seed in page.words
    assert f"{table.position.number} moves were played again" in page.words
    assert {f"{path}/record.json", "/verify.py"} <= set(page.seen.links)
    record = json.loads(house.visitor().get(f"{path}/record.json").body)
    assert record["moves"][-1]["fingerprint"] in page.words
    for stream, number, below, value in record["draws"][0]:
        assert f"<code>{stream}:{number}</code></td><td>{below}</td><td>{value}</td>" in page.text


def test_a_game_is_played_again_for_its_check_once_and_not_for_whoever_looks(
    house: House, monkeypatch: Any
) -> None:
    party = house.gathered("eights", 2)
    play_out(party, Random(4))
    path, played = address_of(party), []
    monkeypatch.setattr(
        "strifebarge.results.replaying.replay", lambda *given: played.append(1) or replay(*given)
    )
    first, *others = (house.visitor().get(f"{path}/check").text for _ in range(3))
    assert others == [first, first]
    assert played == [1]
    other = house.gathered("eights", 2)
    play_out(other, Random(5))
    assert house.visitor().get(f"{address_of(other)}/check").text != first
    assert played == [1, 1]


def test_a_game_without_chance_says_so_and_has_its_own_kind_of_file(house: House) -> None:
    party = house.gathered("chess")
    leave(party.players[0], party.table, "resign")
    path = address_of(party)
    assert f"{path}/export.pgn" in house.visitor().get(path).seen.links
    assert (
        house.visitor().get(f"{path}/export.pgn").text
        == house.visitor().get(f"{party.table}/export.pgn").text
    )
    pgn = house.visitor().get(f"{path}/export.pgn").text
    assert re.search(r'\[Site "http://.+' + path + r'"\]\n\[Date "\d{4}\.\d\d\.\d\d"\]\n\[Round "-"\]', pgn)
    assert house.visitor().get(f"{path}/export.gif").status == 404
    page = house.visitor().get(f"{path}/check")
    must_be_sound(page)
    assert "This game had no randomness." in page.words


def test_the_script_is_handed_out_as_it_is(house: House) -> None:
    page = house.visitor().get("/verify.py")
    assert page.headers["Content-Type"].startswith("text/x-python")
    assert page.headers["Content-Disposition"] == 'attachment; filename="verify.py"'
    compile(page.text, "verify.py", "exec")


def test_a_record_tells_of_people_by_what_others_know_them_by(house: House, rated: Party) -> None:
    record = json.loads(house.visitor().get(f"{address_of(rated)}/record.json").body)
    assert record["people"] == [[public_id(secret)] for secret in secrets_of(house, rated)]
    assert (record["finished"], record["rated"]) == (True, True)
    assert record["names"] == [chair.called for chair in house.referee.views.status(rated.code).chairs]


# -- brought here as a file ----------------------------------------------------------------------------------


def file_of(party: Party) -> bytes:
    return party.house.visitor().get(f"{address_of(party)}/record.json").body


def send(who: Local, data: bytes, key: str = "", as_file: bool = True) -> Page:
    """The form for a file, filled in on its own page."""
    form = who.get("/import").form("/import")
    fields = {**dict(form.fields), **({"key": key} if key else {})}
    if as_file:
        return who.post_parts("/import", fields.items(), data)
    return who.post_parts("/import", {**fields, "text": data.decode()}.items())


@pytest.mark.parametrize("as_file", [True, False])
@pytest.mark.parametrize("whose", ["rated", "quiet", "killed", "undone"])
def test_a_game_brought_here_can_be_looked_through_and_is_nobodys(
    house: House, request: pytest.FixtureRequest, whose: str, as_file: bool
) -> None:
    if whose == "killed":
        party = killed(house)
    elif whose == "undone":
        party = house.gathered("strifebarge", 2)
        leave(party.players[0], party.table, "resign")
    else:
        party = request.getfixturevalue(whose)
    before = house.kept()["ratings"]
    answer = send(house.visitor(), file_of(party), as_file=as_file)
    assert answer.status == 303, answer.words
    path = answer.location
    assert ADDRESS.fullmatch(path)
    assert path != address_of(party)
    page = house.visitor().get(path)
    must_be_sound(page)
    assert "Imported from a file" in page.words
    assert not PERSON.findall(page.text)
    old = json.loads(file_of(party))
    new = json.loads(house.visitor().get(f"{path}/record.json").body)
    changed = {"people", "rated"} | ({"ended"} if old["ended"] is None else set())
    assert {name: value for name, value in new.items() if name not in changed} == {
        name: value for name, value in old.items() if name not in changed
    }
    assert (new["people"], new["rated"]) == ([], False)
    for number in range(len(old["moves"]) + 1):
        mine, theirs = (house.visitor().get(f"{at}/at/{number}") for at in (path, address_of(party)))
        assert mine.status == 200
        assert board_of(mine) == board_of(theirs)
    assert house.kept()["ratings"] == before


def board_of(page: Page) -> str:
    return page.text[page.text.index('<section id="board"') : page.text.index('<div class="plate below')]


def test_a_game_brought_here_is_the_same_again_when_it_is_brought_again(house: House, rated: Party) -> None:
    first = send(house.visitor(), file_of(rated)).location
    second = send(house.visitor(), house.visitor().get(f"{first}/record.json").body).location
    assert house.visitor().get(f"{second}/check").words.startswith("Skip")
    assert board_of(house.visitor().get(f"{second}/at/5")) == board_of(house.visitor().get(f"{first}/at/5"))


def test_from_one_address_so_many_games_are_brought_in_a_day(open_house: OpenHouse, rated: Party) -> None:
    house, file = open_house(limit_import=2), file_of(rated)
    who, key = house.visitor(), "import-often-" + "7" * 20
    first = send(who, file, key)
    assert send(who, file).status == 303
    with house.unchanged():
        refused = send(who, file)
        assert (refused.status, token(refused)) == (429, "web.enough_today")
        assert 3600 < int(refused.headers["Retry-After"]) <= 86400
        assert "Try again in 24 hours" in refused.words
    assert send(who, file, key).location == first.location  # which was brought already
    assert send(house.visitor(), file).status == 303
    assert who.start("rps").status in (200, 303)


def test_the_same_form_brings_one_game_and_another_file_with_its_key_is_refused(
    house: House, rated: Party, quiet: Party
) -> None:
    who, key = house.visitor(), "import-once-" + "7" * 20
    first = send(who, file_of(rated), key)
    before = house.kept()
    assert send(who, file_of(rated), key).location == first.location
    again = send(house.visitor(), file_of(rated), key)  # the answer got lost, and the cookie with it
    assert again.location == first.location
    refused = send(who, file_of(quiet), key)
    assert (refused.status, token(refused)) == (409, "table.key_reused")
    after = house.kept()
    assert {kind for kind in before if before[kind] != after[kind]} == {"devices", "web_sessions"}


def test_nobody_sits_at_a_game_brought_here_and_nobody_can(house: House, rated: Party) -> None:
    who = house.visitor()
    path = send(who, file_of(rated)).location
    entry = house.store.results.entry(path.removeprefix("/r/"))
    assert entry.seats == []
    table = f"/g/{entry.table}"
    page = who.get(table)
    must_be_sound(page)
    assert not page.has_form("/join")
    assert not page.has_form("/rematch")
    for act in ("join", "rematch", "ready", "turn", "quit", "undo"):
        refused = who.post(f"{table}/{act}", [("key", f"{act:x>32}"), ("asked", "0"), ("move", "x")])
        assert refused.status in (403, 409), act
    assert "No games yet" in who.get("/games").words


WRONG = {
    "nothing": (b"", "No file yet. Choose one first.", "table.no_file"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "it isn't JSON", "table.not_json"),
    "something else": (b'{"moves": []}', "isn't a game record", "table.not_a_record"),
    "too large": (b" " * LARGEST + b"{}", "That file is too large", "table.too_large"),
    "much too large": (b"x" * (3 * LARGEST), "That file is too large", "table.too_large"),
}


@pytest.mark.parametrize("as_file", [True, False])
@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_record_is_refused_with_its_own_sentence(house: House, what: str, as_file: bool) -> None:
    data, sentence, why = WRONG[what]
    if not as_file and what == "a picture":
        data = b"PNG"
    with house.unchanged():
        refused = send(house.visitor(), data, as_file=as_file)
    assert (refused.status, refused.token) == (422, why)
    assert sentence in refused.words
    must_be_sound(refused)
    assert refused.has_form("/import")


def tampered(party: Party, **changed: object) -> bytes:
    return msgspec.json.encode({**json.loads(file_of(party)), **changed})


def test_a_record_that_does_not_hold_leaves_no_trace(house: House, rated: Party) -> None:
    record = json.loads(file_of(rated))
    record["moves"][4]["seat"] ^= 1
    for data, why in (
        (tampered(rated, game="go"), "table.unknown_game"),
        (tampered(rated, seed="5eed"), "table.wrong_seed"),
        (tampered(rated, names=["x" * 21] * 3), "table.wrong_names"),
        (tampered(rated, places=[[0], [1], [2]][:: 1 if record["places"] != [[0], [1], [2]] else -1]),
         "table.ends_differently"),
        (msgspec.json.encode(record), "table.illegal"),
    ):  # fmt: skip
        with house.unchanged():
            refused = send(house.visitor(), data)
        assert (refused.status, refused.token) == (422, why)


def test_a_name_in_a_file_is_text(house: House, rated: Party) -> None:
    path = send(house.visitor(), tampered(rated, names=["<b>Eve</b>", "{seat}", "%(n)s"])).location
    page = house.visitor().get(path)
    must_be_sound(page)
    assert "<b>Eve" not in page.text
    for name in ("<b>Eve</b>", "{seat}", "%(n)s"):
        assert name in page.words


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["x" * 21, "Ben", "Cleo"], "A name has 1 to 20 characters, including a letter or digit."),
        (["\u202e", "Ben", "Cleo"], "A name has 1 to 20 characters, including a letter or digit."),
        (["...", "Ben", "Cleo"], "A name has 1 to 20 characters, including a letter or digit."),
        (["Admin", "Ben", "Cleo"], "That name is reserved for the site itself."),
        (["A\u200bdm\u202ein", "Ben", "Cleo"], "That name is reserved for the site itself."),
        (["Bot", "Ben", "Cleo"], "That name is reserved for the site itself."),
        (["Ann", "\u0410nn", "Cleo"], "That name, or one that looks like it, is taken at this table."),
    ],
)
def test_a_name_that_nobody_may_take_comes_in_by_no_file(
    house: House, rated: Party, names: list[str], sentence: str
) -> None:
    with house.unchanged():
        refused = send(house.visitor(), tampered(rated, names=names))
    assert (refused.status, refused.token) == (422, "table.wrong_names")
    assert f"A name in the record can't be used here. {sentence}" in refused.words


def test_names_of_a_file_are_brought_into_one_form_and_one_person_may_have_two_seats(
    house: House, rated: Party
) -> None:
    path = send(house.visitor(), tampered(rated, names=["A\u202enn\u2066", "Ann", "Bot (easy) 2"])).location
    record = json.loads(house.visitor().get(f"{path}/record.json").body)
    assert record["names"] == ["Ann", "Ann", "Bot (easy) 2"]


def test_a_form_for_a_file_that_is_not_whole_is_refused(house: House, rated: Party) -> None:
    with house.unchanged():
        refused = house.visitor().post("/import", [("text", file_of(rated).decode())])
    assert (refused.status, token(refused)) == (422, "table.no_key")


def test_games_brought_here_are_counted_with_those_started(open_house: OpenHouse) -> None:
    house = open_house(limit_create=3)
    party = thrown(house, "rock", "paper")
    data, who = file_of(party), house.visitor()
    for _ in range(3):
        assert send(who, data).status == 303
    refused = send(who, data)
    assert refused.status == 429
    assert "That was too fast." in refused.words


def test_what_is_refused_is_said_in_german_too(house: House, rated: Party) -> None:
    who = house.visitor()
    form = who.get("/import", Accept_Language="de").form("/import")
    fields = [*form.filled(text=tampered(rated, seed="5eed").decode())]
    refused = who.post("/import", fields, Accept_Language="de")
    assert "Das ist nicht der versprochene Startwert" in refused.words
