// == News ==

// Milliseconds between questions: at best, when long nothing has happened, where nobody looks, when nobody answers,
// and while the stream tells of what happens.
const SOON = 900, CALM = 3000, UNSEEN = 5000, LATER = 30000, RARELY = 300000;
let pause = SOON, timer = 0, failures = 0, quiet = 0;

// Questions are numbered.  An answer to one that was asked before `newest` is older than what is shown.
let asked = 0, newest = 0, tag = "", showing = false;

const mark = () => one("#live"); // what the page says of itself

async function ask(anyway) {
  const here = mark(), away = document.hidden, number = ++asked;
  if (!here?.dataset.url || sent || (away && !one("[data-listening]"))) return;
  let answer;
  try {
    answer = await fetched(here.dataset.url + (away ? "?away=yes" : ""));
  } catch {
    return unanswered();
  }
  if (answer.status === 404 || answer.status === 410) return gone();
  if (answer.status !== 200) return unanswered();
  answered();
  if (number < newest || answer.text === mark()?.dataset.version) return;
  try {
    await show(anyway, answer.text);
  } catch { /* once more, next time */ }
}

// Ask for the page as it is now: one question at a time, and what is older than what is shown is not shown.
// `version`: what was said of it, if anything was.
async function show(anyway, version) {
  if (showing || sent || !mark()?.dataset.page) return;
  showing = true;
  try {
    await showNow(anyway, version);
  } finally {
    showing = false;
  }
  checkWord();
}

async function showNow(anyway, version) {
  const settling = word, number = ++asked, answer = await pageNow();
  if (sent || number < newest || !mark()) return;
  if (answer.status === 404 || answer.status === 410) return gone();
  if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.status);
  settled = settling;
  if (answer.status === 200) put(pieceOf(answer), anyway);
  else if (version) mark().dataset.version = version;
}

function pageNow() {
  const address = new URL(mark().dataset.page, location.href);
  if (document.hidden) address.searchParams.set("away", "yes"); // nobody sees it: they are not here
  if ("sat" in mark().dataset) address.searchParams.set("sat", "yes"); // if they do not any more, they are told so
  return fetched(address.href, { headers: tag ? { ...PIECE, "If-None-Match": tag } : PIECE });
}

function put(fresh, anyway) {
  quiet = 0;
  tellNews(fresh.main);
  if (anyway) all("form").forEach((each) => each.reset());
  if (wouldBeLost(fresh.main)) return pointTo(fresh.main);
  if (fresh.needs !== needsOf(document)) return location.reload();
  newest = ++asked;
  makeAnew(fresh);
  tag = fresh.tag;
}

// What somebody is typing stays; a line above it says that the page is old.
function pointTo(main) {
  const { dataset } = mark(), link = document.createElement("a");
  dataset.version = one("#live", main)?.dataset.version || dataset.version;
  link.href = dataset.page;
  link.textContent = dataset.show;
  note(`${dataset.told} `, link);
}

function note(...what) {
  const line = document.createElement("p");
  line.id = "told";
  line.className = "notice";
  line.append(...what);
  one("#told")?.remove();
  mark().after(line);
}

// The table was deleted.
function gone() {
  const { dataset } = mark();
  answered();
  dataset.url = dataset.here = dataset.page = "";
  stream?.watch([]);
  note(dataset.gone);
  say([dataset.gone]);
}

function unanswered() {
  failures += 1;
  pause = Math.min(LATER, 1000 * 2 ** failures) * (0.8 + 0.4 * Math.random());
  if (failures > 1 || !navigator.onLine) warn(Date.now() + pause);
}

function answered() {
  failures = 0;
  quiet += 1;
  pause = Math.min(CALM, SOON * 1.01 ** quiet) * (0.9 + 0.2 * Math.random());
  one("#offline")?.remove();
}

// Until when nothing is tried, and a button for the impatient.
function warn(until) {
  let notice = one("#offline");
  const { dataset } = mark();
  if (!notice) {
    const now = document.createElement("button");
    Object.assign(now, { type: "button", className: "btn sec", textContent: dataset.now, onclick: askNow });
    notice = document.createElement("p");
    Object.assign(notice, { id: "offline", className: "notice warn" });
    notice.append(document.createElement("span"), " ", now);
    one("main").append(notice);
    say([dataset.offline.replace(/\..*/, ".")]);
  }
  notice.until = until;
  countDown(notice);
}

function countDown(notice) {
  const left = Math.max(0, Math.ceil((notice.until - Date.now()) / 1000));
  one("span", notice).textContent = mark().dataset.offline.replace("@", left);
  clearTimeout(notice.clock);
  if (left && notice.isConnected) notice.clock = setTimeout(countDown, 1000, notice);
}

function again() {
  clearTimeout(timer);
  const soon = document.hidden ? Math.max(pause, UNSEEN) : pause;
  timer = setTimeout(async () => { await ask(); again(); }, streaming && !failures ? RARELY : soon);
}

async function askNow(anyway) {
  clearTimeout(timer);
  quiet = 0;
  await ask(anyway === true);
  again();
}
