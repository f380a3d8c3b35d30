"""Why a player is told no."""

from strifebarge.rules import Refusal


class Why(Refusal):
    BAD_PLAYER_COUNT = "This game is for {fewest} to {most} players, not for {n}."
    BAD_OPTION = "It cannot be played like that: {problem}."
    BAD_CARD_DATA = "The card data are wrong: {problem}."

    WRONG_DECISION = "You are asked something else now."
    CARD_NOT_OFFERED = "That card is not among those you may take."
    CARD_NOT_IN_HAND = "You do not hold that card."
    ALREADY_BUILT = "You have built one already: {card}."
    NO_STAGE_LEFT = "All stages of your company are built."
    FREE_BUILD_NOT_ALLOWED = "The free build is for cards alone."
    FREE_BUILD_UNAVAILABLE = "You have no free build left in this age."
    FREE_BUILD_NOT_NEEDED = (
        "No free build is needed: you can pay with what you produce, or there is nothing to pay."
    )
    PURCHASE_NOT_NEEDED = "That would buy more than is needed."
    NEIGHBOR_CANNOT_SELL = "{seat} cannot sell all of that: {goods}."
    CANNOT_AFFORD = "Missing: {missing}."
    NOT_ENOUGH_FUNDS = "It costs {price} funds, and you have {funds}."
