"""The site for any WSGI server: `gunicorn wsgi:app` (gunicorn.conf.py beside this is read by itself)."""

from strifebarge.app import create_app
from strifebarge.ops.health import SHARED
from strifebarge.server.application import RECENT
from strifebarge.server.hinting import with_hints

app = with_hints(create_app(health=SHARED, recent=RECENT))
