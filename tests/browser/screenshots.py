"""Pictures of every page in every state, on a phone and at a desk, by day and by night:

    python -m tests.browser.screenshots [folder] [chapter …]

They land in screenshots/ unless a folder is named, as landing-320-light.png and so on.  Three of them make
the README's picture.
"""

import sys
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.scenes import CHAPTERS, Chapter, Scene, dress, site
from tests.support.browser import DESKTOP, PHONE, Chromium, Person
from tests.support.servers import ROOT

OF_THE_README = [
    "strifebarge-late-1280-light.png",
    "eights-late-320-dark.png",
    "chess-check-320-light.png",
]
CHART_TABLE = """
    body { display: flex; gap: 24px; align-items: end; justify-content: center; height: 100vh; margin: 0; }
    body { background: #A9CFE3; }
    img { height: 560px; margin-bottom: 24px; border: 1px solid #14202B; }
    img { object-fit: cover; object-position: top; }
    img:nth-of-type(1) { width: 700px; height: 752px; }
    img:nth-of-type(n + 2) { width: 250px; }
"""


def main(folder: Path, chapters: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with site() as running, Chromium() as browser:
        for name in chapters:
            read(CHAPTERS[name], browser, running.url, folder)
        if all((folder / name).exists() for name in OF_THE_README):
            compose(browser, folder)


def compose(browser: Browser, folder: Path) -> None:
    """The README's picture: a desk, and two telephones before it."""
    pictures = [b64encode((folder / name).read_bytes()).decode() for name in OF_THE_README]
    images = "".join(f'<img src="data:image/png;base64,{picture}">' for picture in pictures)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_content(f"<style>{CHART_TABLE}</style>{images}")
    page.screenshot(path=ROOT / "docs" / "picture.png")
    page.close()


def read(chapter: Chapter, browser: Browser, address: str, folder: Path) -> None:
    """Through a chapter with people of its own, pictures at every scene, and their troubles at the end."""
    came: list[Person] = []

    def come(**how: object) -> Person:
        came.append(Person(browser, address, **how))
        return came[-1]

    for scene in chapter(come):
        photograph(scene, folder)
        print(scene.name, flush=True)
    for each in came:
        for trouble in each.troubles:
            print(trouble, file=sys.stderr)
        each.close()


def photograph(scene: Scene, folder: Path) -> None:
    """Four pictures; the page itself stays as it is, since a refusal could not be asked for again."""
    for size in PHONE, DESKTOP:
        for scheme in "light", "dark":
            dress(scene.person, size, scheme)
            picture = folder / f"{scene.name}-{size.width}-{scheme}.png"
            scene.person.page.screenshot(path=picture, full_page=True)
    dress(scene.person, PHONE, "light")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "screenshots", sys.argv[2:] or list(CHAPTERS))
