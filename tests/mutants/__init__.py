"""The tests must be able to fail: faults that sites like this one have had are planted, and noticed."""
