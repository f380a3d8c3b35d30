"""Tests of the small tools that import nothing of ours."""
