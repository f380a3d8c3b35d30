// == A game as a film ==
// The script of pages that look back: a slider, a button that plays, keys, swipes.  Positions are read ahead, one at
// a time, and take the place of the one shown, with its address.  Where that fails the page goes there.

const NEXT = [1, -1, 2, 3], KEPT = 40; // positions that are read ahead, from the one shown; that are kept
const FRESH = 60000, REST = 500; // milliseconds
const SWIPE = 40; // pixels
const kept = new Map(), { pathname, search } = location, base = pathname.replace(/\d+$/, "");
let shown = Number(pathname.slice(base.length)), wanted = shown, going, playing, saying, touch;
let fetched, isPlain, makeAnew, needsOf, on, one, PIECE, pieceOf, say, words; // of live.js

const reel = () => one("#reel"), last = () => Number(reel().max), address = (number) => base + number + search;

async function read(number, old) {
  const answer = await fetched(address(number), { headers: { ...PIECE, "If-None-Match": old ? old.header("ETag") : "" } });
  if (answer.status === 304) return old;
  if (answer.status !== 200) throw answer;
  return answer;
}

// A position as it was read; if that is long ago it is asked for again, by its tag.
function position(number) {
  const known = kept.get(number);
  if (known && Date.now() - known.at < FRESH) return known.answer;
  const answer = (async () => read(number, await known?.answer))();
  answer.catch(() => kept.delete(number));
  kept.set(number, { at: Date.now(), answer });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
}

// To a position; where another one is wanted meanwhile, on to that.
async function go(number) {
  wanted = Math.max(0, Math.min(number, last()));
  point();
  if (going) return;
  going = true;
  try {
    while (shown !== wanted) {
      const next = wanted;
      put(next, await position(next));
    }
  } catch (wrong) {
    if (wrong.status) return location.assign(address(wanted));
    wanted = shown; // nobody answers
    stop();
  } finally {
    going = false;
  }
  readAhead(wanted);
}

async function readAhead(from) {
  for (const by of NEXT) {
    if (from !== wanted) return;
    if (from + by >= 0 && from + by <= last()) await position(from + by).catch(() => {});
  }
}

function put(number, answer) {
  const fresh = pieceOf(answer);
  if (fresh.needs !== needsOf(document)) throw answer;
  makeAnew(fresh);
  shown = number;
  point();
  try { history.replaceState(history.state, "", address(number)); } catch { /* too often for this browser */ }
  clearTimeout(saying);
  saying = setTimeout(() => playing || say([words(one("#turn")), words(one(".news"))]), REST);
}

// The slider and the button show what is wanted.
function point() {
  reel().value = wanted;
  reel().setAttribute("aria-valuetext", reel().getAttribute("aria-valuetext").replace(/\d+/, wanted));
  one("#play").setAttribute("aria-pressed", Boolean(playing));
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  point();
}

function play() {
  if (playing) return stop();
  playing = -1; // until the first step is done
  step(shown < last() ? shown + 1 : 0);
}

async function step(number) {
  await go(number);
  if (!playing) return;
  if (document.hidden || shown >= last()) return stop();
  clearTimeout(playing);
  playing = setTimeout(step, one("#speed").value, shown + 1);
}

const goTo = (number) => { stop(); go(number); };

// On the board, unless that is wider than its frame, which is scrolled itself.
function isSwiped(target) {
  const frame = target.closest(".scroll");
  return target.closest("#board") && !(frame?.scrollWidth > frame?.clientWidth);
}

function listen() {
  on("input", ({ target }) => { if (target.id === "reel") goTo(Number(target.value)); });
  on("click", (event) => {
    const link = event.target.closest("main a[href]");
    if (event.target.closest("#play")) return play();
    if (!link || !isPlain(event) || link.search !== search || !link.pathname.startsWith(base)) return;
    event.preventDefault();
    const by = { prev: -1, next: 1 }[link.rel]; // from where they are going, if they are
    goTo(by ? wanted + by : Number(link.pathname.slice(base.length)));
    if (link.closest(".side")) one("#board").scrollIntoView({ block: "nearest" });
  });
  on("keydown", (event) => {
    if (event.key !== " " || !isPlain(event) || event.target.closest("a, button, summary, select, input:not(#reel)")) return;
    event.preventDefault();
    play();
  });
  on("touchstart", ({ target, touches }) => { touch = touches.length === 1 && isSwiped(target) && touches[0]; });
  on("touchend", ({ changedTouches: [{ clientX, clientY }] }) => {
    const across = touch ? touch.clientX - clientX : 0;
    if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(clientY - touch.clientY)) goTo(wanted + Math.sign(across));
  });
}

document.addEventListener("DOMContentLoaded", () => {
  const live = {};
  document.dispatchEvent(new CustomEvent("tools", { detail: live }));
  ({ fetched, isPlain, makeAnew, needsOf, on, one, PIECE, pieceOf, say, words } = live);
  if (!on) return; // it is not there
  document.documentElement.dataset.film = "";
  point();
  listen();
  readAhead(shown);
});
