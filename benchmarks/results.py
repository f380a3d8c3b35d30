"""Keep benchmarks/RESULTS.md, whose parts are made by commands of their own."""

import re
from collections.abc import Iterable
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
SPEED = "# How fast it is"
PEERS = "## Beside another framework"
UNRULY = "## Beside games that misbehave"
FAULTS = "## What the fuzzer finds"
MACHINES = "## Two machines beside one"
PARTS = (SPEED, MACHINES, PEERS, UNRULY, FAULTS)  # in this order


def replace_part(heading: str, lines: Iterable[str]) -> str:
    """Write the part of this heading anew, and keep the others; return the new part."""
    parts = parts_of(RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "")
    parts[heading] = "\n".join([heading, "", *lines]).strip()
    whole = "\n\n".join(parts[each] for each in PARTS if each in parts)
    RESULTS.write_text(f"{whole}\n", encoding="utf-8")
    return parts[heading]


def parts_of(text: str) -> dict[str, str]:
    """Return the parts of the page by their headings."""
    headings = "|".join(map(re.escape, PARTS))
    parts = re.split(rf"^(?=(?:{headings})$)", text, flags=re.MULTILINE)
    return {part.partition("\n")[0]: part.strip() for part in parts if part.strip()}
