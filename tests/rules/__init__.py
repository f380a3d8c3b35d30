"""The rules framework, module by module."""
