"""Serve the smallest page that Flask can, to compare with."""

from flask import Flask

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    return "Hello, world"


@app.get("/healthz")
def healthy() -> str:
    return "ok"
