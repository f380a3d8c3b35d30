"""A database brought up to date, and the store on it."""

from secrets import token_hex

import pytest

from strifebarge.store.db.engine import engine_for
from strifebarge.store.schema import metadata
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.ports import Receipt
from strifebarge.tables.model.table import Chair
from strifebarge.tables.play.turn import FormToken
from tests.support import forms
from tests.support.databases import never_wait_for_the_disk
from tests.support.tables import make_table


@pytest.fixture
def engine(ready_url):
    engine = engine_for(ready_url, 8)
    never_wait_for_the_disk(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine):
    return Store(engine)


@pytest.fixture(scope="session")
def library():
    return Library()


@pytest.fixture
def referee(store, library):
    return forms.a_referee(store, library)


def form_token(**given):
    """What a form carries that nobody has sent yet."""
    return FormToken(token_hex(16), **given)


def a_table(id="TABLE001", **fields):
    """A table where Ann and Bob play, and it is Ann's move."""
    given = {
        "game": "eights",
        "options": {"cards": 7},
        "seed": "5eed",
        "chairs": [Chair(0, "ann", "Ann", ready=True), Chair(1, "bob", "Bob", ready=True)],
        "status": "playing",
        "waiting": [0],
    }
    return make_table(id=id, **given | fields)


def a_receipt(key="a key of its own", **fields):
    return Receipt(key, **{"player": "ann", "table": "eights", "digest": "all it said"} | fields)


def dump(engine):
    """Every row of every table."""
    with engine.connect() as connection:
        return {
            table.name: sorted(connection.execute(table.select()).all(), key=repr)
            for table in metadata.sorted_tables
        }
