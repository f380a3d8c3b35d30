"""The pages of tournaments: from the first form to the final table, and what they tell nobody."""

import re

import pytest

from strifebarge.tournaments.due import going_on
from tests.support.stub_hub import wanted_by
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse
from tests.web.markup import must_be_sound


def opened(house: House, game: str = "rps", **fields: str) -> tuple[Local, str]:
    """Somebody who has opened a tournament, and its path."""
    host = house.visitor()
    given = {"name": "Cup <i>", "pace": "days-3", **fields}
    answer = host.submit(host.get(f"/tournaments/new/{game}"), f"/tournaments/new/{game}", **given)
    assert answer.status == 303, answer.words
    return host, answer.headers["Location"]


def joined(house: House, path: str, *names: str) -> list[Local]:
    """New people in a tournament, by name."""
    people = [house.visitor() for _ in names]
    for who, name in zip(people, names, strict=True):
        assert who.submit(who.get(path), "/join", name=name).status == 303
    return people


def press(who: Local, path: str, form: str, **fields: str) -> Page:
    return who.submit(who.get(path), form, **fields)


def tables(page: Page) -> list[str]:
    return [each for each in page.seen.links if each.startswith("/g/")]


def test_a_tournament_is_started_joined_played_and_shows_its_final_table(house: House) -> None:
    host, path = opened(house)
    assert "It can start with 2 players." in must_be_sound_at(host, path).words
    ann, ben = joined(house, path, "Ann", "Ben")
    assert press(host, path, "/start").status == 303
    page = must_be_sound_at(ann, path)
    assert "round 1 of 1" in page.words
    assert "Go to your game" in page.words
    [table] = set(tables(page))
    assert "All games and standings" in ann.get(table).words
    for who, hand in ((ann, "paper"), (ben, "rock")):
        assert who.move(table, f"throw {hand}").status == 303
    assert f'href="{path}"' in ann.get(table).text
    going_on(house.services.tournaments)(house.referee.now())
    page = must_be_sound_at(house.visitor(), path)
    assert "Final standings" in page.words
    assert re.search(r"1 Ann 1 0 0 1 1 2 Ben 0 0 0 0 1", page.words), page.words
    assert "Cross-table" in page.words


def test_the_file_of_a_game_names_the_tournament_and_its_round(house: House) -> None:
    host, path = opened(house, "chess", name="Spring cup")
    ann, _ = joined(house, path, "Ann", "Ben")
    press(host, path, "/start")
    [table] = set(tables(ann.get(path)))
    pgn = ann.get(f"{table}/export.pgn").text
    assert pgn.startswith('[Event "Spring cup"]\n[Site "http')
    assert '[Round "1"]' in pgn
    assert '[TimeControl "1/259200"]' in pgn


@pytest.mark.parametrize(("lang", "bye"), [("en", "bye"), ("de", "spielfrei")])
@pytest.mark.parametrize("format", ["round-robin", "swiss", "knock-out"])
def test_a_round_of_an_odd_number_says_who_has_a_bye(house: House, format: str, lang: str, bye: str) -> None:
    host, path = opened(house, format=format)
    names = ["Ann", "Ben", "Cleo"]
    joined(house, path, *names)
    assert press(host, path, "/start").status == 303
    reader = house.visitor()
    reader.cookies["lang"] = lang
    list_of_round = must_be_sound_at(reader, path).text.partition('id="round1"')[2].partition("</ul>")[0]
    lines = re.findall(r"<li>(.*?)</li>", list_of_round, re.DOTALL)
    pair, resting = sorted(lines, key=lambda line: bye in line)
    assert {name for name in names if name in resting} == {name for name in names if name not in pair}
    assert re.search(rf":\s+{bye}\s*$", resting)


def test_who_withdraws_while_it_runs_is_asked_first_and_told_that_there_is_no_way_back(house: House) -> None:
    host, path = opened(house)
    ann, _, cleo = joined(house, path, "Ann", "Ben", "Cleo")
    assert press(cleo, path, "/withdraw").status == 303  # before the start one press will do
    assert cleo.get(f"{path}/withdraw").location == path
    assert press(host, path, "/start").status == 303
    page = ann.get(path)
    assert not page.has_form("/withdraw")
    assert f"{path}/withdraw" in page.seen.links
    with house.unchanged():
        question = must_be_sound_at(ann, f"{path}/withdraw")
        assert host.get(f"{path}/withdraw").location == path
    assert "You can't join again." in question.words
    assert ann.submit(question, "/withdraw").location == path
    assert "(withdrawn)" in ann.get(path).words
    assert ann.get(f"{path}/withdraw").location == path


