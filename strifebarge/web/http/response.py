"""The class of all answers, which go out with the headers that they have."""

from typing import Any

from flask import Response
from werkzeug.datastructures import Headers
from werkzeug.urls import iri_to_uri


class SiteResponse(Response):
    """An answer whose headers are not copied on their way out."""

    def get_wsgi_headers(self, environ: dict[str, Any]) -> Headers:
        """Return the headers of this answer, its length among them; its `Location` as RFC 3986 has it."""
        headers, status = self.headers, self.status_code
        if status < 200 or status in (204, 304) or not self.is_sequence:  # without a body, or with a stream
            return super().get_wsgi_headers(environ)
        if 300 <= status < 400 and (location := headers.get("Location")):
            headers["Location"] = iri_to_uri(location)
        if "Content-Length" not in headers:
            headers["Content-Length"] = str(sum(map(len, self.iter_encoded())))
        return headers


def vary_by(answer: Response, header: str) -> None:
    """Tell caches that an answer is another one where a request has another value of this header."""
    vary = answer.headers.get("Vary")
    names = vary.split(", ") if vary else []
    if header not in names:
        answer.headers["Vary"] = ", ".join([*names, header])
