"""Reasons why a tournament refuses something, with the sentence for each."""

from strifebarge.rules import Refusal


class TournamentRefusal(Refusal):
    """The reasons why a tournament refuses something."""

    NO_TOURNAMENT = "There's no tournament here. The link may be incomplete."
    ALREADY_IN = "You have joined this tournament already."
    NOT_IN = "You're not in this tournament. Use the browser you joined with."
    WITHDRAWN = "You have withdrawn from this tournament, so you can't join it again."
    FULL = "This tournament is full: it has room for {most} players."
    STARTED = "This tournament has started already."
    TOO_LATE = "It's too late to join. New players can join until round two begins."
    CLOSED = "A knock-out has its bracket from the start, so nobody can join now."
    FINISHED = "This tournament is over."
    NOT_ORGANISER = "Only the organizer of this tournament can do that."
    TOO_FEW = "A tournament needs at least {fewest} players. Send the link to more people."
    WRONG_FORMAT = "This game can't be played in that format. Choose another one."
    WRONG_ROUNDS = "Choose from 1 to {most} rounds."
    WRONG_NAME = "Give the tournament a name of at most {most} characters."
    NO_CLOCK = "A tournament needs a clock, so that it can go on when someone is absent."
    NO_ENTRANT = "There's no such player in this tournament."
    NAME_TAKEN = "Someone in this tournament has a name like that. Choose another one."
    NAME_NEEDED = "Enter your name, so that the others know who you are."
    FEW_BOTS = "No more than {most} bots of that level can be added."
    BOTS_AT_MOST = "Your tournaments can have {most} bots at once. Add fewer, or let one end first."
