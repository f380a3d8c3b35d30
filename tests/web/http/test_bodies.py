"""Forms that are too large or no text, and addresses that take none: refused, and nothing is changed."""

import pytest

from tests.web.asking import addresses
from tests.web.house import House, Party

OTHERS = {"/import": 422}  # whose page says so itself: it takes larger files, if they come in parts


def is_closed(path: str) -> bool:
    """Whether it is one of the pages that are there for the site's hosts alone."""
    return path.startswith("/host") and not path.startswith("/host/open")


def test_a_form_of_more_than_64_kb_is_refused_unread(house: House, party: Party) -> None:
    with house.unchanged():
        for path in addresses(house, "POST", party.code):
            refused = party.players[0].post(path, [("key", "k" * 32), ("move", "x" * 66_000)])
            assert refused.status == (404 if is_closed(path) else OTHERS.get(path, 413)), path


@pytest.mark.parametrize("number", [251, 1000, 5000])
def test_a_form_of_too_many_fields_changes_nothing(house: House, party: Party, number: int) -> None:
    fields = [("key", "k" * 32), ("asked", "0"), *((f"f{n}", "x") for n in range(number))]
    with house.unchanged():
        assert 400 <= party.to_move().post(f"{party.table}/turn", fields).status < 500


def test_an_address_that_takes_no_posts_says_so_and_the_other_way_round(house: House, party: Party) -> None:
    gets, posts = (set(addresses(house, method, party.code)) for method in ("GET", "POST"))
    player = party.players[0]
    with house.unchanged():
        for path in gets - posts:
            assert player.post(path).status == 405, path
        for path in posts - gets:  # whether there is such an act is told to hosts alone
            assert player.get(path).status == (404 if path.startswith("/host/do/") else 405), path
        for path in gets | posts:
            for method in ("PUT", "PATCH", "DELETE"):
                assert player.request(method, path).status == 405, (method, path)


@pytest.mark.parametrize(
    "path", ["/g/%ff%fe%fd%fc%fb%fa%f9%f8", "/%c0%ae%c0%ae", "/rules/%ed%a0%80", "/g/%00"]
)
def test_an_address_that_is_no_text_is_nothing_here(house: House, path: str) -> None:
    assert house.visitor().get(path).status == 404


def test_a_form_that_is_no_text_is_refused(house: House, party: Party) -> None:
    bodies = [b"\xff\xfe=\xfd", b"move=%ff%fe", b"key=%ed%a0%80&move=x", b"move=\x00", b"=&=&==", b"%", b"{}"]
    kinds = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "x", ""]
    player = party.to_move()
    with house.unchanged():
        for body in bodies:
            for kind in kinds:
                answer = player.request("POST", f"{party.table}/turn", body, Content_Type=kind)
                assert 400 <= answer.status < 500, (body, kind, answer.status)
