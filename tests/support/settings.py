"""Settings as they are read from an environment, and what is said of wrong ones."""

from pathlib import Path

import pytest

from strifebarge.settings import Settings, WrongSetting


def settings(folder: Path, **variables: str) -> Settings:
    """The settings of a site whose data is in this folder."""
    named = {f"STRIFEBARGE_{name}": value for name, value in {"DATA": str(folder), **variables}.items()}
    return Settings.from_environment(named)


def refusal(folder: Path, **variables: str) -> str:
    """The one line that says what is wrong."""
    with pytest.raises(WrongSetting) as error:
        settings(folder, **variables)
    assert str(error.value).count("\n") == 0
    return str(error.value)
