"""A person who is signed in proves once more that it is them.

It is asked before anything that gives lasting access to what is theirs, or that cannot be taken back: who
has got hold of a session alone shall not get more.  The question comes with the form that was sent, and its
answer carries that form out, so that nothing of it is lost.
"""

from flask import render_template, request, session

from strifebarge.people.models import IdentityRefusal
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.web.account import passkeys
from strifebarge.web.account.guesses import attempt, own_login
from strifebarge.web.account.known_browsers import make_known
from strifebarge.web.http.services import accounts, limits, now
from strifebarge.web.http.session import current_player, renew
from strifebarge.web.http.statuses import status_of
from strifebarge.web.words.texts import notice_of

LASTS = 10 * 60  # seconds for which a proof is good
PASSWORD, CHALLENGE, CREDENTIAL = "proof", "proof_challenge", "proof_credential"
# Fields that are left out of the form that comes with the question; secrets are typed anew.
NOT_CARRIED = {PASSWORD, CHALLENGE, CREDENTIAL, "password", "again", "before", "pin"}


def note_proof(player: Player) -> None:
    """Keep in this session that somebody has just proved who they are."""
    session["proved"] = [player.id, now()]


def is_proved(player: Player) -> bool:
    """Return whether somebody has proved who they are in this session, within the last minutes."""
    whose, at = session.get("proved") or ("", 0.0)
    return bool(whose == player.id and at <= now() < at + LASTS)


def must_prove(player: Player) -> bool:
    """Return whether somebody is to be asked; a guest has nothing to prove it by."""
    return not is_proved(player) and not accounts().is_guest(player.id)


def proof_wanted() -> tuple[str, int] | None:
    """Return the page that asks for a proof instead of what the form wants; None if there is no need.

    A proof that this form brings is looked at first.  Raises Refused: TOO_FAST, GUARDED.
    """
    player = current_player()
    if player is None or not must_prove(player):
        return None
    try:
        _prove(player)
    except Refused as no:
        if status_of(no) == 429:
            raise
        return proof_page(player, no), status_of(no)
    return None


def _prove(player: Player) -> None:
    """Look at the proof that this form brings.

    Raises Refused: PROVE if it brings none, NO_ACCOUNT, WRONG_PASSWORD, WRONG_PASSKEY, TOO_FAST, GUARDED.
    """
    if request.form.get(PASSWORD):
        with attempt(own_login(player)):
            make_known(accounts().must_know(player.id, request.form[PASSWORD]).login)
    elif request.form.get(CREDENTIAL):
        limits().count("sign_in")
        passkeys.must_sign(player, request.form.get(CHALLENGE, ""), request.form[CREDENTIAL])
    else:
        raise Refused(IdentityRefusal.PROVE)
    renew()  # a copy of the session that somebody else has must not become proved with it
    note_proof(player)


def proof_page(player: Player, refused: Refused | None = None, action: str = "", **fields: str) -> str:
    """Return the page that asks for a proof, with the form that was sent, or with these fields."""
    sent = [(name, value) for name, value in request.form.items(multi=True) if name not in NOT_CARRIED]
    return render_template(
        "account_confirm.html",
        account=accounts().account_of(player.id),
        passkeys=accounts().passkeys.list_for(player.id),
        offer=passkeys.proof_of(player),
        action=action or request.script_root + request.path,
        sent=sent or fields.items(),
        has_key="key" in request.form,
        asked=refused is None or refused.why is IdentityRefusal.PROVE,
        **notice_of(refused),
    )
