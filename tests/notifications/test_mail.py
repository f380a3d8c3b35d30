"""Mail, to a real server on this machine."""

import re
import ssl
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from msgspec.structs import replace

from strifebarge.notifications.dispatch import NotificationMessage
from strifebarge.notifications.mail import Mail, mail_address
from strifebarge.notifications.models import Channel, ChannelKind
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal
from tests.support.servers import free_port

MESSAGE = NotificationMessage(
    id="0123456789abcdef",
    subject="Du bist am Zug – StrifeBarge",
    text="Zoë wartet.\n\nhttps://games.example.org/g/ABCD\n",
    short="",
    link="https://games.example.org/g/ABCD",
    off="https://games.example.org/notices/off?t=abc",
)


class Keeping:
    """What a mail server does with mail: it keeps it, or not."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.answer = "250 kept"
        self.recipient = "250 ok"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.recipient.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        assert envelope.rcpt_tos == [message["To"]]
        self.got.append(message)
        return self.answer


@pytest.fixture
def server() -> Iterator[Controller]:
    def check(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=data.login == b"us:er" and data.password == b"p@ss", handled=False)

    running = Controller(Keeping(), hostname="127.0.0.1", port=0, authenticator=check, auth_require_tls=False)
    running.ready_timeout = 60
    running.port = free_port()
    running.start()
    yield running
    running.stop()


def to(place: str = "ann@example.org") -> Channel:
    return Channel(id="a", player="ann", kind=ChannelKind.MAIL, address=place)


def mail(server: Controller, user: str = "") -> Mail:
    return Mail(f"smtp://{user}127.0.0.1:{server.port}", "StrifeBarge <games@example.org>")


def test_a_letter_arrives_as_plain_text_that_can_be_ended_with_one_click(server: Controller) -> None:
    mail(server).send(to(), MESSAGE)
    [got] = server.handler.got
    assert got["From"] == "StrifeBarge <games@example.org>"
    assert got["Subject"] == MESSAGE.subject
    assert got.get_content_type() == "text/plain"
    assert got.get_content().replace("\r\n", "\n") == MESSAGE.text
    assert got["List-Unsubscribe"] == f"<{MESSAGE.off}>"
    assert got["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert got["Message-ID"] == "<0123456789abcdef@example.org>"
    assert got["Auto-Submitted"] == "auto-generated"
    assert got["Date"]


LONG_NAME = "Der Übersee-Spieleverein von Łódź und Umgebung, Abteilung für Brett-, Karten- und Würfelspiele"
LONG_HOST = ".".join(["a" * 60] * 3) + ".example.org"
SENDERS = {  # how a host writes the sender, and how it is sent
    "games@example.org": "games@example.org",
    "StrifeBarge <games@example.org>": "<games@example.org>",
    f"Games, chess and {'more ' * 20}<games@example.org>": "<games@example.org>",
    f"{LONG_NAME} <games@example.org>": "<games@example.org>",
    f"StrifeBarge <{'g' * 60}@{LONG_HOST}>": f"<{'g' * 60}@{LONG_HOST}>",
    "Müller <games@müller.рф>": "<games@xn--mller-kva.xn--p1ai>",
}
OFFS = {  # the address that ends notifications, and how it is sent
    MESSAGE.off: MESSAGE.off,
    f"https://{LONG_HOST}/games/notices/off?t={'x' * 500}": None,
    "https://müller.рф:8443/spiele/ö/notices/off?t=a.b-c_d": (
        "https://xn--mller-kva.xn--p1ai:8443/spiele/%C3%B6/notices/off?t=a.b-c_d"
    ),
}


@pytest.mark.parametrize("sender", SENDERS)
@pytest.mark.parametrize("off", OFFS)
def test_addresses_and_urls_are_sent_as_programs_read_them(sender: str, off: str) -> None:
    place = f"{'a' * 64}@{LONG_HOST[20:]}"
    message = replace(MESSAGE, subject=f"Du bist am Zug gegen {LONG_NAME} – StrifeBarge", off=off)
    whole = Mail("smtp://127.0.0.1", sender).mail(to(place), message)
    for sent in (whole.as_bytes(), whole.as_bytes(policy=policy.SMTP)):
        head = sent.partition(b"\r\n\r\n")[0]
        assert head.isascii()
        assert all(len(line) <= 78 for line in head.split(b"\r\n") if b"=?" in line)
        assert all(len(line) <= 998 for line in head.split(b"\r\n"))
        lines = re.sub(rb"\r\n(?=[ \t])", b"", head).decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        address = SENDERS[sender]
        name = headers["From"].removesuffix(address).strip()
        assert str(make_header(decode_header(name))).strip('"') == sender.rpartition("<")[0].strip()
        assert "," not in name or name.startswith('"'), "a comma begins another address"
        assert headers["To"].strip() == place
        assert (
            headers["Message-ID"].strip() == f"<{MESSAGE.id}@{address.rpartition('@')[2].removesuffix('>')}>"
        )
        assert headers["List-Unsubscribe"] == f"<{OFFS[off] or off}>"
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message_from_bytes(sent, policy=policy.default)["Subject"] == message.subject


def test_a_password_opens_and_a_wrong_one_does_not(server: Controller) -> None:
    mail(server, "us%3Aer:p%40ss@").send(to(), MESSAGE)
    assert len(server.handler.got) == 1
    with pytest.raises(Refused) as no:
        mail(server, "us%3Aer:wrong@").send(to(), MESSAGE)
    assert no.value.why is NotificationRefusal.NO_MAIL
    assert len(server.handler.got) == 1


@pytest.mark.parametrize(("part", "answer"), [("recipient", "550 no such user"), ("answer", "452 full")])
def test_what_the_server_does_not_take_is_said_in_its_words(
    server: Controller, part: str, answer: str
) -> None:
    setattr(server.handler, part, answer)
    with pytest.raises(Refused) as no:
        mail(server).send(to(), MESSAGE)
    assert no.value.why is NotificationRefusal.NO_MAIL
    assert answer in str(no.value.text)


def test_no_server_is_no_answer() -> None:
    with pytest.raises(Refused) as no:
        Mail(f"smtp://127.0.0.1:{free_port()}", "games@example.org").send(to(), MESSAGE)
    assert no.value.why is NotificationRefusal.NOT_REACHED


def test_a_password_is_not_told_to_everybody_on_the_way(
    server: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strifebarge.notifications.mail.AT_HOME", ())
    with pytest.raises(Refused) as no:
        mail(server, "us%3Aer:p%40ss@").send(to(), MESSAGE)
    assert no.value.why is NotificationRefusal.NOT_REACHED
    assert server.handler.got == []


def test_nothing_written_by_people_becomes_a_header(server: Controller) -> None:
    nasty = NotificationMessage(
        id="1", subject="Hi\r\nBcc: eve@example.org", text=".\r\nQUIT\r\n", short="", link=""
    )
    with pytest.raises(ValueError, match="linefeed"):
        mail(server).mail(to(), nasty)
    dotted = NotificationMessage(id="1", subject="Hi", text="..\n.\nQUIT\n", short="", link="")
    mail(server).send(to(), dotted)
    assert server.handler.got[0].get_content().replace("\r\n", "\n") == dotted.text


def test_a_mail_address_keeps_its_name_and_its_domain_is_in_lower_case_and_ascii() -> None:
    assert mail_address(" Ann.B+x@Example.ORG ") == "Ann.B+x@example.org"
    assert mail_address("ann@Müller.example") == "ann@xn--mller-kva.example"
    assert mail_address("ann@пример.рф") == "ann@xn--e1afmkfd.xn--p1ai"
    assert ssl.create_default_context().verify_mode is ssl.CERT_REQUIRED
