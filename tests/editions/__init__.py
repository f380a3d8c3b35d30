"""A game in several versions of its rules, and a site that is restarted with another one of them."""
