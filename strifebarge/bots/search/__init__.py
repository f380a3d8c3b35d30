"""Bots: how a seat is played by the computer, from what a person in that seat would see.

This is the thinking alone: it knows the rules, and no table, page, clock or network.
"""
