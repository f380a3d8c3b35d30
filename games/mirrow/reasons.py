"""The refusals of Strife on the Mirrow."""

from strifebarge.rules import Refusal


class Why(Refusal):
    AREA_FULL = "Three of your blocks are at {area}. Choose another area."
    KEEP_SOME = "You need your last blocks for {areas}."
    NOT_ALL_PLACED = "Place all your blocks first."
    PINNED = "The enemy holds your other blocks at {area} for this turn. Choose another area."
    NONE_LEFT = "None of your blocks at {area} can still move this turn. Choose another area."
    NO_POINTS = "All action points are spent. End your turn."
    SLUICE_CLOSED = "The sluice to {area} is closed. Choose another way."
    LINK_FULL = "The {kind} to {area} is full: {limit} per turn. Choose another way."
    BEEN_THERE = "Block {token} has already been at {area} this move. Choose another area."
    FROM_ENEMY = "Block {token} came from the enemy. Choose an area without enemy blocks."
    MUST_NAME = "Name an area: the enemy has blocks on the map."
    AT_FULL = "Block {token} is at full strength. Choose another block."
    NO_HARBOUR = "Block {token} must be in a valued area that you control, without enemy blocks."
    NO_MEANS = "That takes {price}, and you have {left}."
    NOT_REBUILT = "The Flagship is never rebuilt. Choose another block."
    HOME_LOST = "You can only rebuild while you control your home port, {area}."
    HELD_BY_ENEMY = "The enemy has blocks at {area}, or controls it. Choose another area."
