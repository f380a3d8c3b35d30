"""The verbs that programs call."""
