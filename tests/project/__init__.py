"""Tests of the project itself: documents, packages, the gate and the structure of the code."""
