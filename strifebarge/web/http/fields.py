"""Find what is asked of a request by name: fields of a form, arguments of an address, cookies.

Most of these are not there, and Werkzeug would make an error page in vain for each of them.
"""

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import Any

from flask import Request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_accept_header
from werkzeug.sansio.http import parse_cookie

from strifebarge.lib.cached import cached_property

URLENCODED = "application/x-www-form-urlencoded"
LONGEST = 200  # characters of an Accept-Encoding header that is remembered


class Fields(ImmutableMultiDict[str, Any]):
    """Values by name, several for some."""

    def get(  # type: ignore[override]
        self, key: str, default: Any = None, type: Callable[[Any], Any] | None = None
    ) -> Any:
        """Return the first value of a name; the default where there is none, or none of that type."""
        value = dict.get(self, key)
        if not value:
            return default
        if type is None:
            return value[0]
        try:
            return type(value[0])
        except (ValueError, TypeError):
            return default


class SiteRequest(Request):
    """A request whose fields, arguments and cookies are found quickly."""

    parameter_storage_class = Fields
    dict_storage_class = Fields

    @cached_property
    def args(self) -> Fields:
        """The arguments of the address; Werkzeug's own property is a call each time it is asked for."""
        return super().args  # type: ignore[return-value]

    @cached_property
    def form(self) -> Fields:
        """The fields of a form; none where a page is asked for, whose fields are in its address."""
        if self.method in ("GET", "HEAD"):
            return Fields()
        return super().form  # type: ignore[return-value]

    def make_form_data_parser(self) -> FormDataParser:
        """Return what reads a form.  Raises RequestEntityTooLarge for one of too many fields.

        Werkzeug counts the fields of multipart forms alone; 250,000 short ones take 33 MB.
        """
        if self.mimetype == URLENCODED and self.get_data().count(b"&") >= (self.max_form_parts or inf):
            raise RequestEntityTooLarge
        return super().make_form_data_parser()

    @cached_property
    def cookies(self) -> Fields:
        """The cookies by name; Werkzeug would look at every header for them."""
        return parse_cookie(self.environ.get("HTTP_COOKIE"), cls=Fields)  # type: ignore[return-value]

    @cached_property
    def host_url(self) -> str:
        """The address by which the visitor came; with the host as it was sent where that is no name."""
        try:
            return super().host_url
        except UnicodeError:  # "xn--" with nothing in it that could be read
            return f"{self.scheme}://{self.host}/"

    @property
    def takes_gzip(self) -> bool:
        """True if the answer may be compressed with gzip (RFC 9110, section 12.5.3)."""
        accepted = self.environ.get("HTTP_ACCEPT_ENCODING", "")
        return _known_to_take_gzip(accepted) if len(accepted) <= LONGEST else _takes_gzip(accepted)


def _takes_gzip(accepted: str) -> bool:
    return parse_accept_header(accepted)["gzip"] > 0


_known_to_take_gzip = lru_cache(256)(_takes_gzip)  # browsers send the same ones over and over
