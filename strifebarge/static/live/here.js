// == Here ==
// A player who has the table before them needs no notification; the app's icon says how many games wait.

const HERE = 30000; // milliseconds

function hereIAm() {
  const here = mark();
  if (here?.dataset.here && !document.hidden) navigator.sendBeacon(here.dataset.here);
}

function badge() {
  if (!navigator.setAppBadge) return;
  const count = Number.parseInt(words(one(".badge")), 10) || 0;
  (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
}
