"""Signing up and in, codes for another device, and whom a browser then belongs to."""

import re

from tests.support.visitor import Local, Page
from tests.web.house import House

PASSWORD = "blue whale in the bath"


def sign_up(who: Local, login: str, secret: str = PASSWORD) -> Page:
    page = who.get("/me/account")
    return who.submit(page, "/me/account", login=login, password=secret, again=secret)


def sign_in(who: Local, login: str, secret: str = PASSWORD, **more: str) -> Page:
    return who.submit(who.get("/sign-in"), "/sign-in", login=login, password=secret, **more)


def new_password(who: Local, before: str, after: str) -> Page:
    return who.submit(who.get("/me/account"), "/me/password", before=before, password=after, again=after)


def code_of(who: Local) -> str:
    """A code for another device, as it is shown."""
    page = who.follow(who.submit(who.get("/me/code"), "/me/code"))
    return re.search(r'class="spoken">([^<]+)<', page.text)[1]


def take(who: Local, code: str, **more: str) -> Page:
    return who.submit(who.get("/move"), "/move", c=code, **more)


def tables(who: Local) -> set[str]:
    return {link for link in who.get("/games").seen.links if link.startswith("/g/")}


def page_of(who: Local) -> str:
    """The address that others know them by; "" of nobody."""
    match = re.search(r'href="(/p/[0-9a-f]{16})"', who.follow(who.get("/p/me")).text)
    return match[1] if match else ""


def session(who: Local) -> str:
    return who.cookies.get("sb", "")


def planted(house: House, cookie: str) -> Local:
    """A browser with somebody's cookie in it."""
    other = house.visitor()
    other.cookies["sb"] = cookie
    return other
