"""The address of a database: as hosts write it, and as SQLAlchemy takes it.

Of a server with standbys the address names all hosts, as PostgreSQL's own programs take it (PostgreSQL
manual, 34.1.1.2 and 34.1.1.3): `postgresql://user@one:5432,two:5432/games`.
"""

import re

WRITES = "target_session_attrs"  # which of several hosts is wanted: the one that can be written to
POOLER = "pooler"  # in an address, where it is a pooler's
SEVERAL = re.compile(r"^(?P<scheme>[^:]+)://(?P<user>[^/]*@)?(?P<hosts>[^/@]*,[^/@]*)/(?P<database>.*)$")


def as_sqlalchemy_takes_it(url: str, pooled: bool = False) -> str:
    """Return an address as SQLAlchemy takes it: with the driver's name, and several hosts as options.

    `pooled`: connections are shared with others between transactions, which the address says then.
    """
    url = re.sub(r"^postgres(ql)?(\+psycopg)?:", "postgresql+psycopg:", url)
    before, _, query = url.partition("?")
    options = [query] if query else []
    if several := SEVERAL.match(before):
        before = f"{several['scheme']}://{several['user'] or ''}/{several['database']}"
        options += [f"host={host}" for host in several["hosts"].split(",")]
        options += [] if WRITES in query else [f"{WRITES}=read-write"]
    if pooled and POOLER not in query:
        options.append(f"{POOLER}=transaction")
    return "?".join([before, "&".join(options)] if options else [before])
