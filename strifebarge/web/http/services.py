"""The services that pages ask, as the wiring has put them into the application."""

from typing import TYPE_CHECKING

from strifebarge.notifications.service import Notifications
from strifebarge.ops.health import Health
from strifebarge.people.hosts import Hosts
from strifebarge.people.service import Accounts
from strifebarge.results.service import Results
from strifebarge.services import Services
from strifebarge.tables.model.ports import Conversations, Lists
from strifebarge.tables.play.queries import Views
from strifebarge.tables.play.referee import Referee
from strifebarge.web.http.request_store import APPLICATIONS, this_app

if TYPE_CHECKING:
    from strifebarge.settings import Settings
    from strifebarge.web.http.guard import Limits


def services() -> Services:
    """Return the services of the application that answers this request."""
    extension: Services = APPLICATIONS.get().app.extensions["services"]
    return extension


def referee() -> Referee:
    """Return the service for tables."""
    extension: Referee = APPLICATIONS.get().app.extensions["referee"]
    return extension


def views() -> Views:
    """Return the service that shows tables."""
    return referee().views


def accounts() -> Accounts:
    """Return the service for who somebody is."""
    return services().accounts


def results() -> Results:
    """Return the service for games that have ended."""
    return services().results


def notifications() -> Notifications:
    """Return the service for subscribers, channels and notifications."""
    return services().notifications


def lists() -> Lists:
    """Return what lists of tables are read from."""
    return services().lists


def conversations() -> Conversations:
    """Return what is said and noted at tables."""
    return services().conversations


def hosts() -> Hosts:
    """Return the service for which browsers are the hosts' of the site."""
    return services().hosts


def health() -> Health:
    """Return whether the database can be written to."""
    extension: Health = this_app().extensions["health"]
    return extension


def now() -> float:
    """Return the time in seconds since 1970, as the site's clock has it."""
    return referee().now()


def settings() -> "Settings":
    """Return the settings of the site."""
    extension: Settings = this_app().extensions["settings"]
    return extension


def read_only() -> bool:
    """Return whether games can be watched only, by a setting or as a host has switched it."""
    return settings().read_only or services().switches.read_only


def limits() -> "Limits":
    """Return the counters that hold back visitors who send too much."""
    extension: Limits = this_app().extensions["limits"]
    return extension
