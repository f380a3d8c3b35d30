"""The site under gunicorn: how it is set up, and what its workers begin and end with."""

import os
from typing import Any

import click
from gunicorn.app.base import BaseApplication

# What a worker needs is read before it is forked: that takes its time once, and the memory once.
import strifebarge.post.hooks
import strifebarge.post.mail
import strifebarge.post.push
import strifebarge.store.sessions
import strifebarge.store.store
import strifebarge.web.wording  # noqa: F401
from strifebarge.settings import Settings

MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes its own unguessable file there


def gunicorn_options(settings: Settings) -> dict[str, Any]:
    """gunicorn's configuration, for `strifebarge serve` and gunicorn.conf.py alike."""
    return {
        "bind": settings.bind,
        "workers": settings.workers,
        "worker_class": "gthread",
        "threads": settings.threads,
        "timeout": 30,
        "graceful_timeout": 3,  # streams never end by themselves, and their pages come back by themselves
        "keepalive": 5,
        "max_requests": 0,  # a recycled gthread worker resets the connections it holds
        "preload_app": False,  # database connections must not cross a fork
        "worker_tmp_dir": MEMORY if os.path.isdir(MEMORY) else None,  # a slow disk must not look like a hang
        "control_socket_disable": True,  # else it writes in the home folder
        # Proxies are believed in one place, the site's own, as often as TRUSTED_PROXIES says.
        "forwarded_allow_ips": "",
        "secure_scheme_headers": {},
        "accesslog": None,  # addresses here carry seat links, which are secrets
        "loglevel": "warning",
        "proc_name": "strifebarge",
    }


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn, told everything by our settings and nothing by a file or a command line of its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in gunicorn_options(self.settings).items():
            self.cfg.set(name, value)
        self.cfg.set("post_worker_init", begin)
        self.cfg.set("worker_exit", end)

    def load(self) -> Any:
        # Each worker makes the site for itself: connections must not cross a fork.
        from strifebarge import create_app

        return create_app(self.settings)


def begin(worker: Any) -> None:
    """A worker's tickers start in the worker, after the fork: threads and connections do not cross one."""
    if site := getattr(worker.wsgi, "extensions", None):
        for ticker in site["tickers"]:
            ticker.start()
    say_address(worker)


def end(_arbiter: Any, worker: Any) -> None:
    """What the tickers are at comes to its end before the interpreter does."""
    if site := getattr(worker.wsgi, "extensions", None):
        for ticker in site["tickers"]:
            ticker.stop()


def say_address(worker: Any) -> None:
    """One line once the site can answer; only the first worker ever says it, not those that replace one."""
    if worker.age == 1:
        click.echo(f"StrifeBarge is at {', '.join(map(address, worker.sockets))} (Ctrl+C ends it).")


def address(listener: Any) -> str:
    """The address of a listening socket as a browser takes it; 0.0.0.0 is told as this machine."""
    name = listener.getsockname()
    if isinstance(name, str | bytes):
        return f"unix:{os.fsdecode(name)}"
    host = {"0.0.0.0": "localhost", "::": "localhost"}.get(name[0], name[0])  # noqa: S104 - told, not bound
    return f"http://[{host}]:{name[1]}/" if ":" in host else f"http://{host}:{name[1]}/"
