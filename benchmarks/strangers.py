"""Measure how long players wait beside strangers who attack the site: `python -m benchmarks.strangers`."""

from tests.servers.strangers import SETTINGS, strangers, table_of
from tests.servers.test_slow_senders import attacked
from tests.support.servers import Site

TIMES = 40  # that each act is done, in quiet and beside strangers


def main() -> None:
    with Site(**SETTINGS) as site:
        site.settings["DATABASE_URL"] = f"sqlite:///{site.data / 'strifebarge.db'}"
        with attacked(site) as at:
            quiet = at.act(TIMES)
            with strangers(site, at):
                busy = at.act(TIMES)
    print(*table_of(quiet, busy), sep="\n")


if __name__ == "__main__":
    main()
