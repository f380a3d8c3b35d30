"""The settings file: `strifebarge.toml` in the current folder, or the one that STRIFEBARGE_SETTINGS names."""

import os
import re
import stat
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from strifebarge.lib.encoding import utf8
from strifebarge.settings.wrong import PREFIX, WrongSetting

NAME = "strifebarge.toml"
VARIABLE = PREFIX + "SETTINGS"


class SettingsFile(NamedTuple):
    """A settings file that was read, with its values by the settings' names in lower case."""

    path: Path
    text: str
    values: Mapping[str, Any]

    def called(self, key: str) -> str:
        """Return what a key is called in a sentence: `port (line 3 of '/etc/strifebarge.toml')`."""
        start = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}(?![\w-])")
        lines = self.text.splitlines()
        location = next(
            (f"line {number} of " for number, line in enumerate(lines, 1) if start.match(line)), "in "
        )
        return f"{key} ({location}{str(self.path)!r})"

    def must_be_private(self, secrets: Collection[str]) -> None:
        """Raise WrongSetting if all users may read the file, and it has a secret under one of these keys."""
        if secrets and self.path.stat().st_mode & stat.S_IROTH:
            key = self.called(min(secrets))
            raise WrongSetting(f"{key} is secret, but all users may read the file: chmod o-r it.")


def find_file(environ: Mapping[str, str]) -> SettingsFile | None:
    """Return the settings file, if there is one.  Raises WrongSetting where it cannot be read or trusted."""
    named = environ.get(VARIABLE, "").strip()
    path = Path(os.path.expanduser(named or NAME)).absolute()
    if not named and not os.path.lexists(path):
        return None
    try:
        status = path.stat()
        text = utf8(path.read_bytes()).decode()
        values = tomllib.loads(text)
    except UnicodeDecodeError:
        raise WrongSetting(f"The settings file {str(path)!r} is not UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise WrongSetting(f"The settings file {str(path)!r} is not TOML: {_in_short(error)}.") from None
    except OSError as error:
        raise WrongSetting(f"The settings file {str(path)!r} cannot be read: {error.strerror}.") from None
    if status.st_mode & stat.S_IWOTH:
        raise WrongSetting(f"All users may write to the settings file {str(path)!r}: chmod o-w it.")
    if not named and status.st_uid not in (0, os.geteuid()):  # put there for anybody who comes by
        raise WrongSetting(
            f"The settings file {str(path)!r} belongs to another user; to use it, name it by {VARIABLE}."
        )
    return SettingsFile(path, text, values)


def _in_short(error: tomllib.TOMLDecodeError) -> str:
    """Return what is wrong and where, without the dot that may end it."""
    return str(error).rstrip(".")
