"""Mail, to a real server on this machine."""

import ssl
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

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
