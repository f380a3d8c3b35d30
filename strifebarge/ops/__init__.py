"""What operators read: logs, metrics, health, and the requests and errors of a running site."""
