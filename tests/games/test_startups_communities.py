"""7 Startups: the worked examples of communities, each as a play."""

import pytest

from games.startups.cards import Category
from games.startups.rules import Copy
from tests.games.startups_table import (
    Has,
    P,
    all_choose,
    laid,
    why,
)

# -- E17, E18: communities ------------------------------------------------------------------

SIX = [
    "marketroid-1",
    "sysadmin-1",
    "brogrammer-1",
    "accountant-1",
    "internet-legend-1",
    "charismatic-leader-1",
]


def copying(*own):
    return laid(
        Has("Yodel B", 0, [*SIX, *own], 3),
        Has("Chirp A", 0, ["secret-society-3", "sre-2", "growth-hacker-2"]),
        Has("Ogle A", 0, ["raw-water-spring-3", "sysadmin-1#5"]),
        age=3,
        turn=6,
    )


@pytest.mark.parametrize(
    ("own", "copied", "points"),
    [
        ([], "secret-society-3", 6),
        (["train-club-3"], "secret-society-3", 7),
        ([], "raw-water-spring-3", 3),
    ],
)
def test_e17_a_copied_community(own, copied, points):
    at = all_choose(copying(*own))
    assert [each.card for each in at.match.offers(P)] == ["secret-society-3#0", "raw-water-spring-3#0"]
    assert why(at, P, Copy("train-club-3#0")) == "card_not_offered"
    at.plays(P, Copy(f"{copied}#0"))
    assert at.game.sheet(at.game.seats[P])[Category.COMMUNITY] == points
    assert at.game.seats[P].copied == f"{copied}#0"
    assert at.match.result


@pytest.mark.parametrize(
    ("card", "points", "near"),
    [
        (
            "company-monument-3",
            6,
            [Has("Orchard A", stages=2), Has("Macrohard B", stages=3), Has("Ogle A", stages=1)],
        ),
        (
            "gloating-party-3",
            6,
            [
                Has("Orchard A", tokens=[-1] * 3),
                Has("Chirp A", tokens=[-1, 5, -1]),
                Has("Ogle A", tokens=[-1] * 4),
            ],
        ),
        *[
            (
                card,
                points,
                [
                    Has("Orchard A"),
                    Has("Chirp A", cards=["garage-1", "office-2", "containers-2", *["corporate-spy-1"] * 4]),
                    Has("Ogle A", cards=["garage-1", "office-2"]),
                ],
            )
            for card, points in (("legal-department-3", 5), ("caviar-restaurant-3", 4))
        ],
        (
            "hipster-bar-3",
            6,
            [
                Has("Orchard A"),
                Has("Chirp A", cards=["internet-legend-1", "internet-legend-2"]),
                Has("Ogle A", cards=["internet-legend-1"]),
            ],
        ),
    ],
)
def test_e18_communities(card, points, near):
    near[P].cards = [*near[P].cards, card]
    at = laid(*near)
    assert at.game.sheet(at.game.seats[P])[Category.COMMUNITY] == points
