"""The hub: one process that holds all streams of open pages, and tells them which tables have changed."""
