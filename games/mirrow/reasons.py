"""The refusals of Strife on the Mirrow."""

from strifebarge.rules import Refusal


class Why(Refusal):
    AREA_FULL = "An area holds up to three blocks."
    KEEP_SOME = "You need your last blocks for areas without any."
    NOT_ALL_PLACED = "Place all your blocks first."
    PINNED = "The enemy holds the others there for this turn."
    NONE_LEFT = "None of your blocks there can still move this turn."
    NO_POINTS = "All action points are spent. End your turn."
    SLUICE_CLOSED = "That sluice is closed."
    LINK_FULL = "That {kind} carries up to {limit} per turn."
    BEEN_THERE = "It has already been there this move."
    FROM_ENEMY = "It came from the enemy and can't go straight back."
    MUST_NAME = "Name an area: the enemy has blocks on the map."
    AT_FULL = "It is at full strength or can't gain any."
    NO_HARBOUR = "You need a valued area that you control, without enemy blocks."
    NO_MEANS = "You don't have enough points for that."
    NOT_REBUILT = "The Flagship is never rebuilt."
    HOME_LOST = "You don't control your home port."
    HELD_BY_ENEMY = "The enemy has blocks there, or controls it."
