"""The fuzzer: the laws that the rules of every game keep, and play that tries to break them.

`laws` says what must hold at any moment, `hunt` plays so that it might not, `elsewhere` plays the same in
another process, `leaks` in another world, and `canaries` looks for hidden things that are named.  The tests
of all games use the same laws.
"""
