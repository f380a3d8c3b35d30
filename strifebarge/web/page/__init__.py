"""What the pages of a table are made of."""
