"""Requests and answers: sessions, limits, statuses."""
