"""Pictures of links."""
