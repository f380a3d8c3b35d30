"""The library of games: what a game brings, its settings at a table, and the budget of its code."""
