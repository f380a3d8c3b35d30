"""The site for any WSGI server: `gunicorn wsgi:app` (gunicorn.conf.py beside this is read by itself)."""

from strifebarge import create_app

app = create_app()
