"""StrifeBarge: turn-based games with friends, by link.  All wiring is on this page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy import Engine

    from strifebarge.bots.player.process import BotProcess
    from strifebarge.live.teller import HubClient
    from strifebarge.notifications.dispatch import Dispatcher
    from strifebarge.ops.health import Health
    from strifebarge.ops.recent import IncidentLog
    from strifebarge.ops.requests import RequestListener
    from strifebarge.server.ticker import Job, Ticker
    from strifebarge.services import Services
    from strifebarge.settings import Settings
    from strifebarge.tables.clock.site_time import SiteClock
    from strifebarge.tables.library.library import Library

__all__ = ["create_app", "dispatcher", "playing_bots", "telling", "ticking", "wired"]


def create_app(
    settings: "Settings | None" = None,
    reload: bool = False,
    health: "Health | None" = None,
    recent: "IncidentLog | None" = None,
) -> "Flask":
    """Return the site as a WSGI application; without settings, those of the environment.

    To `reload`, a game that cannot be read is left out, and pages change with the files of their game.
    `health` and `recent` are shared with the other processes of the site on this machine.

    The database must be up to date: `strifebarge serve` and `strifebarge db upgrade` see to that.
    """
    # All here and not above: code that plays by the rules alone needs nothing of the site.
    import os
    from datetime import timedelta

    from strifebarge.ops import logs
    from strifebarge.ops.health import Health
    from strifebarge.ops.metrics import measure
    from strifebarge.ops.recent import IncidentLog
    from strifebarge.ops.requests import note_routes
    from strifebarge.rules.introducing import introduce_classes
    from strifebarge.settings import Settings
    from strifebarge.store.db import redis
    from strifebarge.store.db.engine import engine_for
    from strifebarge.store.sessions import SqlSessions
    from strifebarge.web import build
    from strifebarge.web.http.session_interface import SiteSessions

    settings = settings or Settings.from_environment(os.environ)
    logs.set_up(settings.log)
    measure(settings)
    health, recent = health or Health(), recent or IncidentLog()
    recent.listen()
    engine = engine_for(settings.database_url, settings.threads, health)
    services = wired(engine, settings, watched_library(settings) if reload else None)
    counters = redis.counters(settings.redis_url, services.clock) if settings.redis_url else None
    listeners = [recent.answered, *told_of_requests(settings)]
    app = build(services, settings, health, counters, listeners)
    app.extensions["recent"] = recent
    app.extensions["teller"] = None if reload else telling(services, settings)
    app.extensions["mounted"]["/api"] = interface(app, services, settings, health)
    note_routes(app.extensions["interface"], "/api")
    introduce_classes({"strifebarge"})
    sessions = app.extensions["sessions"] = SqlSessions(engine, services.clock)
    app.session_interface = SiteSessions(app, sessions)
    app.config.update(
        SECRET_KEY=settings.secret_keys[-1],
        SECRET_KEY_FALLBACKS=list(settings.secret_keys[:-1]),
        SESSION_REFRESH_EACH_REQUEST=False,  # or every page would write
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_COOKIE_NAME="__Host-sb" if settings.secure else "sb",
        SESSION_COOKIE_SECURE=bool(settings.secure),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    app.extensions["tickers"] = [
        services.referee.suspender,
        *tickers(services, settings),
        writing_behind(engine, services),
    ]
    return app


def told_of_requests(settings: "Settings") -> "list[RequestListener]":
    """Return what is called with each request that was answered."""
    import logging

    from strifebarge.ops.requests import count_request, log_request

    listeners: list[RequestListener] = []
    if settings.log_requests:
        logging.getLogger("strifebarge.ops.requests").setLevel(logging.INFO)
        listeners.append(log_request)
    if settings.metrics:
        listeners.append(count_request)
    return listeners


def interface(app: "Flask", services: "Services", settings: "Settings", health: "Health") -> "Flask":
    """Make the interface for programs, with the limits, languages and statuses of the pages."""
    from functools import partial

    from strifebarge.api import build
    from strifebarge.api.ports import ApiServices
    from strifebarge.web.http.guard import address
    from strifebarge.web.http.request_store import asset
    from strifebarge.web.http.security_log import log_call
    from strifebarge.web.http.statuses import STATUS

    limits, languages = app.extensions["limits"], app.extensions["languages"]
    log = partial(log_call, settings.secret_keys[-1])
    api_app = build(ApiServices(services, settings, health, limits, languages, STATUS, log, asset, address))
    # What both find by `web/request_store.py`.
    api_app.app_ctx_globals_class = app.app_ctx_globals_class
    api_app.extensions["assets"] = app.extensions["assets"]
    app.extensions["interface"] = api_app
    return api_app


def watched_library(settings: "Settings") -> "Library":
    """Return the games for an author: a broken one is reported and left out, and each has a stamp."""
    import click

    from strifebarge.server.reload import stamp_of
    from strifebarge.tables.library.library import Library

    library = Library(settings.games, lambda fault: click.echo(str(fault), err=True))
    for title in library:
        title.stamp = stamp_of(title.folder)
    return library


def _log_left_out(fault: Exception) -> None:
    """Log that a game cannot be read: it is left out, and the others are served.

    Not again where `strifebarge serve` has said so before it started this process.
    """
    import logging

    from strifebarge.tables.library.library import REPORTED

    if str(fault) not in REPORTED:
        logging.getLogger("strifebarge").error("A game is left out: %s", fault)


def wired(engine: "Engine", settings: "Settings", library: "Library | None" = None) -> "Services":
    """Make the services of a site on a database that is up to date; without a library, that of its games."""
    from strifebarge.notifications.rules import notify
    from strifebarge.notifications.service import Notifications
    from strifebarge.people.hosts import Hosts
    from strifebarge.people.people import People
    from strifebarge.people.service import Accounts
    from strifebarge.people.switches import Switches
    from strifebarge.results.service import Results
    from strifebarge.results.subscriber import record_results
    from strifebarge.services import Services
    from strifebarge.store.store import Store
    from strifebarge.tables.clock.site_time import SiteClock
    from strifebarge.tables.library.library import Library
    from strifebarge.tables.model.bots import BotRules
    from strifebarge.tables.play.referee import Referee
    from strifebarge.tournaments.service import Tournaments
    from strifebarge.tournaments.subscriber import count_results

    store = Store(engine)
    library = library or Library(settings.games, _log_left_out)
    clock = SiteClock(store.tables)
    bots = BotRules(settings.bots != "off", settings.bots_per_person, settings.bots_per_site)
    referee = Referee(
        store.tables, library, clock, subscribers=[record_results, count_results, notify], bots=bots
    )
    results = Results(store.results, referee)
    notifications = Notifications(
        store.notifications, referee.views, lambda: referee.now(), settings.push_key
    )
    accounts = Accounts(store.accounts, store.tokens, referee, results, notifications, settings.secret_keys)
    people = People(store.people, accounts)
    tournaments = Tournaments(store.tournaments, referee)
    switches = Switches(store.switches, settings.read_only)
    referee.suspender.is_read_only = lambda: switches.read_only
    lists, talk, followed = store.tables, store.tables, store.subscriptions
    hosts = Hosts(store.hosts, lambda: referee.now())
    services = (clock, referee, accounts, results, notifications, lists, talk, followed)
    return Services(*services, people, switches, hosts, tournaments)


def telling(services: "Services", settings: "Settings") -> "HubClient | None":
    """Let the hub be told what happens in this process; None where the site has no hub."""
    from strifebarge.lib.signing import Marks
    from strifebarge.live.teller import HubClient

    if settings.live == "off":
        return None
    teller = HubClient(settings.data, Marks(settings.secret_keys))
    services.referee.store.on_change = teller.changed
    tournaments = services.tournaments.repository
    tournaments.on_change, teller.versions = teller.tournament_changed, tournaments.versions
    services.accounts.devices.on_sign_out = teller.signed_out
    services.accounts.tokens.on_revoke = teller.token_revoked
    services.subscriptions.begun = teller.table_followed
    return teller


def tickers(services: "Services", settings: "Settings") -> "list[Ticker]":
    """Return what runs in each process beside the requests, in threads of its own."""
    from strifebarge.people.switches import unless_read_only
    from strifebarge.server.ticker import Ticker
    from strifebarge.tables.clock.judging import MADE_KNOWN_AFTER
    from strifebarge.tables.clock.site_time import SYNCHRONIZED_EVERY

    clock, every = services.clock, settings.tick
    if settings.read_only:
        return [Ticker([synchronizing(clock)], clock, SYNCHRONIZED_EVERY)]
    # In every process: a channel is one process's alone while it is written to, and mail servers may be slow.
    send = unless_read_only(services.switches, dispatcher(services, settings))
    return [
        ticking(services, every) if every else Ticker([synchronizing(clock)], clock, SYNCHRONIZED_EVERY),
        Ticker([send], clock, 2 * every),
        Ticker([services.referee.judging.make_known], clock, MADE_KNOWN_AFTER),
    ]


def writing_behind(engine: "Engine", services: "Services") -> "Ticker":
    """Return what writes, in a thread of its own, what no page waits for: who is at which table.

    After the disk was full it tries first whether there is room again. It looks what hosts switch too.
    """
    from strifebarge.server.ticker import Ticker
    from strifebarge.store.db.probe import look_at_file, probe_disk
    from strifebarge.tables.play.attendance import SIGNS_WRITTEN_EVERY

    attendance = services.referee.attendance

    def write(_now: float) -> None:
        attendance.deferred = True
        look_at_file(engine)
        probe_disk(engine)
        attendance.write()

    return Ticker([services.switches.refresh, write], services.clock, SIGNS_WRITTEN_EVERY)


@contextmanager
def playing_bots(settings: "Settings", beat: Callable[[], object]) -> "Iterator[BotProcess]":
    """Yield what plays the bots' seats of a site, with what runs beside it in threads of its own."""
    import sys

    from strifebarge.bots.player import under_way
    from strifebarge.bots.player.process import BotProcess, half_of_the_machine
    from strifebarge.people.switches import LOOKED_AT_EVERY
    from strifebarge.server.ticker import Ticker
    from strifebarge.server.watchdog import Watchdog
    from strifebarge.store.db.engine import engine_for
    from strifebarge.store.db.file_watch import FileWatch
    from strifebarge.tables.clock.judging import MADE_KNOWN_AFTER
    from strifebarge.tables.clock.site_time import SYNCHRONIZED_EVERY

    has_read_games = any(
        name.startswith("games.") for name in sys.modules
    )  # the process that has forked this
    engine = engine_for(settings.database_url, half_of_the_machine() + 1)
    services = wired(engine, settings)
    teller = telling(services, settings)
    is_a_file = engine.dialect.name == "sqlite" and engine.url.database
    watch = FileWatch(engine.url.database or "") if is_a_file else None
    # A loop in C would hold this process for ever where nobody waits for its signs of life.
    watchdog = Watchdog(suspend=services.referee.suspender.suspend, last_words=sys.stderr.buffer)
    background_threads: list[Ticker | Watchdog] = [
        Ticker([synchronizing(services.clock)], services.clock, SYNCHRONIZED_EVERY),
        Ticker([services.referee.judging.make_known], services.clock, MADE_KNOWN_AFTER),
        Ticker([services.switches.refresh], services.clock, LOOKED_AT_EVERY),
        watchdog,
    ]
    watchdog.limit_memory(half_of_the_machine() + len(background_threads))
    for each in background_threads:
        each.start()
    try:
        yield BotProcess(
            services,
            settings.games,
            watch.has_changed if watch else None,
            beat,
            under_way=under_way.UnderWay(settings.data / under_way.NAME),
            reads_anew=not has_read_games,
        )
    finally:
        for each in background_threads:
            each.stop()
        for open_one in (watch, teller):
            if open_one is not None:
                open_one.close()
        engine.dispose()


