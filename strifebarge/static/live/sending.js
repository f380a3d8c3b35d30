// == Forms on their way ==
// A form of a table's page is sent by the script, and the answer takes the place of the page.  In any doubt it is
// sent again as without a script: the site counts it once by its key, however often it comes.

const ON_ITS_WAY = 5000; // milliseconds after which a form that leads nowhere may be sent again
const JUDGED = 25000; // milliseconds in which the site has judged a move, however long the rules take
const ONCE_MORE = 500; // milliseconds after which a form that the network lost is sent again
const TWICE = 400, NEARBY = 5; // milliseconds and pixels within which two clicks are one
let sent = null, left = false, click = { detail: 0 }, last = { what: "" };

on("click", (event) => { click = event; });

on("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented) return;
  if (sent && formsLike(sent.form).includes(form) || hitsAnother(form, submitter)) return event.preventDefault();
  if (sent?.inPlace) {
    event.preventDefault(); // after the other one
    sent.next = [form, submitter];
    return;
  }
  cameBack();
  const inPlace = attempt(answeredInPlace, form, submitter);
  sent = { form, submitter, inPlace, settling: word };
  if (inPlace) {
    event.preventDefault();
    send(inPlace);
  } else sent.timer = setTimeout(cameBack, ON_ITS_WAY);
  // Not before the form is read, and never disabled: what is disabled is not sent.
  setTimeout(showBusy);
});

// Is it the second half of a double click, under which the page has become another?
function hitsAnother(form, submitter) {
  const before = last, { detail, timeStamp: at, clientX: x, clientY: y } = click;
  last = { what: [form.getAttribute("action"), submitter?.name, submitter?.value].join(" "), at, x, y };
  return detail > 1 && before.what !== last.what && at - before.at < TWICE && Math.hypot(x - before.x, y - before.y) < NEARBY;
}

function showBusy() {
  if (!sent) return;
  const { form, submitter } = sent;
  if (submitter) submitter.setAttribute("aria-busy", "true");
  formsLike(form).forEach((like) => all("button:not([aria-disabled])", like).forEach((each) => {
    each.dataset.sent = "";
    each.setAttribute("aria-disabled", "true");
  }));
}

// The form and, where it moves, all others that do: the board's, the bar's and those to be filled in make one move.
const formsLike = (form) => (form.matches(".moves-form") ? [form, ...all(".moves-form")] : [form]);

function cameBack() {
  if (sent) clearTimeout(sent.timer);
  sent = null;
  all("[aria-busy]").forEach((each) => each.removeAttribute("aria-busy"));
  all("[data-sent]").forEach((each) => {
    delete each.dataset.sent;
    each.removeAttribute("aria-disabled");
  });
}

// Where to and what, of a form that its own table answers; null for any other.
function answeredInPlace(form, submitter) {
  const page = mark()?.dataset.page, table = page && new URL(page, location.href);
  const given = (name) => submitter?.getAttribute(`form${name}`) || form.getAttribute(name) || "";
  const where = new URL(given("action"), location.href);
  if (!table || !/\/g\/[^/]+$/.test(table.pathname) || given("method").toLowerCase() !== "post") return null;
  if (!where.href.startsWith(`${table.origin}${table.pathname}/`) || given("target")) return null;
  const fields = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  if (submitter?.name) fields.push([submitter.name, submitter.value]);
  if (!form.matches(".moves-form")) where.search ||= table.search; // what is picked stays so in the answer
  // With ends of lines as browsers send them, or it would be another form the second time.
  return { where: where.href, fields: fields.map(([name, value]) => [name, value.replace(/\r\n?|\n/g, "\r\n")]) };
}

async function send({ where, fields }) {
  try {
    const answer = await posted(where, new URLSearchParams(fields)), goal = answer.header("X-Location");
    answered();
    if (left) return;
    if (answer.status === 204 && goal) go(goal);
    else if (answer.header("X-Title")) return take(answer, goal);
    else throw new Error("no piece");
  } catch (wrong) {
    console.debug(wrong);
    if (!left) sendPlainly(where, fields);
  }
  if (sent) sent.timer = setTimeout(cameBack, ON_ITS_WAY); // by then another page is there
}

// With the same key, while the network loses it: once more, or as long as there is none.
async function posted(where, body) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fetched(where, { method: "POST", body, headers: PIECE, patience: JUDGED });
    } catch (wrong) {
      if (left || !(wrong instanceof TypeError) || (tries > 1 && navigator.onLine)) throw wrong;
      if (!navigator.onLine) warn(Date.now() + LATER);
      await (navigator.onLine ? passed(ONCE_MORE) : online());
    }
  }
}

const online = () => Promise.race([passed(LATER), new Promise((done) => addEventListener("online", done, { once: true }))]);

function sendPlainly(where, fields) {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: where, hidden: true });
  form.append(...fields.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })));
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

// To another page; to this one, too, if only the part after # is another.
function go(goal) {
  const address = new URL(goal, location.href), here = address.pathname + address.search === location.pathname + location.search;
  location.assign(address.href);
  if (here) location.reload();
}

function take(answer, goal) {
  const fresh = pieceOf(answer), { form, submitter, next, settling } = sent, page = goal || mark().dataset.page;
  if (goal && fresh.needs !== needsOf(document)) return go(goal);
  clearTimeout(sent.timer);
  sent = null;
  newest = ++asked;
  settled = settling;
  tag = "";
  const seat = mark().dataset.here, typing = document.activeElement !== document.body;
  tellNews(fresh.main);
  makeAnew(fresh, form, submitter || form);
  cameBack(); // by now hardly any button is marked: to free them before would have the page drawn once more
  attempt(() => history.replaceState(history.state, "", page)); // which browsers allow a hundred times a minute at most
  if (mark()?.dataset.here !== seat) stream?.renew(); // by somebody else than before
  lookAt(goal, typing);
  checkWord();
  if (next?.[0].isConnected) attempt(() => next[0].requestSubmit(next[1]));
}

// What an answer is about is seen, and has the focus if what had it is gone.
function lookAt(goal, typing) {
  const [, name] = goal.split("#"), about = one("#answer") || one("#notice") || (name && document.getElementById(name));
  if (!about) return;
  if (about.id === "answer" || about.id === "notice") about.scrollIntoView({ block: "nearest" });
  if (about.id !== "answer" && !(typing && document.activeElement === document.body)) return;
  about.tabIndex = -1;
  about.focus(quietly);
}

on("pagehide", () => { left = true; }, window);
