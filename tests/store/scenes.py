"""What people do at a table, in words, and that two of them at once are as if one had come first."""

from functools import partial

from strifebarge.rules import Refused
from tests.support import forms
from tests.support.together import together

TIMES = 12  # each pair of acts, at once


def tried(act, *given):
    """Why not; None if it was done."""
    try:
        act(*given)
    except Refused as no:
        return no.token
    return None


class Scene:
    """A table, and three people who do what is said of them: `ben joins`."""

    def __init__(self, referee, *acts):
        self.referee = referee
        self.ann, self.ben, self.cleo = (forms.newcomer(referee) for _ in range(3))
        self.id = self.opened()
        for act in acts:
            self.do(act)

    def opened(self):
        """The id of the table, Ann being there."""
        raise NotImplementedError

    def act(self, person, what):
        raise NotImplementedError

    def standing(self):
        """All that must be the same in the end."""
        raise NotImplementedError

    def do(self, act):
        who, what = act.split(" ", 1)
        self.act(getattr(self, who), what)

    def tries(self, act):
        return tried(self.do, act)

    def name(self, player):
        return {self.ann.id: "ann", self.ben.id: "ben", self.cleo.id: "cleo", None: None}[player]


def must_be_as_if_one_had_been_first(begin, one, other):
    """In many scenes, each as it is when it begins."""
    orders = []
    for acts in ((one, other), (other, one)):
        scene = begin()
        answers = {act: scene.tries(act) for act in acts}
        orders.append((answers, scene.standing()))
    for _ in range(TIMES):
        scene = begin()
        gave = together(partial(scene.tries, one), partial(scene.tries, other))
        assert (dict(zip((one, other), gave, strict=True)), scene.standing()) in orders
