"""Whether the sender of a form sits at a table, before the site has looked at the form."""

from collections.abc import Mapping

import pytest

from strifebarge.lib.busy import Busy
from strifebarge.server.senders import sits_at
from strifebarge.tables.play.turn import FormToken
from tests.api.calls import Program
from tests.support import forms
from tests.support.visitor import Local
from tests.web.house import House


def cookie(visitor: Local) -> Mapping[str, str]:
    return {"COOKIE": "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())}


def test_players_are_known_by_their_session_and_strangers_by_theirs(house: House) -> None:
    party, elsewhere = house.gathered("rps"), house.gathered("rps")
    for _ in range(2):  # a session that was just read, and one that is remembered
        for player in party.players:
            assert sits_at(house.app, cookie(player), party.code)
            assert not sits_at(house.app, cookie(player), elsewhere.code)
            assert not sits_at(house.app, cookie(player), "NOTABLE0")
    for headers in ({}, cookie(house.visitor()), {"COOKIE": "sb=planted"}, {"AUTHORIZATION": "Bearer x"}):
        assert not sits_at(house.app, headers, party.code)


def test_players_are_known_by_their_token(house: House) -> None:
    program, other = Program(house, "Ann"), Program(house, "Ben")
    table = forms.start(house.referee, program.player, "rps", FormToken("a-key-for-this-form-alone")).id
    assert sits_at(house.app, {"AUTHORIZATION": f"Bearer {program.token}"}, table)
    assert not sits_at(house.app, {"AUTHORIZATION": f"Bearer {other.token}"}, table)


def test_where_nobody_can_tell_it_may_be_a_player(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = house.gathered("rps")

    def busy(*_: object) -> None:
        raise Busy("the database is locked")

    monkeypatch.setattr(house.app.extensions["sessions"], "open", busy)
    assert sits_at(house.app, cookie(party.players[0]), party.code)
