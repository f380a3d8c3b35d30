"""StrifeBarge: turn-based games with friends, by link."""
