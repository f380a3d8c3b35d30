"""The site with the same chance each time, so that pictures of it can be compared: one worker only."""

from random import Random
from time import time

from strifebarge import create_app

LONG = 1e9  # seconds that may go by here without the site having been away

app = create_app()
passed = [0.0]
app.extensions["referee"].now = lambda: time() + passed[0]


@app.post("/later/<int:seconds>")
def later(seconds: int) -> str:
    """So much time goes by at all tables."""
    referee = app.extensions["referee"]
    referee.store.beat(referee.now(), LONG)
    passed[0] += seconds
    referee.store.beat(referee.now(), LONG)
    return ""


app.extensions["referee"].entropy = Random(2012).randbytes  # codes, and the seeds of games
