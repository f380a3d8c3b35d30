"""Fields, arguments and cookies are found as Werkzeug would find them."""

from typing import Any

import pytest
from werkzeug.datastructures import ImmutableMultiDict

from strifebarge.web.http.fields import Fields

FILLED = {"seat": ["2", "3"], "name": ["Ann"], "empty": [""], "none": []}


@pytest.mark.parametrize("name", [*FILLED, "missing"])
@pytest.mark.parametrize("kind", [None, int, str])
@pytest.mark.parametrize("default", [None, "", 7])
def test_a_field_is_found_as_before(name: str, kind: Any, default: Any) -> None:
    ours, theirs = Fields(FILLED), ImmutableMultiDict(FILLED)
    assert ours.get(name, default, kind) == theirs.get(name, default, kind)
    assert ours.get(name, type=kind) == theirs.get(name, type=kind)
