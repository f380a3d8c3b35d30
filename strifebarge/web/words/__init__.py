"""The words of pages, feeds and notifications: every sentence that Python puts together."""
