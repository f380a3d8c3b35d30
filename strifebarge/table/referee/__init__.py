"""Carries out every change to a table; whatever is refused leaves no trace.

Each change is one transaction of the store: lock the table, look whether this
very form was accepted before, judge it, write the move and its receipt, commit.
Only then does anybody see it.  `desk` is that transaction, and `matches` how a
game is taken up, played on and written down in it; the other files are the acts
themselves, by what they are about.
"""

from .after import AfterTheGame
from .aside import PuttingAside
from .before import TERMS, BeforeTheGame
from .company import Company
from .desk import DIVERGED, KEY, Slip
from .inviting import Inviting
from .nudging import Nudging
from .passing import Passing
from .people import People
from .playing import Playing
from .returning import GivingBack
from .seeing import Seeing
from .talking import Talking

__all__ = ["DIVERGED", "KEY", "TERMS", "Referee", "Slip"]


class Referee(
    AfterTheGame,
    BeforeTheGame,
    Inviting,
    People,
    Playing,
    PuttingAside,
    Nudging,
    Passing,
    Talking,
    Company,
    GivingBack,
    Seeing,
):
    """All that can be done at a table, by whom, and what it says when it may not be done."""
