"""Live updates: the hub, the process that holds all open streams, and all that talks to it."""
