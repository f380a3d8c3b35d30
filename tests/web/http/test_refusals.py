"""A post that is refused has done nothing; and the limits hold for posts too."""

import pytest

from tests.web.house import House, OpenHouse

POSTS = ["/turn", "/undo", "/ready", "/begin", "/remove", "/quit", "/rematch", "/join", "/seat"]


@pytest.mark.parametrize("act", POSTS)
def test_a_post_to_a_table_that_is_not_there_is_a_404_whoever_sends_it(house: House, act: str) -> None:
    player = house.visitor()
    player.start("rps")
    for who in (house.visitor(), player):
        for key in ("", "n" * 32):
            with house.unchanged():
                assert who.post(f"/g/00000000{act}", [("key", key), ("asked", "0")]).status in (404, 410)


def test_a_refusal_makes_nobody(house: House) -> None:
    full = house.fleet()
    form = house.visitor().get(house.visitor().start("rps").table).form("/join")
    with house.unchanged():
        for path, fields in [
            (f"{full.table}/join", form.filled(name="Late")),
            ("/new/eights", [*form.filled(), ("seats", "77")]),
            ("/new/eights", [*form.filled(), ("draw", "nonsense")]),
            (f"{full.table}/join", [*form.filled(name="x" * 21)]),
        ]:
            assert 400 <= house.visitor().post(path, fields).status < 500


def test_a_refused_start_does_not_rename_anybody(house: House) -> None:
    ann = house.visitor()
    ann.start("rps", name="Ann")
    page = ann.get("/new/eights")
    with house.unchanged():
        assert ann.submit(page, "/new/eights", name="Beth", seats="77").status == 422


def test_codes_guessed_by_posts_are_held_back_too(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    guesser = house.visitor()
    for number in range(11):
        answer = guesser.post(f"/g/{number:08}/ready", [("key", "k" * 32)])
    assert answer.status == 429


def test_at_the_limit_the_same_form_again_gets_its_answer_again(open_house: OpenHouse) -> None:
    house = open_house(limit_create=1)
    host = house.visitor()
    page = host.get("/new/rps")
    table = host.submit(page, "/new/rps").location
    assert host.submit(page, "/new/rps").location == table
    other = host.get("/new/rps")
    assert host.submit(other, "/new/rps").status == 429
    assert host.submit(page, "/new/rps").location == table
