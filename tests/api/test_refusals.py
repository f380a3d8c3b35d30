"""Refusals: in the language asked for, whatever is refused, and with the numbers that games give them."""

from typing import Any

import pytest

from strifebarge.rules import Refusal, Standard
from strifebarge.rules.schema import refusals
from strifebarge.tables.library.library import Library
from tests.api.calls import Program, Result, new_key, table_of
from tests.web.house import House

GAMES = Library().titles


def in_german(house: House, game: str, sentence: str) -> str:
    """The German of a sentence of a game."""
    german = house.app.extensions["languages"].by_code["de"].of(house.referee.library[game])
    assert german.gettext(sentence) != sentence
    return str(german.gettext(sentence))


def refused(answer: Any) -> Result:
    found: Result = answer.json["refused"]
    return found


def test_what_a_game_refuses_is_told_in_its_own_words_of_the_language_asked_for(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "eights")
    asked = {who: who.call("table.state", table=table)["question"] for who in (ann, ben)}
    [mover] = [who for who, question in asked.items() if question]
    number = asked[mover]["question_number"]
    path, words = f"/tables/{table}/moves", house.referee.library["eights"].rules
    reasons = {each.token: each for each in refusals(words)}
    for move in ("play 1X", "play", "draw the moon"):
        told = {}
        for language in ("en", "de"):
            call = {"key": new_key(), "question_number": number, "move": move}
            told[language] = refused(mover.send("POST", path, call, Accept_Language=language))
        assert told["en"]["token"] == told["de"]["token"]
        assert told["en"]["text"] != told["de"]["text"]
        if reason := reasons.get(told["de"]["token"]):
            assert told["de"]["text"] == in_german(house, "eights", reason.sentence)
            assert told["de"]["code"] == reason.number == 903


def test_options_of_a_game_are_refused_in_the_language_asked_for(house: House) -> None:
    ann = Program(house, "Ann")
    call = {"key": new_key(), "game": "chess", "options": {"position": "x" * 8001}}
    told = refused(ann.send("POST", "/tables", call, Accept_Language="de"))
    assert told["token"] == "table.wrong_options"
    assert "Stellung hat höchstens 8000 Zeichen" in told["text"]


def test_games_are_listed_in_the_language_asked_for(house: House) -> None:
    listed = Program(house, "Ann").send("GET", "/games", Accept_Language="de").json["games"]
    assert {each["game"]: each["title"] for each in listed}["rps"] == "Schere, Stein, Papier"


# -- numbers ---------------------------------------------------------------------------------


def listed_as(reasons: tuple[Refusal, ...]) -> list[Result]:
    return [{"token": each.token, "text": each.sentence, "code": each.number} for each in reasons]


def test_the_document_and_its_page_list_every_refusal_of_games_with_its_number(house: House) -> None:
    ann = Program(house, "Ann")
    whole, page = ann.send("GET", "/openapi.json").json["x-refusals"], ann.send("GET", "/").text
    assert whole.keys() == {"game", *GAMES}
    own = {slug: refusals(title.rules) for slug, title in GAMES.items()}
    for name, reasons in ({"game": tuple(Standard)} | own).items():
        assert whole[name] == listed_as(reasons)
        assert all(f"<code>{each.token}</code> {each.number or ''}" in page for each in reasons)


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_of_a_game_lists_all_that_may_be_refused_there(house: House, game: str) -> None:
    shown = Program(house, "Ann").call("game.schema", game=game)["refusals"]
    assert shown == listed_as((*Standard, *refusals(GAMES[game].rules)))
