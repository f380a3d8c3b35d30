"""The switch of the meters: a process counts only where the site serves metrics."""

import logging
from typing import TYPE_CHECKING

from .meters import measure_with

if TYPE_CHECKING:
    from .settings import Settings

log = logging.getLogger("strifebarge.metrics")


def measure(settings: "Settings") -> None:
    """Let this process count what it does, if the site serves metrics; what cannot be counted is logged."""
    if not settings.metrics:
        return
    from .prometheus import PrometheusMeters, WrongFolder, folder_of

    try:
        measure_with(PrometheusMeters(folder_of(settings.data)))
    except (OSError, WrongFolder) as error:
        log.error("Nothing is measured: %s", error)
