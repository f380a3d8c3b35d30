"""The site with the same chance and date each time, so that its pages can be compared: one worker only."""

import time
from datetime import UTC, datetime
from random import Random

from flask import redirect
from sqlalchemy import update
from werkzeug import Response

from strifebarge.app import create_app
from strifebarge.store.schema import moves
from strifebarge.tables.clock.site_time import Machine

LONG = 1e9  # seconds that may go by here without the site having been away
SPRING = datetime(2027, 4, 15, 12, tzinfo=UTC).timestamp()  # weeks go by here without a new year


began, passed = time.monotonic(), 0.0  # seconds; tests let them go by


def uptime(self: Machine) -> float:
    return time.monotonic() + passed


def wall(self: Machine) -> float:
    return SPRING + uptime(self) - began


Machine.wall, Machine.uptime = wall, uptime  # type: ignore[method-assign]
app = create_app()
referee, clock = app.extensions["referee"], app.extensions["services"].clock
chance = Random(2012)
referee.entropy = chance.randbytes  # codes, and the seeds of games


@app.post("/chance/<name>")
def begin(name: str) -> str:
    """From now on this chance, whatever was drawn before."""
    chance.seed(name)
    return ""


@app.post("/later/<int:seconds>")
def later(seconds: int) -> str:
    """So much time goes by at all tables."""
    global passed
    clock.beat(LONG)
    passed += seconds
    clock.beat(LONG)
    return ""


@app.get("/changed/<id>")
def changed(id: str) -> Response:
    """As if the rules had changed under this game: its last move leads elsewhere now."""
    last = referee.store.table(id).position.number
    with referee.store.engine.begin() as connection:
        here = (moves.c.table_id == id, moves.c.number == last)
        connection.execute(update(moves).where(*here).values(fingerprint="elsewhere"))
    referee.matches.clear()
    return redirect(f"/g/{id}")
