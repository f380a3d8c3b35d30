"""Tests of the hub by itself: no site, no database but where the test says so."""
