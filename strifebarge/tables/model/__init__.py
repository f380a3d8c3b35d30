"""The data of a table and the rules about it, without disk or clock: times are given as arguments."""
