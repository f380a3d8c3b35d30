"""Link previews: the pictures that a chat shows of a link to a table."""
