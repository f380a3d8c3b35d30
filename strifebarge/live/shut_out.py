"""The acts of hosts that end the streams of people: a command may run on a machine without a hub."""

from typing import Protocol

from strifebarge.tables.model.audit import ActOnPerson

SHUTTING = frozenset({"ban", "revoke"})
OVERLAP = 50  # entries that are read again: of two transactions the later number may be written first


class HostActs(Protocol):
    """The acts of hosts about people, as the audit log numbers them."""

    def last_act(self) -> int:
        """Return the number of the newest entry of the audit log; 0 where there is none."""

    def acts_after(self, number: int) -> list[ActOnPerson]:
        """Return the entries after that number, with the people whom they are about."""


class RevocationWatcher:
    """Tells once of each act of a host that ends somebody's streams, and of none before it is first asked."""

    def __init__(self, acts: HostActs):
        self.acts = acts
        self.seen_numbers: set[int] | None = None

    def newly_revoked(self) -> list[str]:
        """Return the secret ids of the people who were banned or signed out since this was last asked."""
        before = self.seen_numbers
        newest = self.acts.last_act() if before is None else max(before, default=0)
        act_on_persons = self.acts.acts_after(newest - OVERLAP)
        self.seen_numbers = {each.number for each in act_on_persons}
        new = [] if before is None else [each for each in act_on_persons if each.number not in before]
        return [each.player for each in new if each.player and each.act in SHUTTING]
