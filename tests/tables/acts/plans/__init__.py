"""Plans: played once in the turn in which their seat is asked, or dropped; known to their player alone."""
