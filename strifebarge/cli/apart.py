"""Do something in a process of its own, so that this one does not keep what only that needs in memory."""

import os
import pickle
import sys
import traceback
from collections.abc import Callable

import click

INTERRUPTED = 130  # the exit code of what SIGINT ended


def done_apart(act: Callable[[], object]) -> None:
    """Do something in a process of its own, and wait for it.

    Raises what it raises of ClickException, and ClickException where that process ends in any other way; its
    own output tells of that.  There must be no other threads.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _do(act, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        error = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if error:
        raise pickle.loads(error)  # noqa: S301 - from our own process
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code:
        raise click.ClickException(f"A process of this command ended with code {code}.")


def _do(act: Callable[[], object], writing: int) -> None:
    """Do it, write the error that is to be raised elsewhere, and end this process."""
    code = 1
    try:
        act()
        code = 0
    except click.ClickException as error:
        os.write(writing, pickle.dumps(error))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
