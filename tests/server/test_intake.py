"""The intake: when a request is whole, whatever pieces it comes in."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strifebarge.server.intake import LARGEST_BODY, LARGEST_HEAD, Incoming

HEAD = b"POST /name HTTP/1.1\r\nHost: a\r\n"
REQUESTS = {
    "no body": b"GET /about HTTP/1.1\r\nHost: a\r\n\r\n",
    "a length": HEAD + b"Content-Length: 9\r\n\r\nname=Anna",
    "a length in capitals, and a blank line in the body": HEAD + b"CONTENT-LENGTH:4\r\n\r\n\r\n\r\n",
    "length 0": HEAD + b"Content-Length: 0\r\n\r\n",
    "chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nname=\r\n4\r\nAnna\r\n0\r\n\r\n",
    "a chunk that looks like the end": HEAD
    + b"transfer-encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n",
    "chunks and a trailer": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n",
}


@pytest.mark.parametrize("request_bytes", REQUESTS.values(), ids=REQUESTS.keys())
@given(cuts=st.lists(st.integers(1, 200), max_size=10))
def test_a_request_is_whole_with_its_last_byte_and_not_before(request_bytes: bytes, cuts: list[int]) -> None:
    incoming = Incoming()
    places = sorted({0, *(cut for cut in cuts if cut < len(request_bytes) - 1), len(request_bytes) - 1})
    for start, end in pairwise(places):
        incoming.add(request_bytes[start:end])
        assert not incoming.is_whole()
    incoming.add(request_bytes[-1:])
    assert incoming.is_whole()
    assert not incoming.too_large
    assert incoming.data == request_bytes


@pytest.mark.parametrize(
    "malformed",
    [
        b"a" * (LARGEST_HEAD + 1),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * (LARGEST_HEAD + 1),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a" * (LARGEST_HEAD + 1),
    ],
    ids=["head without an end", "no number", "number without an end", "trailer without an end"],
)
def test_what_gunicorn_refuses_does_not_wait(malformed: bytes) -> None:
    incoming = Incoming()
    incoming.add(malformed)
    assert incoming.is_whole()


@pytest.mark.parametrize(
    "head",
    [b"Content-Length: %d\r\n\r\n" % (LARGEST_BODY + 1), b"Transfer-Encoding: chunked\r\n\r\nfffffff\r\n"],
    ids=["a length", "a chunk"],
)
def test_a_body_that_is_too_large_is_not_waited_for(head: bytes) -> None:
    incoming = Incoming()
    incoming.add(HEAD + head)
    assert incoming.is_whole()
    assert incoming.too_large


def test_a_client_is_asked_for_its_body_once_the_head_is_there() -> None:
    incoming = Incoming()
    incoming.add(HEAD + b"Expect: 100-continue\r\nContent-Length: 4\r\n")
    assert not incoming.is_whole()
    assert not incoming.expects_continue
    incoming.add(b"\r\n")
    assert not incoming.is_whole()
    assert incoming.expects_continue
    incoming.add(b"a=b")
    assert not incoming.is_whole()
    assert not incoming.expects_continue
