"""What a stream is told about a table: a word for each viewer, with nothing in it that they may not know."""

import pytest

from strifebarge.rules import Refused
from strifebarge.tables.view.news import News, table_news
from tests.support.stub_hub import MARK, wanted_by
from tests.support.visitor import Local
from tests.web.house import House, OpenHouse, Party


def news_for(visitor: Local, table: str) -> tuple[str, str]:
    """The word of a viewer, and the mark by which they are known, as their stream is opened."""
    status, wanted = wanted_by(visitor, table.removeprefix("/g/"))
    assert status == 200
    [news] = wanted.news
    return news.word_for(wanted.person, news.presence or ""), wanted.person


def test_the_word_is_the_version_that_the_viewers_page_is_told(house: House) -> None:
    for scene in house.scenes().values():
        for who in (*scene.players[:2], house.visitor()):
            word, _ = news_for(who, scene.table)
            version = who.get(f"{scene.table}/version").text
            assert word.partition("+")[0] == version.partition("+")[0]
            assert ("+" in word) == ("+" in version)


def test_no_name_or_id_of_anybody_goes_to_the_hub(house: House) -> None:
    party = house.gathered("rps")
    table = house.referee.store.table(party.code)
    text = str(table_news(table, MARK))
    for chair in table.chairs:
        for player, name in chair.people:
            assert player not in text
            assert name not in text
    assert table.seed not in text
    _, wanted = wanted_by(house.visitor(), party.code)
    assert (wanted.person, wanted.device) == ("", "")
    assert "127.0.0.1" not in wanted.address


def test_a_spectator_has_the_same_word_whatever_they_may_not_see(house: House) -> None:
    party = house.gathered("rps", t_watching="-1")
    stranger = house.visitor()
    before = news_for(stranger, party.table)[0]
    seen = {news_for(party.players[0], party.table)[0]}
    for words in ("throw rock", "throw paper"):
        for each in party.players:
            each.move(party.table, words)
            seen.add(news_for(party.players[0], party.table)[0])
            assert news_for(stranger, party.table)[0] == before
    assert len(seen) > 2


def test_who_leaves_their_seat_is_a_spectator_from_then_on(house: House) -> None:
    party = house.gathered("rps", t_watching="-1")
    leaver = party.players[1]
    _, mark = news_for(leaver, party.table)
    assert mark in etags_at(house, party)
    with house.referee.store.change(party.code) as change:
        change.table.chairs[1].player = None
    assert mark not in etags_at(house, party)
    assert news_for(leaver, party.table)[0].startswith("w")


def etags_at(house: House, party: Party) -> dict[str, str]:
    return table_news(house.referee.store.table(party.code), MARK).etags


def test_who_cannot_watch_is_told_so_and_guessing_is_limited(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    party, guesser = house.gathered("rps"), house.visitor()
    assert wanted_by(guesser, party.code, "0" * 8)[1].gone == ["0" * 8]
    for number in range(12):
        wanted_by(guesser, f"{number:08}")
    assert wanted_by(guesser, party.code)[0] == 429
    assert wanted_by(party.players[0], party.code)[0] == 200


def test_every_change_of_a_table_is_told_after_its_commit(house: House) -> None:
    store, news = house.referee.store, []

    def hear(table):  # type: ignore[no-untyped-def]
        news.append((table.id, table.revision, store.table(table.id).revision))

    store.on_change = hear
    party = house.gathered("rps")
    for each in party.players:
        each.move(party.table, "throw rock")
    newest = store.table(party.code).revision
    mine = [(then, item) for id, then, item in news if id == party.code]
    assert [then for then, _ in mine] == list(range(mine[0][0], newest + 1))
    assert all(then == item for then, item in mine)
    assert store.revisions([party.code, "0" * 8]) == {party.code: newest}
    count = len(news)
    with pytest.raises(Refused), store.change("0" * 8):
        pass
    with store.change(party.code):
        pass  # nothing is changed
    assert len(news) == count


def test_a_word_of_somebody_with_several_seats_or_none() -> None:
    news = News("T", 1, "w0", {"ann": "3+0f"}, shows_presence=True, watched=True, seats={"ann": [1, 2]})
    assert news.word_for("ann", "@100.0") == "3+0f@111.0"
    assert news.word_for("ann") == "3+0f"
    assert news.word_for("", "@100.0") == "w0"
    assert News("T", 1, "3", shows_presence=True).word_for("", "@10.0") == "3@10.0"
