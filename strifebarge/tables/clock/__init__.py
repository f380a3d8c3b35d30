"""Time at tables: the site's time, deadlines, vacations, presence and absence."""
