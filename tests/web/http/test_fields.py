"""Fields, arguments and cookies are found as Werkzeug would find them."""

import io
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import pytest
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge
from werkzeug.test import EnvironBuilder

from strifebarge.web.http.fields import Fields, SiteRequest

FILLED = {"seat": ["2", "3"], "name": ["Ann"], "empty": [""], "none": []}


@pytest.mark.parametrize("name", [*FILLED, "missing"])
@pytest.mark.parametrize("kind", [None, int, str])
@pytest.mark.parametrize("default", [None, "", 7])
def test_a_field_is_found_as_before(name: str, kind: Any, default: Any) -> None:
    ours, theirs = Fields(FILLED), ImmutableMultiDict(FILLED)
    assert ours.get(name, default, kind) == theirs.get(name, default, kind)
    assert ours.get(name, type=kind) == theirs.get(name, type=kind)


class SlowBody(io.RawIOBase):
    """A body that does not come before `sent` is set."""

    def __init__(self) -> None:
        self.awaited, self.sent = Event(), Event()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.awaited.set()
        self.sent.wait()
        return 0


def form_with(body: Any) -> SiteRequest:
    environ = EnvironBuilder(method="POST", data={"name": "Ann"}).get_environ()
    return SiteRequest(environ if body is None else environ | {"wsgi.input": body})


def test_the_body_of_one_request_keeps_no_other_waiting() -> None:
    body, read = SlowBody(), Event()
    slow = form_with(body)

    def read_slowly() -> None:
        with suppress(ClientDisconnected):
            assert not slow.form

    first = Thread(target=read_slowly, daemon=True)
    first.start()
    body.awaited.wait()
    quick = form_with(None)
    second = Thread(target=lambda: quick.form["name"] == "Ann" and read.set(), daemon=True)
    second.start()
    try:
        assert read.wait(60)
    finally:
        body.sent.set()
        first.join()
        second.join()


@pytest.mark.parametrize(("number", "fits"), [(3, True), (4, False)])
def test_a_form_has_so_many_fields_at_most(number: int, fits: bool) -> None:
    fields = {f"f{each}": "" for each in range(number)}
    request = SiteRequest(EnvironBuilder(method="POST", data=fields).get_environ())
    request.max_form_parts = 3
    if fits:
        assert dict(request.form) == fields
    else:
        with pytest.raises(RequestEntityTooLarge):
            _ = request.files  # which reads the form too
