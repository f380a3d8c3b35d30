// == Time that runs out ==
// Counted by the site's clock: seen each second; each minute with a screen reader or reduced motion; said
// aloud where little is left of one's own.

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const ALOUD = [10, 30, 60, 300]; // seconds
const FEW = 30; // seconds that are shown in red
const AFTER = 1500; // milliseconds in which the site, too, finds that it is over
const looked = new Set(); // deadlines after which the page was asked for again
let ahead = 0, winding = 0;

function wind() {
  clearTimeout(winding);
  if (!mark()?.dataset.at) return;
  ahead = Date.parse(mark().dataset.at) - Date.now();
  run();
}

function run() {
  const running = all("time.left");
  running.forEach(countTo);
  if (running.length) winding = setTimeout(attempt, 1000 - ((Date.now() + ahead) % 1000), run);
}

function countTo(time) {
  const until = Date.parse(time.dateTime), left = Math.max(0, Math.floor((until - Date.now() - ahead) / 1000));
  const now = inWords(left), last = time.last && time.last.until === until ? time.last.left : left;
  const little = ALOUD.find((each) => left <= each && each < last), [seen, heard] = halves(time);
  const turned = little || !words(heard) || Math.ceil(left / 60) !== Math.ceil(last / 60);
  if (turned) heard.textContent = now;
  const digits = "digits" in time.dataset;
  if (turned || !isCalm()) seen.textContent = digits ? inDigits(left) : now;
  time.classList.toggle("few", digits && left < FEW);
  time.last = { until, left };
  if (little && time.closest("[data-mine]")) sayHowLittle(time.closest("[data-mine]"));
  if (!left) lookAfter(time.dateTime);
}

function halves(time) {
  if (time.childElementCount !== 2) {
    const parts = ["span", "span"].map((each) => document.createElement(each));
    parts[0].setAttribute("aria-hidden", "true");
    parts[1].className = "vh";
    time.setAttribute("role", "timer");
    time.replaceChildren(...parts);
  }
  return time.children;
}

// As the site writes it: 4:57, 3:04:57, and from a day on 2 d 3 h.
function inDigits(left) {
  if (left >= 86400) return `${Math.floor(left / 86400)} d ${Math.floor((left % 86400) / 3600)} h`;
  return new Date(left * 1000).toISOString().slice(11, 19).replace(/^(00:0?|0)/, "");
}

// As the site says it: two units at most, in the language of the page.
function inWords(left) {
  const at = UNITS.findIndex(([unit, size]) => left >= size || unit === "second");
  const amounts = UNITS.slice(at, at + 2).map(([unit, size], i) => [unit, Math.floor((i ? left % UNITS[at][1] : left) / size)]);
  const how = (unit) => ({ style: "unit", unit, unitDisplay: "long" });
  return amounts.filter(([, n], i) => !i || n)
    .map(([unit, n]) => new Intl.NumberFormat(document.documentElement.lang, how(unit)).format(n)).join(" ");
}

function sayHowLittle(sentence) {
  const copied = sentence.cloneNode(true);
  all("[aria-hidden]", copied).forEach((each) => each.remove());
  say([words(copied)]);
}

// A player who is late may see that soon.
function lookAfter(deadline) {
  if (looked.has(deadline)) return;
  looked.add(deadline);
  setTimeout(() => {
    show().catch(() => {});
  }, AFTER);
}
