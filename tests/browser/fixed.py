"""The site with the same chance each time, so that pictures of it can be compared: one worker only."""

from random import Random
from time import time

from flask import redirect
from sqlalchemy import update
from werkzeug import Response

from strifebarge import create_app
from strifebarge.store.schema import moves

LONG = 1e9  # seconds that may go by here without the site having been away

app = create_app()
referee = app.extensions["referee"]
referee.entropy = Random(2012).randbytes  # codes, and the seeds of games
passed = [0.0]
referee.now = lambda: time() + passed[0]


@app.post("/later/<int:seconds>")
def later(seconds: int) -> str:
    """So much time goes by at all tables."""
    referee.store.beat(referee.now(), LONG)
    passed[0] += seconds
    referee.store.beat(referee.now(), LONG)
    return ""


@app.get("/changed/<id>")
def changed(id: str) -> Response:
    """As if the rules had changed under this game: its last move leads elsewhere now."""
    last = referee.store.table(id).number
    with referee.store.engine.begin() as connection:
        here = (moves.c.table_id == id, moves.c.number == last)
        connection.execute(update(moves).where(*here).values(fingerprint="elsewhere"))
    referee.shelf.laid.clear()
    return redirect(f"/g/{id}")
