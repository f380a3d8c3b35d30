"""A service that has failed is left alone for a while, then tried by one caller for all."""

import pytest

from strifebarge.lib import circuit
from strifebarge.lib.circuit import CircuitBreaker, CircuitOpen


class Service:
    """Something that may be away, and counts how often it was asked."""

    def __init__(self) -> None:
        self.away = False
        self.asked = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.away:
            raise ConnectionError("away")
        return "here"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test may set."""
    now = [100.0]
    monkeypatch.setattr(circuit, "monotonic", lambda: now[0])
    return now


def test_what_has_failed_is_not_asked_before_its_rest_is_over(clock: list[float]) -> None:
    service, lines = Service(), []
    line = CircuitBreaker(5, lines.append)
    assert line.ask(service) == "here"
    service.away = True
    with pytest.raises(ConnectionError):
        line.ask(service)
    for clock[0] in (100.0, 104.9):
        with pytest.raises(CircuitOpen):
            line.ask(service)
    assert service.asked == 2
    clock[0] = 105.0
    with pytest.raises(ConnectionError):
        line.ask(service)
    service.away = False
    with pytest.raises(CircuitOpen):
        line.ask(service)
    clock[0] = 110.0
    assert line.ask(service) == line.ask(service) == "here"
    assert [str(why) for why in lines] == ["away", "None"]  # once for each change


def test_after_the_rest_one_caller_tries_it_for_all(clock: list[float]) -> None:
    service = Service()
    line = CircuitBreaker(5)
    service.away = True
    with pytest.raises(ConnectionError):
        line.ask(service)
    service.away, clock[0] = False, 105.0

    def while_it_is_tried() -> str:
        with pytest.raises(CircuitOpen):
            line.ask(service)
        return service()

    assert line.ask(while_it_is_tried) == "here"
    assert service.asked == 2
