"""What the fuzzer finds, and what it leaves in peace."""
