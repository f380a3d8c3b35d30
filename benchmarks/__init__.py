"""How fast it is: everything side by side in one run, as ratios, for only those carry over."""
