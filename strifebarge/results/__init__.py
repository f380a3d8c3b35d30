"""Games that have ended: their entries, ratings and records, and the checking of these."""
