"""The interface for programs: its doors, verbs, schemas, and what it never tells."""
