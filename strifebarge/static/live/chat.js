// == Chat ==
// The line that was in sight last is noted in a cookie of the table, by which the site counts the unread ones.

function noteRead() {
  const line = one(".unread") && !document.hidden && one("#tab-chat .talk > :last-child");
  if (!line) return;
  const { left, top } = line.getBoundingClientRect();
  if (!line.contains(document.elementFromPoint(left + 9, top + 9))) return; // it is not in sight
  document.cookie = `read=${line.dataset.number}; Path=${location.pathname}; Max-Age=34560000`;
  all(".unread").forEach((each) => each.remove());
}

["scroll", "toggle", "visibilitychange"].forEach((each) => document.addEventListener(each, noteRead, true)); // some do not bubble
