"""The games, and the budget in which their code is run."""
