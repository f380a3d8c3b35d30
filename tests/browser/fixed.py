"""The site with the same chance each time, so that pictures of it can be compared: one worker only."""

from random import Random

from strifebarge import create_app

app = create_app()
app.extensions["referee"].entropy = Random(2012).randbytes  # codes, and the seeds of games