def must_be_sound_at(who: Local, path: str) -> Page:
    page = who.get(path)
    assert page.status == 200
    must_be_sound(page)
    return page


def test_bots_are_added_and_removed_by_the_organiser_alone(house: House) -> None:
    host, path = opened(house)
    assert press(host, path, "/bots", level="easy", count="2").status == 303
    page = host.get(path)
    assert "Bot (easy) 2" in page.words
    [ann] = joined(house, path, "Ann")
    assert "/bots" not in ann.get(path).text
    form = page.form("/remove")
    assert ann.post(f"{path}/remove", form.filled()).status == 403
    assert host.submit(page, "/remove").status == 303
    assert "Bot (easy) 2" in host.get(path).words
    assert "Bot (easy) Remove" not in host.get(path).words
    assert press(host, path, "/bots", level="easy", count="8").status == 409


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"name": ""}, "Give the tournament a name"),
        ({"pace": ""}, "A tournament needs a clock"),
        ({"rounds": "99"}, "Choose from 1 to 20 rounds."),
        ({"rounds": "many"}, "Choose from 1 to 20 rounds."),
        ({"format": "tables"}, "Choose another one."),
        ({"format": "nonsense"}, "Choose another one."),
    ],
)
def test_a_form_that_is_refused_says_why_and_keeps_what_was_typed(
    house: House, fields: dict[str, str], says: str
) -> None:
    host = house.visitor()
    form = host.get("/tournaments/new/rps").form("/tournaments/new/rps")
    given = {"name": "My cup", "pace": "days-3", "format": "swiss", **fields}
    pairs = [(name, value) for name, value in form.filled() if name not in given]
    with house.unchanged():
        page = host.post("/tournaments/new/rps", [*pairs, *given.items()])
    assert page.status == 422
    assert says in page.words
    assert given["name"] in page.text


def test_what_is_refused_on_the_page_of_a_tournament_is_said_there(house: House) -> None:
    _, path = opened(house)
    joined(house, path, "Ann")
    other = house.visitor()
    page = other.submit(other.get(path), "/join", name="ann")
    assert page.status == 409
    assert "has a name like that" in page.words
    assert "Cup <i>" in page.words
    assert house.visitor().get("/t/00000000").status == 404
    assert house.visitor().get("/tournaments/new/nothing").status == 404


def test_who_tries_codes_sees_no_tournament_any_more_but_their_own(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=5)
    host, path = opened(house)
    guesser = house.visitor()
    assert [guesser.get(f"/t/0000000{each}").status for each in range(7)] == [404] * 5 + [429] * 2
    assert guesser.get(path).status == 429
    assert guesser.post(f"{path}/join", host.get(path).form("/join").filled(name="Zoe")).status == 429
    assert house.visitor().get(path).status == 200


def word_of(who: Local, path: str) -> str:
    """The word that a stream of this page tells, which is what its script asks for, and what the page has."""
    status, wanted = wanted_by(who, path.removeprefix("/"))
    assert status == 200
    [news] = wanted.news
    assert who.get(f"{path}/version").text == news.word_for(wanted.person)
    return news.word_for(wanted.person)


def test_the_page_is_told_of_each_change_and_of_nothing_else(house: House) -> None:
    host, path = opened(house)
    ann, ben = joined(house, path, "Ann", "Ben")
    seen = [word_of(ann, path)]
    for act in ("/settings", "/start"):
        press(host, path, act, listed="yes")
        seen.append(word_of(ann, path))
    page = ann.get(path)
    assert f'data-version="{seen[-1]}"' in page.text
    [table] = set(tables(page))
    ann.move(table, "throw paper")
    assert word_of(ann, path) == seen[-1]
    ben.move(table, "throw rock")
    seen.append(word_of(ann, path))
    going_on(house.services.tournaments)(house.referee.now())
    assert word_of(house.visitor(), path) not in seen
    assert sorted({*seen}, key=int) == seen
    assert 'id="live"' not in ann.get(path).text


