"""The search of a bot: it chooses an action from what its seat can see, by playing imagined games on.

It knows the rules alone: no table, page, clock or network.
"""
