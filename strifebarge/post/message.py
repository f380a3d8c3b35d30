"""What is sent: one message, whatever it tells and however it goes."""

from msgspec import Struct


class Message(Struct, frozen=True, kw_only=True):
    """Words for one address."""

    id: str  # the same for the same letters, should they go out twice
    subject: str
    text: str  # for mail
    short: str  # for webhooks, which others may read too: nothing that opens anything
    link: str  # where it leads
    off: str = ""  # the address that ends it with one POST
