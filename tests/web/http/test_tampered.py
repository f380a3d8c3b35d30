"""What a browser sends back is believed only as it was given out: no sign changed, nor somebody else's."""

from collections.abc import Iterator

from tests.support.visitor import Local, Page
from tests.web.house import House, Party
from tests.web.town import answering


def spoilt(secret: str) -> Iterator[str]:
    """The same with one sign changed, each in turn; incomplete, doubled, and none.

    But not the last sign: of base64, some of its bits mean nothing.
    """
    for at, sign in enumerate(secret[:-1]):
        for other in "A0-":
            if other != sign:
                yield secret[:at] + other + secret[at + 1 :]
    yield from (secret[:-1], secret[1:], secret * 2, secret + "A", secret[::-1], "")


def link_of(who: Local, party: Party) -> str:
    """The secret of the link by which somebody hands their seat on."""
    value: str = who.get(f"{party.table}/quit").seen.ids["link"]["value"]
    return value.partition("?t=")[2]


def test_no_link_to_a_seat_is_taken_but_as_it_was_given_out(house: House) -> None:
    party, stranger = house.fleet(), house.visitor()
    stranger.start("rps")
    token = link_of(party.players[0], party)
    with house.unchanged():
        for wrong in spoilt(token):
            fields = [("key", "t" * 32), ("t", wrong)]
            assert stranger.post(f"{party.table}/seat", fields).status == 410, wrong
        assert stranger.get(f"{party.table}/seat?t={token[:-1]}").status == 410


def test_no_link_of_a_letter_plays_but_as_it_was_given_out(house: House) -> None:
    party, stranger = house.fleet(), house.visitor()
    mover = party.to_move()
    token = answering(party)
    shot = mover.get(party.table).form("/turn").moves[0].value
    with house.unchanged():
        for wrong in spoilt(token):
            refused = stranger.post(f"{party.table}/answer", [("t", wrong), ("move", shot)])
            assert refused.status == 410, wrong
    assert stranger.post(f"{party.table}/answer", [("t", token), ("move", shot)]).status == 303


def test_nobody_is_anybody_by_a_cookie_that_was_not_given_to_them(house: House) -> None:
    party, stranger = house.fleet(), house.visitor()
    real = party.players[0].cookies["sb"]
    watched = stranger.get(party.table).body
    with house.unchanged():
        for wrong in spoilt(real):
            stranger.cookies["sb"] = wrong
            page = stranger.get(party.table)
            assert "(you)" not in page.words, wrong
            assert page.status == 200
    stranger.cookies.clear()
    assert stranger.get(party.table).body == watched


def test_what_stands_in_hidden_fields_moves_nobody_elsewhere_or_for_another(house: House) -> None:
    party, other = house.fleet(), house.fleet()
    mover, elsewhere = party.to_move(), other.to_move()
    waiting = next(each for each in party.players if each is not mover)
    form = mover.get(party.table).form("/turn")
    shot = form.moves[0].value

    def sent(who: Local, table: str, **changed: str | None) -> Page:
        return who.post(f"{table}/turn", form.filled(move=shot, **changed))

    with house.unchanged():
        for number in ("", "-1", "1", "99", "x", "0x0", str(2**64), None):
            assert 400 <= sent(mover, party.table, asked=number).status < 500, number
        assert sent(waiting, party.table).status == 409
        for who in (elsewhere, house.visitor()):
            assert sent(who, party.table).status == 403
    assert sent(mover, party.table).status == 303
    with house.unchanged():
        for who in (mover, elsewhere):  # the key is used up
            assert sent(who, other.table).status == 409
