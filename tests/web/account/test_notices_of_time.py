"""Notices of time: a pause that ends within a day, and somebody whose time has run out."""

from tests.support import forms
from tests.web.account.test_feeds import feed_of
from tests.web.house import Party
from tests.web.town import Town, moves

RESUMES = "The clocks in Chess restart within a day."


def paused(town: Town) -> Party:
    """A slow game of two whose clocks stand, the second one told by a webhook."""
    party = town.house.gathered("chess", pace="days-3")
    town.told(party.players[1])
    for who in party.players:
        assert who.submit(who.get(party.table), "/pause").status == 303
    return party


def heard(town: Town, days: float) -> list[tuple[float, str]]:
    """What has come in so many days, and after how many hours each."""
    began, messages = town.now, []
    while town.now < began + days * 86400:
        messages += [((town.now - began) / 3600, each.short.splitlines()[0]) for _, each in town.wait(1800)]
    return messages


def test_a_pause_goes_on_by_itself_after_thirty_days_and_is_told_a_day_before(town: Town) -> None:
    party = paused(town)
    assert party.players[0].move(party.table, "move e4").status == 303  # which ends no pause
    assert RESUMES not in [words for _, words in heard(town, 28.9)]
    [(hours, _)] = [each for each in heard(town, 0.5) if each[1] == RESUMES]
    assert 2 <= hours <= 3.5
    page = party.players[1].get(party.table)
    assert "The clocks are stopped until" in page.words
    mark = party.players[1].get(f"{party.table}/version").text
    assert not any(words == RESUMES for _, words in heard(town, 5))
    assert party.players[1].get(f"{party.table}/version").text != mark
    table = town.house.referee.views.status(party.code)
    assert table.clock is not None
    assert table.clock.pause is None
    assert RESUMES not in party.players[1].get(feed_of(party.players[1])).text


def test_no_reminder_says_on_vacation_that_time_runs_out(town: Town) -> None:
    party = town.house.gathered("chess", pace="days-3")
    black = party.players[1]
    town.told(black)
    moves(party, "e4")
    town.now += 86400
    assert black.submit(black.get("/games"), "/vacation", days="9").status == 303
    assert [words for _, words in heard(town, 9)] == ["It's your turn in Chess with Guest Foxtrot."]
    assert [(round(hours), words) for hours, words in heard(town, 1.9)] == [
        (24, "Half of your time for this move in Chess is gone."),
        (36, "You're almost out of time in Chess."),
    ]


def test_whoever_may_decide_about_who_is_late_is_told_and_once(town: Town) -> None:
    party = town.house.gathered("chess", pace="days-1")
    white, black = party.players
    town.told(black)
    moves(party, "e4", "e5")
    words = "A player ran out of time in Chess. You can decide what happens."
    for days in (1, 14):  # of vacation, which begins by itself
        town.now += days * 86400 + 2
        forms.look(town.house.referee, party.code)
    assert [message for _, message in heard(town, 0.2)] == [words]
    page = black.get(party.table)
    more = next(form for form in page.forms if ("step", "more") in form.fields)
    assert black.post(more.action, more.filled()).status == 303
    assert [message for _, message in heard(town, 2)] == []
    town.now += 86400 + 2
    forms.look(town.house.referee, party.code)
    assert white.move(party.table, "move Nf3").status == 303  # before it is told
    assert words not in [message for _, message in heard(town, 0.2)]


def test_whoever_ends_a_pause_has_the_others_told_at_once(town: Town) -> None:
    party = paused(town)
    assert heard(town, 3) == []
    ann = party.players[0]
    ann.submit(ann.get(party.table), "/go-on")
    assert [words for _, words in heard(town, 0.9)] == [RESUMES]
    other = paused(town)
    ben = other.players[1]
    ben.submit(ben.get(other.table), "/go-on")
    assert RESUMES not in [words for _, words in heard(town, 2)]
