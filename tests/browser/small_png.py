"""Pictures of pages in few bytes: at most 256 colours, as a PNG with a palette."""

from base64 import b64decode, b64encode
from struct import pack
from zlib import compress, crc32

from playwright.sync_api import Page

# Of colours that are hardly different the one that covers most; of these the first 256; and for each dot the
# number of the nearest of them.  Red is the lowest byte.
INDEXED = """async png => {
    const bytes = Uint8Array.from(atob(png), each => each.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes])), {width, height} = picture;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const dots = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer), counts = new Map();
    for (const dot of dots) counts.set(dot, (counts.get(dot) || 0) + 1);
    const kinds = new Map();
    for (const [colour] of [...counts].sort(([, a], [, b]) => b - a))
        if (!kinds.has(colour & 0xF0F0F0)) kinds.set(colour & 0xF0F0F0, colour);
    const palette = [...kinds.values()].slice(0, 256);
    const known = new Map(palette.map((colour, number) => [colour, number]));
    const parts = colour => [colour & 255, colour >> 8 & 255, colour >> 16 & 255];
    const nearest = colour => {
        const [red, green, blue] = parts(colour);
        const far = palette.map(parts)
            .map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
        return far.indexOf(Math.min(...far));
    };
    const numbers = Uint8Array.from(dots, dot => {
        if (!known.has(dot)) known.set(dot, nearest(dot));
        return known.get(dot);
    });
    let text = "";
    for (let at = 0; at < numbers.length; at += 8192)
        text += String.fromCharCode(...numbers.subarray(at, at + 8192));
    return [width, height, palette.flatMap(parts), btoa(text)];
}"""


def shrink(page: Page, png: bytes) -> bytes:
    """Return a PNG with fewer colours; an empty page of a browser does the drawing."""
    width, height, palette, encoded = page.evaluate(INDEXED, b64encode(png).decode())
    numbers = b64decode(encoded)
    rows = b"".join(b"\0" + numbers[y * width : (y + 1) * width] for y in range(height))
    header = pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # eight bits a dot, by palette
    chunks = (b"IHDR", header), (b"PLTE", bytes(palette)), (b"IDAT", compress(rows, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)


def chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))
