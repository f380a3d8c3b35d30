"""Faults in StrifeBarge."""

from games.strifebarge.rules import Captain, Fire, HoldFire, Salvo, StrifeBarge
from strifebarge.fuzz.law import Law

from . import fault

__all__ = ["Fire", "HoldFire", "Salvo"]


@fault(Law.LEAK)
class NearMissesAreTold(StrifeBarge):
    """The log says how far a shot was from the next ship."""

    def land(self, captain: Captain, square: str) -> None:
        super().land(captain, square)
        lying = {each for other in self.seats for ship in other.fleet for each in ship.squares}
        near = min((abs(_row(each) - _row(square)) for each in lying), default=0)
        self.log("The nearest ship is {n} away.", n=near)


@fault(Law.CRASH)
class LastSalvoBreaks(StrifeBarge):
    """With salvos on the open sea the fourth wreck is one too many."""

    def land(self, captain: Captain, square: str) -> None:
        super().land(captain, square)
        sunk = [ship for each in self.seats for ship in each.fleet if set(ship.squares) <= self.shots.keys()]
        if self.options.salvo and self.options.sea == "open" and len(sunk) > 3:
            raise RuntimeError("no room for wrecks")


def _row(square: str) -> int:
    return int(square.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
