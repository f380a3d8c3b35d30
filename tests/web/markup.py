"""Pages as a browser's parser reads them, and what must hold of every page."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree.ElementTree import Element

import html5lib

from tests.support.visitor import Page

CONTROLS = {"input", "select", "textarea"}
HEADINGS = re.compile("h[1-6]")


def parsed(page: Page) -> Element:
    """The page's tree; any error a parser would have to mend fails."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(page.text)
    assert not parser.errors, (page.path, parser.errors[:3], page.text[:400])
    root: Element = tree
    return root


def name(element: Element) -> str:
    """The tag, without a namespace."""
    return str(element.tag).rpartition("}")[2]


def text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def elements(tree: Element) -> list[Element]:
    return [element for element in tree.iter() if isinstance(element.tag, str)]


def main(tree: Element) -> Element:
    [element] = tree.iter("main")
    return element


def after_heading(tree: Element) -> Element:
    """The first element of the page's content after its heading that says anything."""
    following = list(main(tree))
    at = next(i for i, each in enumerate(following) if each.tag == "h1")
    heading = next(each for each in following[at + 1 :] if text(each))
    while (
        heading.tag == "div" and not (heading.text or "").strip()
    ):  # what lays the page out says nothing itself
        heading = next(each for each in heading if text(each))
    return heading


def must_be_sound(page: Page, framed: bool = False) -> Element:
    """One heading on top, none skipped; ids once; nothing inline; every control labelled."""
    tree = parsed(page)
    everything = elements(tree)
    levels = [int(each.tag[1]) for each in everything if HEADINGS.fullmatch(str(each.tag))]
    if not framed:
        assert levels.count(1) == 1, (page.path, levels)
        assert levels[0] == 1, (page.path, levels)
        steps = pairwise(levels)
        assert all(lower <= upper + 1 for upper, lower in steps), (page.path, levels)
    ids = Counter(each.get("id") for each in everything if each.get("id"))
    assert not [id for id, times in ids.items() if times > 1], (page.path, ids.most_common(2))
    assert tree.find("head/title") is not None
    for each in everything:
        must_be_plain(each, page)
        for refers in ("aria-labelledby", "aria-describedby"):
            for id in (each.get(refers) or "").split():
                assert id in ids, (page.path, id)
    must_be_labelled(tree, page)
    return tree


def must_be_plain(element: Element, page: Page) -> None:
    assert name(element) != "style", page.path
    for attribute in element.attrib:
        assert attribute != "style", (page.path, element.attrib)
        assert not attribute.lower().startswith("on"), (page.path, element.attrib)
    for attribute in ("href", "src", "action"):
        assert not (element.get(attribute) or "").lower().lstrip().startswith("javascript:"), element.attrib
    if name(element) == "script":
        assert element.get("src", "").startswith("/static/"), (page.path, element.attrib)
        assert not text(element)


def must_be_labelled(tree: Element, page: Page) -> None:
    labelled = {each.get("for") for each in tree.iter("label")}
    for each in elements(tree):
        if name(each) in CONTROLS and each.get("type") != "hidden":
            wrapped = any(each in list(label.iter()) for label in tree.iter("label"))
            has_label = each.get("id") in labelled or each.get("aria-label") or wrapped
            assert has_label, (page.path, each.attrib)
        if name(each) == "button":
            assert each.get("aria-label") or text(each), (page.path, each.attrib)
