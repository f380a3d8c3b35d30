"""The server: gunicorn and its workers, the supervisor, and the helpers and threads beside requests."""
