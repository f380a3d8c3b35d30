"""A message, as every carrier sends it."""

import re

from msgspec import Struct

LINK = re.compile(r"https?://\S+")  # a whole line: a name can begin so, and has words after it


class NotificationMessage(Struct, frozen=True, kw_only=True):
    """Words for one channel."""

    id: str  # the same for the same notifications, should they go out twice
    subject: str
    text: str  # for mail
    short: str  # plain lines for webhooks, which others may read too: nothing that opens anything
    link: str  # where it leads
    off: str = ""  # the address that ends it with one POST
