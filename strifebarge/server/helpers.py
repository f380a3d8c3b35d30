"""The helpers of a site: processes beside gunicorn, as its settings ask for them."""

import logging
import os
import signal
import sys
from collections.abc import Callable
from functools import partial

from strifebarge.backup.nightly import run_nightly
from strifebarge.lib.prctl import begin_helper
from strifebarge.live.process import run_hub
from strifebarge.ops.metrics import measure
from strifebarge.server.supervisor import Helper
from strifebarge.settings import Settings

NAME = "strifebarge-bot"  # of the process


def helpers_of(settings: Settings, reload: bool = False) -> list[Helper]:
    """Return the helpers of a site: the hub, unless games are read again, and the process of its bots."""
    helpers = []
    if settings.live == "on" and not reload:
        helpers.append(Helper("The hub", partial(run_hub_measured, settings)))
    if settings.bots == "on" and not settings.read_only:
        helpers.append(Helper("The process of the bots", partial(run_bots, settings, reload=reload)))
    if settings.backups and not reload:
        helpers.append(Helper("The process of the backups", partial(run_nightly, settings.backups)))
    if settings.metrics and not reload:
        helpers.append(Helper("The process of the metrics", partial(serve_metrics, settings)))
    return helpers


def serve_metrics(settings: Settings, beat: Callable[[], object]) -> None:
    """Serve the metrics of the site until SIGTERM; `beat` is called each second as a sign of life."""
    from strifebarge.server.metrics import run_metrics  # it reads a library that no other site needs

    run_metrics(settings, beat)


def run_hub_measured(settings: Settings, beat: Callable[[], object]) -> None:
    """Run the hub as `run_hub` does, with what it is measured by."""
    measure(settings)
    run_hub(settings, beat)


def run_bots(
    settings: Settings, beat: Callable[[], object] = bool, alone: bool = False, reload: bool = False
) -> None:
    """Play the bots' seats until SIGTERM; `beat` is called each second as a sign of life.

    `alone`: as `begin_helper` has it.
    `reload`: it also ends when a file of a game changes, to be started again with the games as they are then.
    """
    # Here and not above: a site without bots need not read it.
    from strifebarge.app import playing_bots

    measure(settings)
    ends = begin_helper(NAME, alone)
    # What its bots do is logged, not only what is amiss.
    logging.getLogger("strifebarge.bots.player").setLevel(logging.INFO)
    if reload:
        end_when_games_change(settings)
    with playing_bots(settings, beat) as process:
        process.run(ends)


def end_when_games_change(settings: Settings) -> None:
    """Watch the files of the games, and end this process by SIGTERM when one of them has changed."""
    from strifebarge.lib.shipped import games
    from strifebarge.server.reload import Watcher

    # What Python compiles would be taken for that of a file written within the same second.
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    folders = dict.fromkeys([*games.__path__, *map(str, settings.games)])
    Watcher(folders, lambda _changed: os.kill(os.getpid(), signal.SIGTERM)).start()
