"""Games for the measure of strength, which have no hint for bots."""
