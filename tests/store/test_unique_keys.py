"""Tables with two unique keys: PostgreSQL's ON CONFLICT looks at the one it names, and fails at the other."""

import importlib
import pkgutil
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine, Index, Table, text
from sqlalchemy.exc import IntegrityError

from strifebarge import store as package
from strifebarge.store import accounts
from strifebarge.store import accounts_statements as say
from strifebarge.store.db.engine import engine_for, writing
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.statements import DialectStatement
from strifebarge.store.schema import metadata
from strifebarge.store.store import Store
from strifebarge.tables.model.player import Player
from tests.support.together import together

# Statements with a target on a table with more keys, and why no two of them meet at another key.
SURE = {
    "audit.ADD_ENTRY": "the other key is a number that the database draws",
    "accounts_statements.KEEP_PLAYER": "is carried out where the person is kept already",
    "notifications.ADD_CHANNEL": "each has an id of its own that was drawn for it",
    "notifications.KEEP_NOTIFICATION": "is written by one at a time, who has locked the table",
    "tables.ADD_TABLE": "the other key names the parent of a rematch, which is locked meanwhile",
}


def unique_keys(table: Table) -> int:
    """Return how many keys of a table are unique, its primary key among them."""
    constraints = [each for each in table.constraints if not isinstance(each, Index) and unique(each)]
    indexes = [each for each in table.indexes if each.unique]
    return len({tuple(sorted(each.columns.keys())) for each in [*constraints, *indexes]})


def unique(constraint: Any) -> bool:
    return constraint.__visit_name__ in ("primary_key_constraint", "unique_constraint")


def inserts() -> dict[str, Any]:
    """Return every INSERT of the store with an ON CONFLICT, as PostgreSQL takes it, by its name."""
    columns = {}
    for each in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{each.name}")
        for name, value in vars(module).items():
            statement = value.statement if isinstance(value, PreparedStatement) else value
            if name.isupper() and isinstance(statement, DialectStatement):
                columns[f"{each.name}.{name}"] = statement.by_dialect["postgresql"]
    return columns


def test_an_insert_that_names_one_of_two_unique_keys_is_known_and_sure() -> None:
    columns = inserts()
    assert len(columns) > 15
    named = {
        name
        for name, insert in columns.items()
        if getattr(insert._post_values_clause, "inferred_target_elements", None)
        and unique_keys(insert.table) > 1
    }
    assert named == SURE.keys()


def test_the_tables_with_two_unique_keys_are_seen() -> None:
    several = {table.name for table in metadata.sorted_tables if unique_keys(table) > 1}
    assert several >= {"players", "accounts", "tables", "notifications"}


@pytest.fixture
def slow_to_index(postgres_ready: str) -> Any:
    """A database in which a row of `players` takes its time between the look at its keys and their entry."""
    engine = engine_for(postgres_ready, 8)
    with writing(engine) as connection:
        for statement in (
            "ALTER TABLE players DROP CONSTRAINT uq_players_public",
            "ALTER TABLE players DROP CONSTRAINT pk_players",
            "CREATE FUNCTION slowly(text) RETURNS text IMMUTABLE LANGUAGE plpgsql"
            " AS 'BEGIN PERFORM pg_sleep(0.5); RETURN $1; END'",
            "CREATE INDEX first_of_all ON players (slowly(id))",
            "ALTER TABLE players ADD CONSTRAINT pk_players PRIMARY KEY (id)",
            "ALTER TABLE players ADD CONSTRAINT uq_players_public UNIQUE (public)",
        ):
            connection.execute(text(statement))
    yield engine
    engine.dispose()


def test_two_first_writes_of_one_person_at_the_same_instant_both_hold(slow_to_index: Engine) -> None:
    store, ann = Store(slow_to_index), Player("ann", "Ann")
    together(*[partial(store.accounts.save_player, ann)] * 3)
    assert store.accounts.player("ann").name == "Ann"


def test_with_one_statement_alone_one_of_the_two_fails(slow_to_index: Engine) -> None:
    """Guards against a gap that is not there."""

    def keep() -> None:
        with writing(slow_to_index) as connection:
            connection.execute(say.KEEP_PLAYER(connection), accounts.player_values(Player("ann", "Ann")))

    with pytest.raises(IntegrityError, match="uq_players_public"):
        together(*[keep] * 3)
