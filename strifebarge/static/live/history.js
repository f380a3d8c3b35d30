// == Looking back ==
// The keys that follow links, wherever no field or board wants them.

on("keydown", (event) => {
  const { key, target, defaultPrevented } = event;
  if (defaultPrevented || !isPlain(event)) return;
  if (target.closest(`input, select, textarea, .scroll, ${BOARDS}`)) return;
  const link = all("a[aria-keyshortcuts]").find((each) => each.getAttribute("aria-keyshortcuts") === key);
  if (!link) return;
  event.preventDefault();
  link.click();
});

// What the script of these pages uses of this one.
on("tools", ({ detail }) => Object.assign(detail, { fetched, isPlain, makeAnew, needsOf, on, one, PIECE, pieceOf, say, words }));