def ticking(services: "Services", every: float, allowed: float = 60) -> "Ticker":
    """Return a ticker that runs every `every` seconds; a gap of more than `allowed` is an absence.

    While the site is read-only it does nothing, so that no clock runs.
    """
    from strifebarge.people.switches import unless_read_only
    from strifebarge.server.ticker import Ticker
    from strifebarge.tables.model.subscriptions import spent_events
    from strifebarge.tables.play.deadlines import daily_timeouts_job, deadlines, heartbeat_job, left_out
    from strifebarge.tournaments.due import going_on

    referee = services.referee
    jobs = [
        left_out(referee),
        deadlines(referee),
        daily_timeouts_job(referee),
        spent_events(services.subscriptions),
    ]
    jobs.append(going_on(services.tournaments))
    beat = heartbeat_job(services.clock, every, allowed)

    def elected() -> float | None:
        if not services.switches.read_only:
            return beat()
        services.clock.synchronize()
        return None

    return Ticker([unless_read_only(services.switches, each) for each in jobs], elected, every)


def synchronizing(clock: "SiteClock") -> "Job":
    """Return the job of a process that does not tick: to have the same time as those that do."""

    def synchronize(_: float) -> None:
        clock.synchronize()

    return synchronize


def dispatcher(services: "Services", settings: "Settings") -> "Dispatcher":
    """Make the dispatcher of a site, which sends what is due each time it is called with the time."""
    from strifebarge.notifications.dispatch import Dispatcher
    from strifebarge.notifications.mail import Mail, sender_of
    from strifebarge.notifications.models import ChannelKind
    from strifebarge.notifications.push import Push
    from strifebarge.notifications.webhooks import Webhooks
    from strifebarge.web.http.seals import Seals
    from strifebarge.web.words.languages import Languages
    from strifebarge.web.words.notifications import Wording

    referee, notifications = services.referee, services.notifications
    carriers: dict[ChannelKind, Any] = {}
    if settings.public_url:  # without it no link could be sent
        hooks = Webhooks(settings.inner_hooks)
        carriers |= dict.fromkeys((ChannelKind.DISCORD, ChannelKind.SLACK, ChannelKind.NTFY), hooks)
        sender = f"mailto:{sender_of(str(settings.mail_from)).addr_spec}"
        carriers[ChannelKind.PUSH] = Push(hooks, notifications.push_key, sender, lambda: referee.now())
    if settings.public_url and settings.smtp_url:
        carriers[ChannelKind.MAIL] = Mail(settings.smtp_url, str(settings.mail_from))
    languages = Languages(referee.library, settings.language)
    seals = Seals(settings.secret_keys, lambda: referee.now())
    wording = Wording(referee, notifications, languages, seals, settings.public_url or "")
    new_dispatcher = Dispatcher(notifications.repository, notifications.views, carriers, wording)
    new_dispatcher.is_banned = services.accounts.is_banned
    return new_dispatcher
