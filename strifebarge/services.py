"""The services of one site, which its pages and commands ask."""

from typing import NamedTuple

from strifebarge.accounts.people import People
from strifebarge.accounts.service import Accounts
from strifebarge.hosts import Hosts
from strifebarge.notifications.service import Notifications
from strifebarge.results.service import Results
from strifebarge.switches import Switches
from strifebarge.table.clock.site_time import SiteClock
from strifebarge.table.ports import Conversations, Lists
from strifebarge.table.referee import Referee
from strifebarge.table.subscriptions import SubscriptionRepository
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
