// == Chat ==
// The line that was in sight last is noted in a cookie of the table, by which the site counts the unread ones.

const READ_FOR = 400 * 86400; // seconds

function noteRead() {
  const line = all("#tab-chat .talk > li").at(-1);
  if (!one(".unread") || document.hidden || !line || !isInSight(line)) return;
  const path = new URL(mark().dataset.page, location.href).pathname;
  document.cookie = `read=${line.dataset.number}; Path=${path}; Max-Age=${READ_FOR}; SameSite=Lax`;
  all(".unread").forEach((each) => each.remove());
}

// In the window, and not under anything.
function isInSight(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

// Neither scrolling nor opening a tab is told to what is around it.
["scroll", "toggle"].forEach((each) => document.addEventListener(each, () => attempt(noteRead), true));
on("visibilitychange", noteRead);

// The bar's link opens the tab, also where browsers do not open what they lead to.
on("click", ({ target }) => { if (target.closest("a[href='#talk']")) one("#tab-chat").open = true; });
