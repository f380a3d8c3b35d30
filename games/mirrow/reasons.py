"""Why something may not be done on the Mirrow."""

from strifebarge.rules import Refusal


class Why(Refusal):
    AREA_FULL = "No more than three blocks may lie in one area."
    KEEP_SOME = "The blocks that are left are needed where none lies yet."
    NOT_ALL_PLACED = "Every block must be placed first."
    PINNED = "The enemy there holds them: no more of them may leave in this turn."
    NONE_LEFT = "None of your blocks there may still move in this turn."
    NO_POINTS = "Every action point is spent."
    SLUICE_CLOSED = "That sluice is closed."
    LINK_FULL = "That {kind} carries no more than {limit} in a turn."
    BEEN_THERE = "It has been there in this move."
    FROM_ENEMY = "It comes from the enemy, and may not go straight to him again."
    MUST_NAME = "Name an area, since the enemy has blocks on the map."
    AT_FULL = "It is at full strength, or has none to add."
    NO_HARBOUR = "That is done only where you control a valued area, and the enemy has no block."
    NO_MEANS = "Your points do not reach that far."
    NOT_REBUILT = "The Flagship is never rebuilt."
    HOME_LOST = "You do not control your home port."
    HELD_BY_ENEMY = "The enemy has blocks there, or controls it."
