"""gunicorn's configuration for `gunicorn wsgi:app`; `strifebarge serve` has the same without this file."""

import os
import sys

from strifebarge.settings import Settings, WrongSetting, gunicorn_options
from strifebarge.store.migrations import upgrade

try:
    settings = Settings.from_environment(os.environ)
except WrongSetting as error:
    sys.exit(f"Error: {error}")

globals().update(gunicorn_options(settings))


def on_starting(server):
    """Before any worker: the database brought up to date."""
    upgrade(settings.database_url)
