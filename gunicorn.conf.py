"""gunicorn's configuration for `gunicorn wsgi:app`; `strifebarge serve` has the same without this file."""

import os
import sys

from click import ClickException

from strifebarge.cli.needs import migrate
from strifebarge.server import begin, end, gunicorn_options
from strifebarge.settings import Settings, WrongSetting

try:
    settings = Settings.from_environment(os.environ)
except WrongSetting as error:
    sys.exit(f"Error: {error}")

globals().update(gunicorn_options(settings))
post_worker_init, worker_exit = begin, end


def on_starting(server):
    """Before any worker: the database brought up to date."""
    try:
        migrate(settings)
    except ClickException as error:
        sys.exit(f"Error: {error.message}")
