"""Sentences of templates: what is filled into them."""

from gettext import NullTranslations

import pytest
from markupsafe import Markup

from strifebarge.web.words.catalogue import phrases

WORDS = phrases(NullTranslations())


def test_what_is_filled_in_is_escaped_unless_it_is_html() -> None:
    assert WORDS["_"]("%(who)s: %(what)s", who="<b>", what=Markup("<i>x</i>")) == "&lt;b&gt;: <i>x</i>"
    assert WORDS["_"]("100%% of %(who)s", who="‘A’") == "100% of &#8216;A&#8217;"
    assert isinstance(WORDS["_"]("%(who)s", who="<b>"), Markup)


@pytest.mark.parametrize(("num", "expected"), [(1, "1 card"), (2, "2 cards of 2.5")])
def test_numbers_are_counted_and_written_as_the_sentence_says(num: int, expected: str) -> None:
    assert WORDS["ngettext"]("%(num)s card", "%(num)d cards of %(all).1f", num, all=2.5) == expected


def test_a_sentence_that_lacks_what_it_names_is_an_error() -> None:
    with pytest.raises(KeyError, match="who"):
        WORDS["_"]("%(who)s %(what)s", what="")
