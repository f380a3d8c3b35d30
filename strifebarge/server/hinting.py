"""The wiring of hints: a site in a worker, with what thinks about them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def with_hints(site: "Flask") -> "Flask":
    """Return a site that gives hints, if it has bots; a worker starts a process for each hint."""
    from strifebarge.bots.player.hints import Hints

    referee = site.extensions["referee"]
    if referee.bots.on:
        site.extensions["hints"] = Hints(referee, [*site.extensions["settings"].games])
    return site
