"""Configure gunicorn for `gunicorn wsgi:app`; `strifebarge serve` has the same without this file."""

import os
import sys

from click import ClickException

from strifebarge.cli.needs import migrate_when_up, must_serve_alone
from strifebarge.ops import logs
from strifebarge.server.application import allow_files, begin, end, gunicorn_options
from strifebarge.server.helpers import helpers_of
from strifebarge.server.supervisor import start_beside
from strifebarge.settings import Settings, WrongSetting

try:
    settings = Settings.from_environment(os.environ)
except WrongSetting as error:
    sys.exit(f"Error: {error}")

logs.set_up(settings.log)
globals().update(gunicorn_options(settings))
post_worker_init, worker_exit = begin, end


def on_starting(server):
    """Bring the database up to date before any worker starts, and start the hub."""
    allow_files(settings)
    try:
        must_serve_alone(settings)
        migrate_when_up(settings)
    except ClickException as error:
        sys.exit(f"Error: {error.message}")
    if helpers := helpers_of(settings):
        start_beside(os.getpid(), helpers)
