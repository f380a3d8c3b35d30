"""The services of one site, which its pages and commands ask."""

from typing import NamedTuple

from strifebarge.notifications.service import Notifications
from strifebarge.people.hosts import Hosts
from strifebarge.people.people import People
from strifebarge.people.service import Accounts
from strifebarge.people.switches import Switches
from strifebarge.results.service import Results
from strifebarge.tables.clock.site_time import SiteClock
from strifebarge.tables.model.ports import Conversations, Lists
from strifebarge.tables.model.subscriptions import SubscriptionRepository
from strifebarge.tables.play.referee import Referee
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
