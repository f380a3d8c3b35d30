"""Requests and responses of pages: sessions, access, limits, fields, statuses and request-wide storage."""
