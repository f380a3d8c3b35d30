"""The yardstick: the barest page Flask can serve."""

from flask import Flask

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    return "Hello, world"


@app.get("/healthz")
def healthy() -> str:
    return "ok"
