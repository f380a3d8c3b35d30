"""Run other systems on the same game, in the same run: boardgame.io under Node."""
