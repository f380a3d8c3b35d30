"""The devices of a person: every browser that is signed in, and the codes that sign in one more."""

from collections.abc import Callable
from hashlib import sha256

from strifebarge.people.models import CODE_LASTS, Device, IdentityRefusal, device_name
from strifebarge.people.ports import DeviceRepository
from strifebarge.rules import Refused
from strifebarge.tables.model.names import code_of, tidy_code
from strifebarge.tables.model.player import Player


class Devices:
    """Signs devices in and out.  Every method may raise Busy."""

    def __init__(
        self, repository: DeviceRepository, now: Callable[[], float], entropy: Callable[[int], bytes]
    ):
        self.repository = repository
        self.now = now
        self.entropy = entropy
        # Told of each sign-out: whose, and of which device; None for all.
        self.on_sign_out: Callable[[str, str | None], object] | None = None

    def list_for(self, player: str) -> list[Device]:
        """Return the devices of a person, the one seen last first."""
        return self.repository.devices(player)

    def add(self, player: Player, agent: str) -> Device:
        """Sign in one more device; `agent` is what its browser says of itself.  Raises Refused(GONE)."""
        now = self.now()
        device = Device(self.entropy(16).hex(), player.id, device_name(agent), now, now)
        self.repository.add_device(device, player)
        return device

    def note_use(self, device: str, at: float) -> None:
        """Note when a device was last used, in seconds since 1970."""
        self.repository.note_device_use(device, at)

    def sign_out(self, player: str, device: str) -> bool:
        """Sign out one device of a person; return False if it was signed out already."""
        ended = self.repository.end_devices(player, only=device) > 0
        if ended and self.on_sign_out:
            self.on_sign_out(player, device)
        return ended

    def sign_out_all(self, player: str, but: str | None = None) -> None:
        """Sign out all devices of a person, or all but one, whose own open pages ask again."""
        self.repository.end_devices(player, but=but)
        self.end_streams(player)

    def end_streams(self, player: str) -> None:
        """Let the open pages and programs of a person be told nothing more."""
        if self.on_sign_out:
            self.on_sign_out(player, None)

    # -- codes ---------------------------------------------------------------------

    def give_code(self, player: str) -> str:
        """Return a code that signs in another device: once, within ten minutes."""
        code = code_of(self.entropy(5))
        now = self.now()
        self.repository.give_code(_hashed(code), player, now + CODE_LASTS, now)
        return code

    def take_code(self, raw: str, key: str) -> Player:
        """Return whose code it is; the form with this key gets the same answer again.

        Raises Refused(WRONG_CODE).
        """
        try:
            code = tidy_code(raw)
        except Refused as no:
            raise Refused(IdentityRefusal.WRONG_CODE) from no
        id = self.repository.spend_code(_hashed(code), key, self.now())
        player = self.repository.player(id) if id else None
        if player is None:
            raise Refused(IdentityRefusal.WRONG_CODE)
        return player


def _hashed(code: str) -> str:
    return sha256(f"device code {code}".encode()).hexdigest()
