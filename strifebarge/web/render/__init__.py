"""Templates and caches of what they make."""
