"""The file of the database is moved away under a site: nothing is shown as played that would be lost."""

import pytest

from tests.support.servers import Site, wait_for
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers


def test_no_move_is_played_while_the_file_is_away_and_the_same_form_counts_once_it_is_back() -> None:
    with Site(WORKERS="2") as site:
        people = [Remote(site.port) for _ in range(2)]
        table = people[0].start("rps").table
        people[1].join(table)
        page = people[0].get(table)
        file = site.data / "strifebarge.db"
        file.rename(site.data / "away.db")
        refused = people[0].submit(page, "/turn", page.form("/turn").moves[0])
        assert (refused.status, refused.token) == (503, "web.busy")
        wait_for(lambda: people[1].get("/readyz").status == 503, awaited="that the file is gone")
        (site.data / "away.db").rename(file)
        wait_for(lambda: people[1].get("/readyz").text == "ready\n", awaited="that the file is back")
        for _ in range(2):
            assert people[0].submit(refused, "/turn").status == 303
        page = people[1].get(table)
        assert people[1].submit(page, "/turn", page.form("/turn").moves[0]).status == 303
        assert "was moved, deleted or replaced while the site runs" in site.log()
