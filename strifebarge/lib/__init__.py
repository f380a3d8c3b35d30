"""Small tools for processes, signatures and errors, which import no other room."""
