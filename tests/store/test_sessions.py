"""Sessions: kept under a hash, never as pickle, gone when they expire; and as Flask-Session uses them."""

import hashlib
import pickle
import time
from datetime import timedelta

import msgspec
import pytest
from flask import Flask, current_app, session
from sqlalchemy import text

from strifebarge.people.models import Device, Visit
from strifebarge.store import sessions
from strifebarge.store.db.engine import engine_for, writing
from strifebarge.store.sessions import SqlSessions
from strifebarge.store.store import Store
from strifebarge.tables.model.player import Player
from strifebarge.web.http.session_interface import SiteSessions
from tests.store.conftest import dump

SECRET = "session:a very secret session id"


@pytest.fixture
def cache(ready_url):
    sessions = SqlSessions(engine_for(ready_url, 8))
    yield sessions
    sessions.engine.dispose()


@pytest.fixture
def app(cache):
    """A site that is told who one is, as ours is."""
    app = Flask("tests")
    app.config.update(
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_COOKIE_NAME="sb",
    )
    app.session_interface = SiteSessions(app, cache)

    @app.post("/be/<name>")
    def be(name):
        session["p"] = name
        current_app.session_interface.regenerate(session)
        return ""

    @app.post("/leave")
    def leave():
        session.clear()
        return ""

    @app.get("/")
    def who():
        return session.get("p", "nobody")

    return app


def stored_text(cache):
    """Everything in the store, as bytes, keys and all."""
    return repr(dump(cache.engine)["web_sessions"]).encode()


def held(cache, key=SECRET):
    opened = cache.open(key)
    return opened and opened.data


def how_many(cache):
    return len(dump(cache.engine)["web_sessions"])


# -- the store ---------------------------------------------------------------------


def test_what_is_set_is_got_until_it_is_deleted(cache):
    value = {"p": "0" * 32, "_permanent": True, "_flashes": [["info", "Änne — 🂡"]]}
    assert held(cache) is None
    cache.set(SECRET, value, 60)
    assert held(cache) == value
    cache.set(SECRET, {"p": "1"}, 60)
    assert held(cache) == {"p": "1"}
    assert cache.delete(SECRET) is True
    assert cache.delete(SECRET) is False
    assert held(cache) is None


def test_the_id_is_nowhere_in_the_store(cache):
    cache.set(SECRET, {"p": "ann"}, 60)
    stored = stored_text(cache)
    assert b"very secret" not in stored
    assert hashlib.sha256(SECRET.encode()).hexdigest().encode() in stored


@pytest.mark.full("waits for real time")
def test_sessions_expire(cache):
    cache.set("short", {"p": "ann"}, 3)
    cache.set("long", {"p": "bob"}, 400 * 86400)
    assert held(cache, "short") == {"p": "ann"}
    time.sleep(3.1)
    assert held(cache, "short") is None
    assert held(cache, "long") == {"p": "bob"}


def test_expired_sessions_are_purged_now_and_then(engine, monkeypatch):
    cache = SqlSessions(engine, lambda: time.time())
    cache.set("first", {}, 60)
    cache.set("long", {}, 400 * 86400)
    later = time.time() + 61
    monkeypatch.setattr(sessions.time, "time", lambda: later)
    for number in range(sessions.PURGE_EVERY - 2):
        cache.set("second", {"n": number}, 60)
    assert how_many(cache) == 3
    cache.set("second", {}, 60)
    assert how_many(cache) == 2
    assert held(cache, "long") == {}


class Bomb:
    gone_off = False

    def __reduce__(self):
        return (setattr, (Bomb, "gone_off", True))


@pytest.mark.parametrize(
    "planted", [pickle.dumps(Bomb()), b"", b"\xc1", b"{}"], ids=["pickle", "nothing", "noise", "json"]
)
def test_what_somebody_planted_in_the_store_is_never_run(cache, planted):
    cache.set(SECRET, {"p": "ann"}, 60)
    with writing(cache.engine) as connection:
        connection.execute(text("UPDATE web_sessions SET data = :data"), {"data": planted})
    assert held(cache) is None
    assert not Bomb.gone_off


def test_only_plain_values_are_kept(cache):
    with pytest.raises((TypeError, msgspec.MsgspecError)):
        cache.set(SECRET, {"p": Bomb()}, 60)
    assert how_many(cache) == 0


# -- with Flask-Session ------------------------------------------------------------


def test_a_visitor_is_known_again_and_forgotten_when_they_leave(app, cache):
    visitor = app.test_client()
    assert visitor.get("/").text == "nobody"
    assert how_many(cache) == 0  # looking on leaves nothing
    visitor.post("/be/ann")
    assert visitor.get("/").text == "ann"
    assert app.test_client().get("/").text == "nobody"
    visitor.post("/leave")
    assert visitor.get("/").text == "nobody"
    assert how_many(cache) == 0


def test_who_signs_in_gets_a_new_id_and_the_old_one_is_worth_nothing(app, cache):
    visitor = app.test_client()
    visitor.post("/be/ann")
    old = visitor.get_cookie("sb").value
    visitor.post("/be/ann")
    new = visitor.get_cookie("sb").value
    assert new != old
    assert how_many(cache) == 1
    thief = app.test_client()
    thief.set_cookie("sb", old)
    assert thief.get("/").text == "nobody"


def test_an_id_that_somebody_planted_is_not_taken(app, cache):
    visitor = app.test_client()
    visitor.set_cookie("sb", "planted")
    visitor.post("/be/ann")
    assert visitor.get_cookie("sb").value != "planted"
    thief = app.test_client()
    thief.set_cookie("sb", "planted")
    assert thief.get("/").text == "nobody"


@pytest.mark.parametrize("id", ["", "\udcff", "x" * 5000, "%00", "a\x00b", "../../etc/passwd"])
def test_any_id_at_all_is_nobodys(app, id):
    visitor = app.test_client()
    cookie = f"sb={id}".encode("utf-8", "surrogateescape").decode("latin-1")
    assert visitor.get("/", headers={"Cookie": cookie}).text == "nobody"


def test_looking_writes_nothing(app, cache):
    visitor = app.test_client()
    visitor.post("/be/ann")
    before = stored_text(cache)
    visitor.get("/")
    assert stored_text(cache) == before


# -- whose it is -------------------------------------------------------------------


@pytest.fixture
def ann(cache):
    """A session of somebody whose device is known."""
    accounts = Store(cache.engine).accounts
    accounts.add_device(Device("phone", "ann", "", 1, 2), Player("ann", "Ann"))
    cache.set(SECRET, {"p": "ann", "d": "phone"}, 60)
    assert cache.open(SECRET) == ({"p": "ann", "d": "phone"}, Visit(Player("ann", "Ann"), 0, 2))
    return accounts


def test_a_device_signed_out_is_nobodys_at_once(cache, ann):
    ann.end_devices("ann", only="phone")
    assert cache.open(SECRET) == ({"p": "ann", "d": "phone"}, None)


def test_a_session_of_another_person_than_its_device_is_nobodys(cache, ann):
    cache.set(SECRET, {"p": "bob", "d": "phone"}, 60)
    assert cache.open(SECRET) == ({"p": "bob", "d": "phone"}, None)
    cache.set(SECRET, {"p": "ann", "d": "laptop"}, 60)
    assert cache.open(SECRET) == ({"p": "ann", "d": "laptop"}, None)


def test_a_session_of_nobody_is_nobodys(cache):
    cache.set(SECRET, {"code": ["x", 1]}, 60)
    assert cache.open(SECRET) == ({"code": ["x", 1]}, None)
