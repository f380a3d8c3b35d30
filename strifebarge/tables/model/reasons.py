"""Reasons why a table or its notifications refuse something, with the sentence for each."""

from strifebarge.rules import Refusal


class TableRefusal(Refusal):
    """The reasons why a table refuses something."""

    NO_TABLE = "There's no game here. The link may be incomplete."
    NO_POSITION = "This game has no such move."
    NO_GAME = "This site doesn't have that game."
    LEFT_OUT = "This game has a bug in its files and can't be played for now. No table is lost."
    NOT_SEATED = "You're not at this table. Join first, or use the browser you joined with."
    NOT_YOUR_SEAT = "That seat isn't yours. Choose your own."
    FULL = "The table is full."
    BEGUN = "The game has already started."
    NOT_BEGUN = "The game hasn't started yet."
    NOT_OVER = "The game isn't over yet."
    OVER = "The game is over."
    SUSPENDED = "This game is suspended."
    SEAT_TAKEN = "That seat is taken. Choose another one."
    SEATED_ELSEWHERE = "You already have a seat at this table."
    NOT_SUSPENDED = "This game isn't suspended."
    HELD = "The host of this site suspended the game. Only they can resume it."
    OTHER_RULES = "The rules have changed since, so we can't show this position."
    NOTHING_TO_MEND = "This game fits its rules as it is. You can just resume it."
    NO_WAY_BACK = "This game doesn't fit its rules at any stage, so it can't go back."
    NO_MOVE_BACK = (
        "There's no move {number} to go back to: the game stands at move {here}. "
        "Choose one from 0 (the deal) to {last}."
    )
    NO_MOVES_YET = "This game has no moves yet, so it can't go back."
    IN_TOURNAMENT = "That isn't possible in a game of a tournament."
    NOT_HOST = "Only the host of this table can do that."
    TOO_FEW = "You need at least {fewest} players. Invite more people."
    CANNOT_BEGIN = "This game can't start: its rules have a bug. Nothing is lost."
    MISTAKE = "This game has a bug, so it is suspended. Nothing is lost."
    CANNOT_SHOW = "This game has a bug, so we can't show that. Nothing is lost."
    WRONG_SEATS = "This game is for {numbers} players."
    WRONG_OPTIONS = "You can't choose that: {problem}."
    WRONG_NAME = "A name has 1 to 20 characters, including a letter or digit."
    NAME_TAKEN = "That name, or one that looks like it, is taken at this table. Choose another one."
    RESERVED_NAME = "That name is reserved for the site itself. Choose another one."
    DEAD_LINK = "This link no longer works: the seat has changed hands."
    LINK_OF_PRESENT = "This link no longer works: the player is back."
    NO_SEAT_LINK = "This link leads to no seat. It may be incomplete."
    NO_KEY = "The form was incomplete. Please press again."
    KEY_REUSED = "That form was already used for something else. Reload the page and try again."
    WRONG_AFTERWARDS = "That result setting doesn't exist. Choose one from the list."
    NO_RECORD = "There's no game record at this address."
    NO_PERSON = "Nobody has this address. The link may be incomplete."
    PRIVATE_PAGE = "This page is private."
    NEVER_RATED = "This game is for one player, so it's never rated."
    NO_PACE = "That pace doesn't exist. Choose one from the list."
    UNTIMED = "This table has no clock."
    ON_THE_CLOCK = "The clocks are running. Propose to stop the clocks instead."
    PAUSED = "The clocks are already stopped."
    NOT_PAUSED = "The clocks aren't stopped."
    WHICH_SEAT = "You have several seats here. Choose one and try again."
    ONE_SEAT = "Everyone has one seat at this table."
    WRONG_DEVICES = "That device setting doesn't exist. Choose one from the list."
    SHARED_IS_QUIET = "Games on a shared device are private and unrated. Change one of the two settings."
    NO_INVITATION = "That invitation doesn't exist. The link may be incomplete."
    REVOKED = "This invitation was replaced."
    RUN_OUT = "This invitation has expired: the game didn't start within a month."
    LISTED = "This table is open to anyone, so there's no invitation to replace."
    NOT_MET = "You can invite people you've played with before."
    ALREADY_HERE = "They are already at this table."
    ASKED_ENOUGH = "You can't invite more people to this table by name. Send the link instead."
    NOT_ASKED = "You have no invitation to this table any more."
    WRONG_TERMS = "That table setting doesn't exist: {what}. Choose one from the list."
    NOT_LATE = "They still have time. Wait a little longer."
    MOVED_IN = "Someone else has moved in this game, so you can't delete it. Leave it instead."
    IS_REMATCH = "You can't delete a rematch. Leave it instead."
    CROWDED = "That seat has enough players. Choose another one."
    CHANGED = "Something changed in the meantime. Have a look and press again."
    SEAT_CHANGED = "That seat has changed hands in the meantime. Have a look and try again."
    OTHER_SEAT = "You already played another seat in this game and know its secrets."
    NO_SUBSTITUTE = "You're not the substitute for that seat."
    THEY_ARE_HERE = "They are here now, so they haven't lost their seat."
    THEY_SIGN_IN = "They have an account and can sign in themselves."
    NOT_WATCHED = "Only players see this game until it ends."
    NO_BOTS = "This site has no bots."
    NO_LEVEL = "That level doesn't exist. Choose easy, medium or hard."
    NO_BOT_THERE = "No bot plays in that seat."
    FOR_ONE = "This game is for one player, so bots can't play it."
    BOTS_AT_MOST = "You have {most} games with bots, and that's the limit. Finish one first."
    BOTS_BUSY = "All bots of this site are busy. Please try again later."
    NO_HINT = "There's no hint here. Hints are for your own turn, in games against bots only."
    STILL_SECRET = "This game hides something until it is over. Play on from here then."
    SECRETS_KNOWN = "You know what this game hides, so play on alone, at an analysis board."
    NOT_ARRANGED = "Games of this kind start with their usual setup only."
    NO_WAY_ON = "Nobody can play on from there. Choose an earlier move."
    WRONG_SEAT_CODE = "That code is wrong, used or too old. Ask for a new one."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"


