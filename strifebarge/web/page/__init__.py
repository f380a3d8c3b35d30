"""The parts that pages are built from: board, offers, plates, text view, and the cache of pages."""
