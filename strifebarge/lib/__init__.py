"""Small tools that any room may import, and that import none."""
