// == A page made anew ==

const PIECE = { "X-Piece": "main" }; // asks for a page's main alone
const quietly = { preventScroll: true };

// What the site has answered: a main, and what is told beside it.  A whole page will do too.
// Without what is there for browsers without scripts: here it would come to life.
function pieceOf({ text, header }) {
  const page = new DOMParser().parseFromString(text, "text/html");
  all("noscript", page).forEach((each) => each.remove());
  const whole = one("main", page), main = whole || page.createElement("main");
  if (!whole) main.append(...page.body.childNodes);
  return {
    main,
    title: header("X-Title") ? decodeURIComponent(header("X-Title")) : page.title,
    icon: header("X-Icon") || one("link[rel=icon]", page)?.getAttribute("href"),
    turns: header("X-Turns") || words(one(".badge", page)),
    needs: header("X-Needs") || needsOf(page),
    tag: header("ETag"),
  };
}

// Styles and scripts.  What needs others needs another page: it would be drawn by the old ones.
const needsOf = (page) => all("link[rel=stylesheet], script[src]", page).map((each) => each.getAttribute("href") || each.getAttribute("src")).sort().join(" ");

// Boards and links get what scripts add; `place` is where somebody was.
function furnish(page, place) {
  attempt(keepOpen, page);
  all(BOARDS, page).forEach((board, i) => attempt(makeRoving, board, place && place.board === i ? place : null));
  all("[data-copy]", page).forEach((field) => attempt(offerCopying, field));
}

// What the site opens is marked.  What somebody has opened or closed since stays so.
function keepOpen(page) {
  for (const each of all("details", page)) {
    each.toggleAttribute("data-opens", each.open);
    const nameOf = (one) => one.id || words(one.firstElementChild), old = all("main details").find((one) => nameOf(one) === nameOf(each));
    if (old && old.open !== ("opens" in old.dataset)) each.open = old.open;
  }
}

// `sentForm`: the form that this is the answer to, if it is one; `pressed`: what sent it.
// All measuring comes before the first change: each measuring after a change lays out the page once more.
function makeAnew(fresh, sentForm = null, pressed = document.activeElement) {
  const focus = document.activeElement, place = placeOf(focus), still = placeOf(pressed);
  furnish(fresh.main, place || remembered());
  const kept = keepFields(fresh.main, sentForm);
  const were = attempt(placesOfPieces);
  const again = place ? null : sameControl(focus, fresh.main);
  const lasts = !place || attempt(staysOnBoard, focus, place, fresh.main);
  keepingThePlace(still, focus, () => {
    if (!lasts) focus.blur(); // before anything changes: to remove what has the focus, browsers lay out the page
    become(one("main"), fresh.main, again ? [...kept, { field: focus, fresh: again }] : kept);
    document.title = fresh.title;
    one("link[rel=icon]").href = fresh.icon;
    showTurns(Number.parseInt(fresh.turns, 10) || 0);
  });
  restoreFields(kept);
  attempt(glide, were);
  nameButtons();
  attempt(badge);
  attempt(wind);
  attempt(giveBack);
  attempt(noteRead);
  const hidden = focus.isConnected && !focus.checkVisibility(); // in a sheet that has closed
  if (focus.tagName === "BODY" || (focus.isConnected && !place && !hidden)) return;
  const board = place && all(BOARDS)[place.board];
  if (board) goTo(squareAt(board, place), quietly);
  else if (again && document.activeElement === document.body) again.focus(quietly); // it stands elsewhere now
  if (document.activeElement === document.body || hidden) attempt(waitInTheBar, focus);
}

// Will the square's control that has the focus be there in a fresh main, in a form or in none as now?
function staysOnBoard(focus, place, main) {
  const board = all(BOARDS, main)[place.board], fresh = board && stopOf(squareAt(board, place));
  return fresh?.tagName === focus.tagName && Boolean(fresh.closest("form")) === Boolean(focus.closest("form"));
}

// The link or button of a fresh main that is the one which has the focus; of several alike, the one at its place.
function sameControl(focus, main) {
  const form = (each) => each.form?.getAttribute("action");
  const same = (each) => form(each) === form(focus)
    && ["id", "href", "name", "value"].every((name) => each.getAttribute(name) === focus.getAttribute(name));
  if (!focus.matches("main :is(a[href], button)")) return null;
  const alikes = all(focus.tagName, main).filter(same);
  return alikes[all(`main ${focus.tagName}`).filter(same).indexOf(focus)] || alikes[0] || null;
}

