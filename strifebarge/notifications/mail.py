"""Send mail through the mail server of the site's host."""

import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.headerregistry import Address, BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import formatdate
from urllib.parse import quote, unquote, urlsplit

from strifebarge.lib.addresses import ascii_host, web_address
from strifebarge.notifications.message import NotificationMessage
from strifebarge.notifications.models import Channel
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

PATIENCE = 10.0  # seconds for each answer of the server
LONGEST = 254  # characters of a mail address
# Plain ones only: who has an address in quotes, or in a domain of numbers, has another one too.
PLAIN = re.compile(
    r"[\w.!#$&'*+/=?^`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]+)", re.ASCII
)
AT_HOME = ("localhost", "127.0.0.1", "::1")
IN_URLS = "%/:?#[]@!$&'()*+,;="  # what a URL has beside letters, digits and -._~


class Header(BaseHeader):
    """A header that stays in one line if it is ASCII: folding encodes long URLs, and unquotes long names."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is sent."""
        return super().fold(policy=policy.clone(max_line_length=None) if self.isascii() else policy)


POLICY = SMTP.clone(header_factory=HeaderRegistry(base_class=Header))


def mail_address(written: str) -> str:
    """Return a mail address with its domain in lower case and in ASCII.  Raises Refused(WRONG_MAIL)."""
    name, _, domain = written.strip().rpartition("@")
    try:
        address = f"{name}@{ascii_host(domain)}"
    except ValueError as wrong:
        raise Refused(NotificationRefusal.WRONG_MAIL) from wrong
    if len(written) > LONGEST or len(address) > LONGEST or not PLAIN.fullmatch(address):
        raise Refused(NotificationRefusal.WRONG_MAIL)
    return address


def sender_of(written: str) -> Address:
    """Return the sender that a host has written: an address, or a name and <an address>."""
    name, _, address = written.removesuffix(">").rpartition("<")
    user, _, domain = address.rpartition("@")
    return Address(name.strip(), user, ascii_host(domain))


class Mail:
    """Sends by SMTP.  `url`: smtp://user:password@host:port, or smtps:// for TLS from the start."""

    tries = (60.0, 600.0, 3600.0, 6 * 3600.0)  # seconds until it is tried again

    def __init__(self, url: str, sender: str):
        self.url = urlsplit(url)
        self.sender = sender_of(sender)

    def send(self, channel: Channel, message: NotificationMessage) -> None:
        """Send a mail.  Raises Refused where the server did not take it."""
        with refused_instead(), self._server() as server:
            server.send_message(self.mail(channel, message))

    def try_server(self) -> None:
        """Open a session with the server, and send nothing.  Raises Refused where that cannot be."""
        with refused_instead(), self._server() as server:
            server.noop()

    def mail(self, channel: Channel, message: NotificationMessage) -> EmailMessage:
        """Make a mail of plain text, without anything that would tell that it was read."""
        mail = EmailMessage(POLICY)
        mail["From"], mail["To"], mail["Subject"] = self.sender, channel.address, message.subject
        mail["Date"] = formatdate(usegmt=True)
        mail["Message-ID"] = f"<{message.id}@{self.sender.domain}>"
        mail["Auto-Submitted"] = "auto-generated"
        if message.off:
            mail["List-Unsubscribe"] = f"<{_ascii_url(message.off)}>"
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail.set_content(message.text)
        return mail

    def _server(self) -> smtplib.SMTP:
        url, host = self.url, str(self.url.hostname)
        server: smtplib.SMTP
        if url.scheme == "smtps":
            server = smtplib.SMTP_SSL(
                host, url.port or 465, timeout=PATIENCE, context=ssl.create_default_context()
            )
        else:
            server = smtplib.SMTP(host, url.port or 25, timeout=PATIENCE)
        try:
            server.ehlo()
            private = url.scheme == "smtps" or host in AT_HOME
            if url.scheme == "smtp" and server.has_extn("starttls") and host not in AT_HOME:
                server.starttls(context=ssl.create_default_context())
                private = True
            if url.username is not None:
                if not private:  # a password is not for everybody on the way
                    raise smtplib.SMTPNotSupportedError("no TLS")
                server.login(unquote(url.username), unquote(url.password or ""))
        except BaseException:
            server.close()
            raise
        return server


def _ascii_url(url: str) -> str:
    """Return a URL as headers may have it: in ASCII."""
    return quote(web_address(url), safe=IN_URLS)


@contextmanager
def refused_instead() -> Iterator[None]:
    """Raise Refused instead of the errors of a mail server."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as no:
        code, answer = next(iter(no.recipients.values()))
        raise Refused(NotificationRefusal.NO_MAIL, answer=_words(code, answer)) from no
    except smtplib.SMTPResponseException as no:
        raise Refused(NotificationRefusal.NO_MAIL, answer=_words(no.smtp_code, no.smtp_error)) from no
    except TimeoutError as late:
        raise Refused(NotificationRefusal.NO_ANSWER) from late
    except (OSError, smtplib.SMTPException) as no:
        raise Refused(NotificationRefusal.NOT_REACHED, problem=type(no).__name__) from no


def _words(code: int, answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return f"{code} {' '.join(text.split())}"[:200]
