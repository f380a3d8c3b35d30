"""All that is about time at a table: clocks, deadlines, vacations, presence and absence."""
