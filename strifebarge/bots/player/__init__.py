"""Opponents: the process that plays the bots' seats, and the processes in which it has them think."""
