"""The site with the same chance each time, so that pictures of it can be compared: one worker only."""

from random import Random

from flask import redirect
from sqlalchemy import update
from werkzeug import Response

from strifebarge import create_app
from strifebarge.store.schema import moves
from strifebarge.table.clock.site_time import Machine

LONG = 1e9  # seconds that may go by here without the site having been away


class Passing(Machine):
    """This machine, at which tests let time go by."""

    passed = 0.0  # seconds

    def wall(self) -> float:
        return super().wall() + self.passed

    def uptime(self) -> float:
        return super().uptime() + self.passed


app = create_app()
referee, clock = app.extensions["referee"], app.extensions["services"].clock
referee.entropy = Random(2012).randbytes  # codes, and the seeds of games
clock.machine = machine = Passing()


@app.post("/later/<int:seconds>")
def later(seconds: int) -> str:
    """So much time goes by at all tables."""
    clock.beat(LONG)
    machine.passed += seconds
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
