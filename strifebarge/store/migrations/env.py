"""What Alembic runs to apply the migrations, on the connection it was given."""

from alembic import context

from strifebarge.store.schema import metadata

connection = context.config.attributes["connection"]
# SQLite can hardly change a table: Alembic's batch mode makes a new one and copies.
context.configure(
    connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite"
)
context.run_migrations()
