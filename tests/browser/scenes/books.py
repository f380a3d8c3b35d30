"""The pages where a game stays when it is over."""

from collections.abc import Iterator
from random import Random

from playwright.sync_api import FilePayload

from tests.browser.conftest import People
from tests.browser.party import Party, any_of

from .scene import Scene


def the_books(come: People) -> Iterator[Scene]:
    """A rated game and its rematch, where they stay; who played them; the same brought back as a file."""
    party = Party([come(), come()]).sit("Crazy Eights", 2, afterwards="rated")
    host, friend = party.friends
    party.hurry(any_of(Random(21)))
    yield Scene("result-rated", friend)
    friend.press(friend.page.locator("form[action$='/rematch'] button"))
    party.link = friend.page.url
    host.open(party.link)
    host.press("Play again")
    Party([friend, host]).give_up()
    yield Scene("result-of-a-row", friend)
    friend.follow("Permanent link")
    yield Scene("record", friend)
    address = friend.page.url
    friend.follow("Verify fairness")
    yield Scene("record-checked", friend)
    friend.page.locator("main details summary").click()
    yield Scene("record-every-draw", friend)
    friend.open(f"{address}/at/0")
    yield Scene("record-history", friend)
    host.open("/p/me")
    yield Scene("person-me", host)
    stranger = come()
    stranger.open(address)
    stranger.follow(stranger.page.locator(".places a").first)
    yield Scene("person", stranger)
    stranger.open("/import")
    yield Scene("import", stranger)
    stranger.page.get_by_label("The file").set_input_files(files("game.json", b"[]"))
    stranger.press("Import", status=422)
    yield Scene("import-refused", stranger)
    record = stranger.page.request.get(f"{address}/record.json").body()
    stranger.page.get_by_label("The file").set_input_files(files("game.json", record))
    stranger.press("Import")
    yield Scene("record-imported", stranger)
    stranger.open("/r/" + "0" * 16, status=404)
    yield Scene("record-missing", stranger)
    stranger.open("/about")
    stranger.prefer("Language", "Deutsch")
    for name, path in (("record", ""), ("checked", "/check")):
        stranger.open(address + path)
        yield Scene(f"german-{name}", stranger)


def files(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/json", "buffer": content}
