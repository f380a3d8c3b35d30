"""The whole site under gunicorn, with two workers: pressed twice, raced for, killed, and started again."""
