"""The commands about people: `strifebarge people …`."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from strifebarge.cli import main
from strifebarge.notifications.models import Subscriber
from strifebarge.people.models import Account, Device, PersonalLink, Scope, Token
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player
from strifebarge.tables.play.turn import FormToken
from tests.support import forms
from tests.support.databases import never_wait_for_the_disk

ANN, BOB = Player("ann", "Ann 100%", 1_700_000_000.0), Player("bob", "Bob", 1_700_000_000.0)


class Peopled(NamedTuple):
    """A site with Ann, who has an account and all else by which one is known, and Bob, a guest."""

    url: str
    store: Store
    table: str

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(main, ["people", *words], env={"STRIFEBARGE_DATABASE_URL": self.url})

    def told(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def audited(self) -> list[tuple[str, str]]:
        entries = self.store.tables.audit_log(50)
        assert all(each.by and each.at for each in entries)
        return [(each.act, each.subject) for each in entries]


@pytest.fixture
def peopled(ready_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("STRIFEBARGE_DATA", str(tmp_path / "data"))
    engine = engine_for(ready_url, 1)
    never_wait_for_the_disk(engine)
    store = Store(engine)
    referee = forms.a_referee(store, Library())
    table = forms.start(referee, ANN, "rps", FormToken("b" * 32), seats=2).id
    forms.join(referee, BOB, table, "", FormToken("c" * 32))
    store.accounts.open_account(Account("ann", "ann.example", "no hash", 1.0, 1.0, "ann"), ANN)
    store.accounts.add_device(Device("d" * 32, "ann", "Firefox", 1.7e9, 1.7e9), ANN)
    store.accounts.keep_link(PersonalLink("ann", 3, 1.7e9))
    store.accounts.give_code("hash", "ann", 9e9, 1.7e9)
    store.notifications.keep_subscriber(Subscriber(player="ann", feed_serial=2))
    token = Token("t" * 16, "ann", "h" * 64, "a bot", [Scope.READ], 1.7e9, 1.7e9)
    store.tokens.add_token(token, "f" * 64, 9e9)
    yield Peopled(ready_url, store, table)
    engine.dispose()


def test_people_are_found_by_name_username_or_public_id(peopled: Peopled) -> None:
    for words in ("ann 100%", "ANN", "example", ANN.public, ANN.public.upper(), "100%"):
        [person] = peopled.told("find", words)
        assert (person["id"], person["name"], person["login"]) == (ANN.public, "Ann 100%", "ann.example")
    assert (person["games"], person["last_seen"], person["ban"]) == (1, "2023-11-14", None)
    assert [each["name"] for each in peopled.told("find", "")] == ["Ann 100%", "Bob"]
    assert len(peopled.told("find", "", "--most", "1")) == 1
    line = f"{ANN.public}  Ann 100%, username ann.example, 1 game, last here 2023-11-14\n"
    assert peopled.run("find", "ann").stdout == line
    for words in ("_", "%n", "nobody at all", "\\"):  # no pattern, but these very letters
        nobody = peopled.run("find", words)
        assert (nobody.exit_code, nobody.stdout, nobody.stderr) == (0, "", "There are none.\n")


def test_a_person_is_banned_by_public_id_or_username_and_let_in_again(peopled: Peopled) -> None:
    tried = peopled.run("ban", "Ann.Example", "--reason", "spam", "--dry-run")
    assert tried.stdout == f"{ANN.public}  would be banned\n"
    assert (peopled.told("find", "ann")[0]["ban"], peopled.audited()) == (None, [])
    done = peopled.told("ban", ANN.public, "--reason", " spam,\n again ", "--until", "2999-12-31 18:00")
    assert (done["id"], done["dry_run"]) == (ANN.public, False)
    assert (done["ban"]["reason"], done["ban"]["until"]) == ("spam, again", "2999-12-31 18:00:00")
    assert "banned until 2999-12-31 18:00:00: spam, again" in peopled.run("find", "ann").stdout
    assert peopled.told("ban", "ann.example", "--reason", "more")["ban"]["until"] == ""
    assert peopled.run("unban", ANN.public).stdout == f"{ANN.public}  let in again\n"
    assert peopled.told("find", "ann")[0]["ban"] is None
    assert peopled.audited() == [("unban", ANN.public), ("ban", ANN.public), ("ban", ANN.public)]
    assert len(peopled.store.accounts.devices("ann")) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ban", "Bob", "--reason", "x"], "There is nobody with the public id or username “Bob”"),
        (["ban", "PUBLIC", "--reason", " "], "Give a reason of 1 to 200 characters."),
        (["ban", "PUBLIC", "--reason", "x" * 201], "Give a reason of 1 to 200 characters."),
        (["ban", "PUBLIC", "--reason", "x", "--until", "2001-01-01"], "That time has passed."),
        (["unban", "PUBLIC"], "This person isn't banned."),
        (["revoke", "0123456789abcdef"], "There is nobody with"),
        (["erase", "nobody"], "There is nobody with"),
        (["export", "nobody"], "There is nobody with"),
    ],
    ids=lambda words: "-".join(words)[:24] if isinstance(words, list) else "",
)
def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(
    peopled: Peopled, words: list[str], sentence: str
) -> None:
    words = [BOB.public if word == "PUBLIC" else word for word in words]
    for dry in ([], ["--dry-run"])[: 1 if words[0] == "export" else 2]:
        done = peopled.run(*words, *dry)
        assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
        assert sentence in done.stderr
    assert peopled.audited() == []


def test_all_devices_links_and_tokens_of_a_person_are_revoked_at_once(peopled: Peopled) -> None:
    assert (
        peopled.run("revoke", ANN.public, "--dry-run").stdout
        == f"{ANN.public}  would be signed out everywhere\n"
    )
    accounts = peopled.store.accounts
    assert (len(accounts.devices("ann")), peopled.audited()) == (1, [])
    assert peopled.told("revoke", ANN.public)["name"] == "Ann 100%"
    link, subscriber = accounts.link_of("ann"), peopled.store.notifications.subscriber("ann")
    assert (accounts.devices("ann"), peopled.store.tokens.tokens("ann")) == ([], [])
    assert (link and link.number, subscriber and subscriber.feed_serial) == (-3, -2)
    assert (subscriber and subscriber.link_serial, accounts.spend_code("hash", "x", 1.8e9)) == (2, None)
    assert accounts.account_of("ann") is not None
    assert peopled.audited() == [("revoke", ANN.public)]


def test_a_person_is_erased_as_by_themselves(peopled: Peopled) -> None:
    assert peopled.told("erase", ANN.public, "--dry-run")["dry_run"]
    assert peopled.store.accounts.player("ann") is not None
    assert peopled.run("erase", "ann.example").stdout == f"{ANN.public}  erased\n"
    assert peopled.store.accounts.player("ann") is None
    assert peopled.store.accounts.traces("ann") == []
    assert [each["name"] for each in peopled.told("find", "")] == ["Bob"]
    assert peopled.audited() == [("erase", ANN.public)]
    assert "There is nobody" in peopled.run("erase", ANN.public).stderr


def test_what_is_kept_of_a_person_is_exported(peopled: Peopled, tmp_path: Path) -> None:
    printed = json.loads(peopled.run("export", ANN.public).stdout)
    assert (printed["me"]["name"], printed["me"]["login"]) == ("Ann 100%", "ann.example")
    assert printed["tables"][0]["id"] == peopled.table
    file = tmp_path / "ann.json"
    assert peopled.run("export", "ann.example", str(file)).stdout == ""
    assert json.loads(file.read_text(encoding="utf-8"))["tables"] == printed["tables"]
    assert file.stat().st_mode & 0o777 == 0o600
    again = peopled.run("export", "ann.example", str(file))
    assert (again.exit_code, again.stderr) == (1, f"Error: Cannot write {file}: File exists.\n")
    assert peopled.audited() == [("export", ANN.public)] * 3