class PlanRefusal(Refusal):
    """The reasons why a plan is refused, or was dropped."""

    NO_PLANS = "Nobody can plan ahead in this game."
    NO_PLANS_HERE = "Players with several seats at one table can't plan ahead."
    YOUR_TURN = "It's your turn, so just move."
    OUT_OF_GAME = "You're out of this game, so there's nothing to plan."
    EMPTY_PLAN = "Write a move first."
    LONG_PLAN = "That plan is too long. It may have {lines} lines of {moves} moves."
    ONE_LINE = "Several lines need their moves too. Put their move before each answer."
    NOT_A_LINE = "“{step}” has too many words. Write their move and your answer."
    MIXED_LINES = "Write their move before each of your moves, or before none."
    WRONG_LINE = "Your line stops at {move}. {reason}"
    BY_CHANCE = "Something is drawn there, so that can't be planned."
    # And why one was dropped:
    OTHER_MOVE = "They played another move."
    WENT_BACK = "The game went back."
    UNDONE = "You undid your move."
    THEY_UNDID = "They undid their move."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"


class NotificationRefusal(Refusal):
    """The reasons why a notification cannot be had, or did not arrive."""

    NOBODY = "Join a game first, then choose notifications."
    WRONG_ZONE = "That time zone doesn't exist. Choose one from the list."
    WRONG_TIME = "That isn't a time of day. Write it like 22:00."
    WRONG_KIND = "That notification doesn't exist. Choose one from the list."
    WRONG_WAY = "This site can't send notifications that way. Choose another one."
    WRONG_MAIL = "That isn't an email address. Please check it."
    WRONG_HOOK = "That isn't a webhook address. It starts with https:// and a host name."
    TOO_MANY = "You can have {most} addresses. Remove one first."
    NO_ADDRESS = "You have no such address. It may have been removed."
    NOT_CONFIRMED = "This address isn't confirmed yet. Open the link in the email we sent there."
    ASKED_ENOUGH = "We've emailed that address too often today. Try again tomorrow."
    DEAD_LINK = "This link no longer works."
    NOT_WAITING = "Nobody is waiting for them."
    TOO_SOON = "You haven't waited a whole day yet. Try again in {hours} hours."
    NUDGED = "Someone nudged them today already. Try again in {hours} hours."
    # What the post says of an address:
    NO_HOST = "The host in that address doesn't exist. Please check it."
    INNER = "That address is inside the server's own network. Use a public one."
    NO_ANSWER = "The service didn't answer in time."
    NOT_REACHED = "The service can't be reached: {problem}."
    NO_HTTP = "The service ended the connection, or isn't a web server."
    REFUSED = "The service answered with an error: {answer}."
    FAULT = "Something went wrong on our side."
    NO_MAIL = "The mail server refused the email: {answer}."
    WRONG_BROWSER = "Your browser didn't send an address for notifications. Please try again."
    NO_BROWSER = "That browser no longer accepts notifications."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"


class SharedDeviceRefusal(Refusal):
    """The reasons why a shared device does not show a seat's page."""

    WRONG = "Wrong PIN. Please try again."
    REST = "Too many wrong PINs. Try again in {minutes} minutes."
    COVERED = "This seat has a PIN. Enter it first."
    FOUR_DIGITS = "A PIN has four digits."
    NO_PIN = "This seat has no PIN."
    NOT_PASSED = "This isn't a shared device, so you don't need a PIN."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"
