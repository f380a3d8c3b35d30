"""StrifeBarge: a site to play turn-based games by link, and the framework that its games are written in."""