def test_a_page_without_scripts_has_a_frame_that_tells_of_changes(house: House) -> None:
    host, path = opened(house)
    page = host.get(path)
    [source] = re.findall(r'<iframe class="status"[^>]* src="([^"]+)"', page.text)
    frame = host.get(source)
    assert "Nothing new." in frame.words
    assert 'http-equiv="refresh"' in frame.text
    joined(house, path, "Ann")
    frame = host.get(source)
    assert "There's news: show the tournament" in frame.words
    assert path in frame.seen.links


def test_a_stream_tells_of_tables_and_tournaments_alike_and_guessing_is_limited(
    open_house: OpenHouse,
) -> None:
    house = open_house(limit_codes=3)
    party, (host, path) = house.gathered("rps"), opened(house)
    _, wanted = wanted_by(host, party.code, path.removeprefix("/"), "t/00000000")
    assert [news.table for news in wanted.news] == [party.code, path.removeprefix("/")]
    assert wanted.gone == ["t/00000000"]
    guesser = house.visitor()
    for number in range(4):
        wanted_by(guesser, f"t/0000000{number}")
    assert wanted_by(guesser, path.removeprefix("/"))[0] == 429
    assert wanted_by(host, path.removeprefix("/"))[0] == 200


def test_each_entrant_is_told_when_their_game_begins(open_house: OpenHouse) -> None:
    house = open_house(public_url="https://games.example.org", secure=False)
    host, path = opened(house)
    [ann, _] = joined(house, path, "Ann", "Ben")
    given = {"way": "discord", "place": "https://hooks.example.org/a"}
    assert ann.submit(ann.get("/notices"), "/notices/add", **given).status == 303
    assert house.kept_of("notifications") == []
    press(host, path, "/start")
    [game] = house.services.tournaments.tournament(path.removeprefix("/t/")).games
    letters = house.kept_of("notifications")
    assert letters
    assert all(game.table in letter for letter in letters)


def test_listed_tournaments_are_found_and_others_are_not(house: House) -> None:
    _, private = opened(house, name="Among us")
    host, public = opened(house, name="For all", listed="yes")
    page = must_be_sound_at(house.visitor(), "/tournaments")
    assert public in page.seen.links
    assert private not in page.seen.links
    press(host, public, "/settings", listed="no")
    assert public not in house.visitor().get("/tournaments").seen.links
    assert public in must_be_sound_at(host, "/tournaments").seen.links


def test_a_page_tells_no_secret_id_and_nothing_of_a_game_but_its_result(house: House) -> None:
    host, path = opened(house, "strifebarge", pace="turn-180")
    ann, _ = joined(house, path, "Ann", "Ben")
    press(host, path, "/start")
    tournament = house.services.tournaments.tournament(path.removeprefix("/t/"))
    texts = [who.get(path).text for who in (house.visitor(), ann, host)]
    table = house.referee.views.status(tournament.games[0].table or "")
    for text in texts:
        assert not any(str(each.player) in text for each in tournament.entrants)
        assert tournament.seed not in text
        assert table.seed not in text
        assert all(name not in text for name in ("fleet", "ships"))


def test_a_page_speaks_german(house: House) -> None:
    host, path = opened(house)
    joined(house, path, "Ann", "Ben")
    press(host, path, "/start")
    page = house.visitor().get(path, Accept_Language="de")
    assert "Kreuztabelle" in page.words
    assert "Tabelle" in page.words
    assert "Standings" not in page.words


def test_a_stranger_who_joins_twice_by_one_form_is_one_guest(house: House) -> None:
    _, path = opened(house)
    stranger = house.visitor()
    form = stranger.get(path).form("/join").filled(name="Ann")
    first, second = stranger.copy(), stranger.copy()
    assert first.post(f"{path}/join", form).status == 303
    assert second.post(f"{path}/join", form).status == 303
    tournament = house.services.tournaments.tournament(path.removeprefix("/t/"))
    assert len(tournament.entrants) == 1
