"""A hub that is always there and takes nothing, for requests in the same process."""

from typing import Any

from strifebarge.lib.signing import Marks
from strifebarge.web.table.live import HUB, STREAM, StreamRequest
from tests.support.visitor import Local

MARK = Marks(["a key of the tests alone"])


class StubHub:
    """What the server gives a request of its hub."""

    mark = MARK

    def is_there(self) -> bool:
        return True


def wanted_by(visitor: Local, *tables: str) -> tuple[int, StreamRequest | None]:
    """The status of a request for a stream, and the stream that would be handed over."""
    environ: dict[str, Any] = {HUB: StubHub(), "REMOTE_ADDR": visitor.address}
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    with visitor.app.test_request_context(
        "/live", query_string={"at": tables}, environ_overrides=environ, headers={"Cookie": cookies}
    ) as connection:
        answer = visitor.app.full_dispatch_request()
        return answer.status_code, connection.request.environ.get(STREAM)
