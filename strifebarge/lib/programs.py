"""Programs of our own that are run for one question, so that no process has to hold what they need."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from strifebarge.lib.busy import Busy


def answer_of(program: Path, question: Any, seconds: float, what: str) -> Any:
    """Return what a program answers, which is asked in JSON and answers in JSON, within `seconds`.

    `what`: what could not be done where it does not answer.  Raises Busy.
    """
    try:
        completed = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-P", str(program)],
            input=json.dumps(question).encode(),
            capture_output=True,
            check=True,
            timeout=seconds,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Busy(f"{what}: {type(error).__name__}") from error
    return json.loads(completed.stdout)
