"""The site with the same seed for every game, so that a game found beforehand can be played there."""

from strifebarge.app import create_app
from tests.support.short import dealt

app = create_app()
app.extensions["referee"].entropy = dealt