// Whose control is gone is led to what the bar says now; who was in a field is back in it when it is there again.
let leftField = "";

function waitInTheBar(focus) {
  leftField = focus.matches("input, textarea, select") ? focus.id : "";
  one(".saying")?.focus(quietly);
}

function giveBack() {
  const field = leftField && document.getElementById(leftField);
  if (!document.activeElement.matches(".saying")) leftField = "";
  else if (field) field.focus(quietly);
}

// How far anything is scrolled; the board in use stays under its player's finger, and so does a control of
// theirs that is far from all boards and not in the bar: with its frame, in which it may move.
function keepingThePlace(still, focus, change) {
  const isSeen = (each) => { const { top, bottom } = each.getBoundingClientRect(); return bottom > 0 && top < innerHeight; };
  const far = focus.matches("main *") && !focus.closest(".saying, .bar") && !all(BOARDS).some(isSeen), own = () => (far && focus.isConnected && focus.checkVisibility() ? focus.closest("#board") || focus : null);
  const on = () => all(BOARDS)[still?.board], top = () => (on()?.closest("#board") || on() || own())?.getBoundingClientRect().top;
  const x = scrollX, y = scrollY, before = top(), gathering = one(".stage.open");
  const scrolled = all(".scroll").map((each) => [each.scrollLeft, each.scrollTop]);
  change();
  if (gathering && !one(".stage.open") && !focus.matches(FIELDS)) return scrollTo(0, 0); // the game begins with its board
  all(".scroll").forEach((each, i) => scrolled[i] && each.scrollTo(...scrolled[i]));
  scrollTo(x, y);
  const after = top();
  if (before !== undefined && after !== undefined) scrollBy(0, after - before);
}

// How many games wait, beside the link to them.
function showTurns(count) {
  const link = one("header [data-badge]");
  if (link) one(".badge", link)?.remove();
  if (!link || !count) return;
  const mark = document.createElement("span"), hidden = document.createElement("span");
  mark.className = "badge";
  hidden.className = "vh";
  hidden.textContent = link.dataset.badge;
  mark.append(`${count}`, hidden);
  link.append(" ", mark);
}

// Elements that are kept, and what they stand in, each with what it becomes.
let pins = new Map(), pinned = new Set();

function pin({ field: old, fresh }) {
  const pairs = [];
  while (fresh && old.tagName !== "MAIN" && fresh.tagName === old.tagName) {
    pairs.push([old, fresh]);
    [old, fresh] = [old.parentNode, fresh.parentNode];
  }
  const fits = ([each, other]) => pins.has(each) || pinned.has(other) ? pins.get(each) === other : true;
  if (fresh?.tagName !== old.tagName || !pairs.every(fits)) return;
  pairs.forEach(([each, other]) => { pins.set(each, other); pinned.add(other); });
}

// A main becomes the fresh one; what is alike stays, with focus and what is typed.
function become(main, fresh, kept) {
  try {
    kept.forEach(pin);
    becomeInside(main, fresh);
  } finally {
    pins = new Map();
    pinned = new Set();
  }
}

function becomeInside(old, fresh) {
  let here = old.firstChild;
  for (const each of [...fresh.childNodes]) {
    let match = here;
    while (match && !alike(match, each)) match = each.nodeType === Node.ELEMENT_NODE && !pins.has(match) ? match.nextSibling : null;
    if (!match) {
      old.insertBefore(each, here);
      continue;
    }
    while (here !== match) here = removed(here);
    if (each.nodeType === Node.ELEMENT_NODE) becomeElement(match, each);
    else if (match.nodeValue !== each.nodeValue) match.nodeValue = each.nodeValue;
    here = match.nextSibling;
  }
  while (here) here = removed(here);
}

function becomeElement(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  becomeInside(old, fresh);
}

function alike(a, b) {
  if (pins.has(a) || pinned.has(b)) return pins.get(a) === b;
  return a.nodeName === b.nodeName && (a.id || "") === (b.id || "");
}

function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}
