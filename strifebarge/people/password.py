"""How good a password is.  Its hash is made in `strifebarge.lib.hashing`."""

from pathlib import Path

from strifebarge.lib.busy import FairSemaphore
from strifebarge.lib.programs import answer_of
from strifebarge.people.models import LONGEST, SHORTEST, IdentityRefusal
from strifebarge.rules import Refused

FEWEST = 10**6  # guesses, as zxcvbn counts them: out of reach at ten tries a minute
JUDGED = 64  # characters of a password that are looked at: the others can only make it better
# What zxcvbn does not know as others do here: words of German, of its keyboards, and of this site.
OURS = """
passwort kennwort geheimnis geheim ichliebedich schatz schatzi hallo fussball willkommen sommer winter
frühling fruehling herbst berlin hamburg münchen muenchen schalke04 borussia bundesliga bayern deutschland
qwertzui qwertzuiop qwertz asdfghjkl yxcvbnm strifebarge barge battleship schiffeversenken schiffe
"""
PROGRAM = Path(__file__).with_name("zxcvbn_program.py")
TAKES = 20.0  # seconds at most; 0.1 is usual
JUDGING = FairSemaphore(2, patience=TAKES, what="passwords to judge")


def must_be_good(password: str, login: str) -> None:
    """Require a password that is hard to guess, whatever characters it has.

    Raises Refused: WEAK, COMMON, TOO_LONG; Busy.
    """
    if len(password) < SHORTEST:
        raise Refused(IdentityRefusal.WEAK, least=SHORTEST)
    if len(password) > LONGEST:
        raise Refused(IdentityRefusal.TOO_LONG, most=LONGEST)
    if guesses(password, login) < FEWEST:
        raise Refused(IdentityRefusal.COMMON)


def guesses(password: str, login: str) -> int:
    """Return how many passwords an attacker who knows the name would try before this one.

    What most put at the end when they are asked for more counts for nothing.  Raises Busy.
    """
    plain = password.rstrip("!?.#$*") or password
    question = {"password": plain[:JUDGED], "inputs": [login, *OURS.split()]}
    with JUDGING:
        return int(answer_of(PROGRAM, question, TAKES, "no password could be judged"))
