"""The site's icons as pictures, for people who install it as an app; made from its drawing:

python -m tests.browser.icons
"""

from base64 import b64encode

from tests.support.browser import Chromium
from tests.support.servers import ROOT

STATIC = ROOT / "strifebarge" / "static"
SIZES = 180, 512  # what telephones ask for


def main() -> None:
    drawing = b64encode((STATIC / "favicon.svg").read_bytes()).decode()
    with Chromium() as browser:
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            # Telephones round the corners themselves: so the drawing's own are filled.
            page.set_content(
                f'<body style="margin:0;background:#DCEBF3"><img width="{size}" height="{size}" '
                f'style="display:block" src="data:image/svg+xml;base64,{drawing}">'
            )
            page.screenshot(path=STATIC / f"icon-{size}.png")
            page.close()


if __name__ == "__main__":
    main()
