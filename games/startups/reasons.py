"""The refusals of 7 Startups."""

from strifebarge.rules import Refusal


class Why(Refusal):
    BAD_PLAYER_COUNT = "This game is for {fewest} to {most} players, not for {n}."
    BAD_OPTION = "You can't play like that: {problem}."
    BAD_CARD_DATA = "The card data are wrong: {problem}."

    WRONG_DECISION = "The question has changed. Choose again."
    CARD_NOT_OFFERED = "You can't take {card}. Choose one of the cards on offer."
    CARD_NOT_IN_HAND = "You don't have {card}. Choose a card of your hand."
    ALREADY_BUILT = "You already built {card}. Choose another card."
    NO_STAGE_LEFT = "All stages of your company are built. Build or discard the card."
    FREE_BUILD_NOT_ALLOWED = "The free build works only for cards."
    FREE_BUILD_UNAVAILABLE = "You have no free build left in this age."
    FREE_BUILD_NOT_NEEDED = "You don't need your free build here: you can pay anyway."
    PURCHASE_NOT_NEEDED = "You'd buy more than you need. Buy less."
    NEIGHBOR_CANNOT_SELL = "{seat} can't sell all of that: {goods}."
    CANNOT_AFFORD = "You still need {missing}."
    NOT_ENOUGH_FUNDS = "That costs {price} funds, but you have {funds}."
