"""Playing: the referee, matches, and what happens by itself."""
