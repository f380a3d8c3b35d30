"""Notifications: who is notified of what and when, and how it is sent by mail, webhook and push.

A kind of notification is added in four places: its member of `models.Kind` (and of `CHOICES`, if subscribers
choose it, with a label in `web/account/notices.py`); the rule that writes it, in `rules.notify`, for an event
of `tables/model/events.py`; when it is still true, in `relevance.is_still_true`; and its sentence in
`web/words/notifications.py`.
"""
