"""The services of one site, which its pages and commands ask."""

from datetime import UTC, datetime
from typing import NamedTuple

from strifebarge.notifications.service import Notifications
from strifebarge.people.hosts import Hosts
from strifebarge.people.people import People
from strifebarge.people.service import Accounts
from strifebarge.people.switches import Switches
from strifebarge.results.service import Results
from strifebarge.rules import Occasion, Refused
from strifebarge.tables.clock.site_time import SiteClock
from strifebarge.tables.model.ports import Conversations, Lists
from strifebarge.tables.model.subscriptions import SubscriptionRepository
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.view.view import View
from strifebarge.tournaments.service import Tournaments


class Services(NamedTuple):
    """The site's time, tables, accounts, results, notifications, what programs follow, and tournaments.

    And of its hosts: `people`, as they look after them, what they switch, and which browsers are theirs.
    """

    clock: SiteClock
    referee: Referee
    accounts: Accounts
    results: Results
    notifications: Notifications
    lists: Lists
    conversations: Conversations
    subscriptions: SubscriptionRepository
    people: People
    switches: Switches
    hosts: Hosts
    tournaments: Tournaments

    def files(self, view: View, site: str) -> dict[str, str]:
        """Return a game as files for other programs, by their ending; `site` is its address, or ""."""
        if view.position.game is None:
            return {}
        names = [place.name for place in view.places]
        return view.position.game.exports(names, self.occasion(view, site))

    def occasion(self, view: View, site: str) -> Occasion:
        """Return where and when a game is played."""
        event, round = self._place_in_tournament(view)
        started = view.times.started
        return Occasion(
            event=event,
            round=round,
            site=site,
            date="" if started is None else datetime.fromtimestamp(started, UTC).date().isoformat(),
            pace=view.clock.pace if view.clock else None,
            unfinished=view.ending.unfinished,
        )

    def _place_in_tournament(self, view: View) -> tuple[str, int]:
        """Return the name of the tournament and the round to which a game belongs; "" and 0 for none."""
        if not view.settings.tournament:
            return "", 0
        try:
            tournament = self.tournaments.tournament(view.settings.tournament)
        except Refused:  # it was deleted
            return "", 0
        return tournament.name, next((each.round for each in tournament.games if each.table == view.id), 0)
