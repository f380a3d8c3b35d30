"""Read text as editors write it: in UTF-8, or in UTF-16 with a byte order mark."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE


def is_utf16(data: bytes) -> bool:
    """Return whether a text begins with the byte order mark of UTF-16."""
    return data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def utf8(data: bytes) -> bytes:
    """Return a text in UTF-8 without a byte order mark.

    Raises UnicodeDecodeError for broken UTF-16; whether other text is UTF-8 is not checked.
    """
    return data.decode("utf-16").encode() if is_utf16(data) else data.removeprefix(BOM_UTF8)
