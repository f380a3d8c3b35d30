// == Here ==
// A player who has the table before them needs no notification; the app's icon says how many games wait.
// Where the browser keeps no cookies nobody can have a seat, and should know before they take one.

const HERE = 30000; // milliseconds

function hereIAm() {
  const here = mark();
  if (here?.dataset.here && !document.hidden) navigator.sendBeacon(here.dataset.here);
}

// Tried once in a tab: when a cookie changes, browsers throw away the pages of the site that they keep for Back.
function forgetful() {
  try { if (sessionStorage.cookies) return; } catch { /* blocked too */ }
  document.cookie = "kept=1; SameSite=Lax";
  const warning = one("#forgetful");
  warning.hidden = document.cookie;
  warning.textContent = warning.hidden ? "" : warning.dataset.said;
  document.cookie = "kept=; Max-Age=0";
  if (warning.hidden) sessionStorage.cookies = "kept";
}

function badge() {
  if (!navigator.setAppBadge) return;
  const count = Number.parseInt(words(one(".badge")), 10) || 0;
  (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
}
