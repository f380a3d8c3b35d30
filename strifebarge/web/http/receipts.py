"""Mark views whose forms leave a receipt in the transaction that carries them out."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app, request

View = TypeVar("View", bound=Callable[..., Any])
MARK = "leaves_receipt"


def leaves_receipt(view: View) -> View:
    """Mark a view whose form leaves a receipt if, and only if, it was carried out.

    After a fault the receipt then tells what became of the form.  Do not mark a view that takes two steps,
    or deletes the table with its receipts.
    """
    setattr(view, MARK, True)
    return view


def receipt_tells() -> bool:
    """Return whether a missing receipt means that this request's form was not carried out."""
    return hasattr(current_app.view_functions.get(request.endpoint or ""), MARK)
