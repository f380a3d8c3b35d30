"""Looking for faults in a game's rules: the laws that every game keeps, and play that tries to break them.

`laws` says what must hold at any moment, `hunt` plays so that it might not, `elsewhere` plays the same in
another process, `leaks` in another world.  The tests of all games use the same laws.
"""
