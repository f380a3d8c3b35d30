/* What scripts add to the pages: nothing that links, forms and reloading would not do.

   Boards are known by their markup, not by their game: a table with data-grid, a list with data-row.
   Listeners are the document's, so that a page made anew needs none.  What fails, fails alone. */
"use strict";
(() => {
  // == Helpers ================================================================

  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const words = (each) => each ? each.textContent.replace(/\s+/g, " ").trim() : "";

  function attempt(work, ...given) {
    try {
      return work(...given);
    } catch (wrong) {
      console.error(wrong);
    }
  }

  const on = (events, work, where = document) => events.split(" ").forEach((each) => {
    where.addEventListener(each, (event) => attempt(work, event));
  });

  // What an address answers, or an error: also if that takes too long.
  async function fetched(url, patience = 10000) {
    const late = new Promise((_, fail) => setTimeout(fail, patience, new Error("late")));
    const signal = AbortSignal.timeout && AbortSignal.timeout(patience); // which older browsers lack
    const answer = await Promise.race([fetch(url, { cache: "no-store", signal }), late]);
    if (!answer.ok) throw new Error(answer.status);
    return Promise.race([answer.text(), late]);
  }

  // == Boards by keyboard =====================================================

  const BOARDS = "[data-grid], [data-row]", SQUARES = "[data-grid] tbody td, [data-row] > *";
  const CONTROLS = "button, a[href], input:not([type=hidden])";
  const FAR = 5; // rows of a page
  const SLOW = 1000; // milliseconds after which a letter begins another square's name
  let typed = "", typedAt = 0;

  // Of a table its rows of squares; of a list the one row.
  function rowsOf(board) {
    if (board.tagName !== "TABLE") return [[...board.children]];
    return all("tbody tr", board).map((row) => [...row.cells].filter((each) => each.tagName === "TD"));
  }

  // What Tab comes to on a square: its first control, or the square itself.
  const stopOf = (square) => one(CONTROLS, square) || square;

  // The squares by their names, A1 or e4; in a list by their number.
  function byName(board) {
    const heads = board.tHead ? [...board.tHead.rows[0].cells].map(words) : [];
    const nameOf = (square, i) => board.tHead ? (heads[square.cellIndex] || "") + words(one("th", square.parentNode)) : `${i + 1}`;
    return new Map(rowsOf(board).flatMap((row) => row.map((square, i) => [nameOf(square, i).toLowerCase(), square])));
  }

  // Where somebody is: board, row and column; and what is there, since cards of a hand change places.
  function placeOf(inside) {
    const square = inside.closest(SQUARES), board = square && square.closest(BOARDS);
    if (!board) return null;
    const rows = rowsOf(board), row = rows.findIndex((each) => each.includes(square));
    return { board: all(BOARDS).indexOf(board), row, column: rows[row].indexOf(square), what: words(square) };
  }

  function squareAt(board, { row, column, what }) {
    const rows = rowsOf(board), here = rows[Math.min(row, rows.length - 1)];
    const same = board.tagName !== "TABLE" && here.find((each) => words(each) === what);
    return same || here[Math.min(column, here.length - 1)];
  }

  // One stop for Tab, the rest by arrows; a board that cannot be made so stays as it is.
  function makeRoving(board, place) {
    const controls = all(CONTROLS, board), table = board.tagName === "TABLE", frame = board.closest(".scroll");
    if (!controls.length && !table) return;
    try {
      const squares = rowsOf(board).flat();
      if (!squares.length) return;
      const square = (place && squareAt(board, place)) || squares.find((each) => one(CONTROLS, each)) || squares[0];
      controls.forEach((each) => { each.tabIndex = -1; });
      stopOf(square).tabIndex = 0;
      if (table) board.setAttribute("role", "grid");
      if (frame) frame.removeAttribute("tabindex");
    } catch (wrong) {
      controls.forEach((each) => each.removeAttribute("tabindex"));
      board.removeAttribute("role");
      if (frame) frame.tabIndex = 0;
      throw wrong;
    }
  }

  // The place, from one page of a table to the next.
  const KEPT = `square ${location.pathname.replace(/(\/g\/[^/]+).*/, "$1")}`;

  function remember(place) {
    try { sessionStorage.setItem(KEPT, JSON.stringify(place)); } catch { /* then it is forgotten */ }
  }

  function remembered() {
    try { return JSON.parse(sessionStorage.getItem(KEPT)); } catch { return null; }
  }

  function goTo(square, how) {
    const stop = square.matches(SQUARES) ? stopOf(square) : square, board = square.closest(BOARDS);
    if (stop === square && board.dataset.grid && !words(square)) {
      const name = [...byName(board)].find(([, each]) => each === square)[0];
      square.setAttribute("aria-label", `${name.toUpperCase()}, ${board.dataset.grid}`);
    }
    stop.tabIndex = 0;
    stop.focus(how);
  }

  on("focusin", ({ target }) => {
    const place = placeOf(target);
    if (!place) return;
    all("[tabindex='0']", target.closest(BOARDS)).forEach((each) => { each.tabIndex = -1; });
    target.tabIndex = 0;
    remember(place);
  });

  on("keydown", (event) => {
    const { target, key } = event, square = target.closest(SQUARES);
    if (!square || event.altKey || event.metaKey || target.matches("textarea, select, input:not([type=checkbox])")) return;
    const board = square.closest(BOARDS);
    const goal = event.ctrlKey ? farthest(board, key) : beside(board, square, target, key) || named(board, event);
    if (!goal) return;
    event.preventDefault();
    goTo(goal);
  });

  function farthest(board, key) {
    const squares = rowsOf(board).flat();
    return { Home: squares[0], End: squares.at(-1) }[key];
  }

  function beside(board, square, target, key) {
    const rows = rowsOf(board), list = board.tagName !== "TABLE";
    const row = rows.findIndex((each) => each.includes(square)), column = rows[row].indexOf(square);
    const along = (by) => rows[row][column + by] || square;
    const across = (by) => rows[Math.max(0, Math.min(row + by, rows.length - 1))][column];
    const within = (by) => { const controls = all(CONTROLS, square); return controls[controls.indexOf(target) + by]; };
    const forth = getComputedStyle(board).direction === "rtl" ? -1 : 1;
    switch (key) {
      case "ArrowRight": return along(forth);
      case "ArrowLeft": return along(-forth);
      case "ArrowDown": return within(1) || (list ? along(1) : across(1));
      case "ArrowUp": return within(-1) || (list ? along(-1) : across(-1));
      case "PageDown": return across(FAR);
      case "PageUp": return across(-FAR);
      case "Home": return rows[row][0];
      case "End": return rows[row].at(-1);
    }
  }

  // The square whose name is being typed: K, 1 and 2 lead to K1 and on to K12.
  function named(board, { key, timeStamp }) {
    if (!/^[\p{L}\d]$/u.test(key)) return;
    const names = byName(board), letter = key.toLowerCase();
    const begun = board.tagName === "TABLE" && timeStamp - typedAt < SLOW ? typed + letter : letter;
    typed = [...names.keys()].some((each) => each.startsWith(begun)) ? begun : letter;
    typedAt = timeStamp;
    return names.get(typed);
  }

  // == Looking back ===========================================================
  // The keys that follow links, wherever no field or board wants them.

  on("keydown", (event) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
    if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
    if (target.closest(`input, select, textarea, .scroll, ${BOARDS}`)) return;
    const link = all("a[aria-keyshortcuts]").find((each) => each.getAttribute("aria-keyshortcuts") === key);
    if (!link) return;
    event.preventDefault();
    link.click();
  });

  // == Pieces picked up and dragged ===========================================
  // Links made with pick() are followed without leaving the page, and may be dragged to buttons.

  const NEAR = 6; // pixels within which a press is no drag
  let drag = null, dragged = false;

  const picking = (target) => {
    const link = target.closest("[data-grid] a[href*='pick=']");
    return link && new URL(link.href).searchParams.has("pick") ? link : null;
  };

  async function pick(link) {
    try {
      const place = placeOf(link), fresh = parsed(await fetched(link.href, 3000));
      const old = one("#live", fresh).dataset.version !== mark().dataset.version;
      const top = () => all(BOARDS)[place.board].getBoundingClientRect().top, before = top();
      makeAnew(fresh);
      scrollBy(0, top() - before); // whatever the page says above it, the board stays under the finger
      const piece = stopOf(squareAt(all(BOARDS)[place.board], place));
      if (old) tellNews(fresh);
      else say([piece.getAttribute("aria-label") || words(piece)]);
      return true;
    } catch {
      location.assign(link.href);
      return false;
    }
  }

  on("click", (event) => {
    const link = picking(event.target);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!dragged) pick(link);
  });

  on("dragstart", (event) => { if (picking(event.target)) event.preventDefault(); });

  on("pointerdown", (event) => {
    const link = event.isPrimary && event.button === 0 && picking(event.target);
    putDown();
    if (link) drag = { link, x: event.clientX, y: event.clientY };
  });

  on("pointermove", ({ clientX, clientY }) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(clientX - drag.x, clientY - drag.y) > NEAR) liftUp();
    if (drag.ghost) drag.ghost.style.translate = `${clientX - drag.x}px ${clientY - drag.y}px`;
  });

  function liftUp() {
    const box = drag.link.getBoundingClientRect(), held = !new URL(drag.link.href).searchParams.get("pick");
    drag.ghost = document.createElement("div");
    drag.ghost.className = "dragged";
    drag.ghost.append(...[...drag.link.childNodes].map((each) => each.cloneNode(true)));
    Object.assign(drag.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    document.body.append(drag.ghost);
    drag.board = drag.link.closest(BOARDS);
    drag.picked = held ? Promise.resolve(true) : pick(drag.link);
  }

  function putDown() {
    drag?.ghost?.remove();
    drag = null;
  }

  on("pointerup", async ({ clientX, clientY }) => {
    if (!drag?.ghost) return putDown();
    const { board, picked } = drag, under = document.elementFromPoint(clientX, clientY), square = under && under.closest(SQUARES);
    const place = square && board.contains(square) && placeOf(square);
    putDown();
    dragged = true; // the click that comes of it is none
    setTimeout(() => { dragged = false; });
    if (await picked && place) putOn(squareAt(all(BOARDS)[place.board], place));
  });

  on("pointercancel", putDown);
  on("keydown", ({ key }) => { if (key === "Escape") putDown(); });

  // The one thing that can be done there is done; of several, as what a pawn becomes, one is chosen.
  function putOn(square) {
    const ways = all("button", square);
    if (ways.length === 1) ways[0].click();
    else if (ways.length) goTo(square);
  }

  // == Forms on their way =====================================================
  // A courtesy: the site counts a form once, however often it comes.

  const ON_ITS_WAY = 5000; // milliseconds after which a form that leads nowhere may be sent again
  let sent = null;

  on("submit", (event) => {
    if (event.defaultPrevented) return;
    if (sent?.form === event.target) return event.preventDefault();
    cameBack();
    sent = { form: event.target, timer: setTimeout(cameBack, ON_ITS_WAY) };
    const { submitter } = event;
    // Not before the form is read, and never disabled: what is disabled is not sent.
    setTimeout(() => {
      if (!sent) return;
      if (submitter) submitter.setAttribute("aria-busy", "true");
      all("button:not([aria-disabled])", sent.form).forEach((each) => {
        each.dataset.sent = "";
        each.setAttribute("aria-disabled", "true");
      });
    });
  });

  function cameBack() {
    if (sent) clearTimeout(sent.timer);
    sent = null;
    all("[aria-busy]").forEach((each) => each.removeAttribute("aria-busy"));
    all("[data-sent]").forEach((each) => {
      delete each.dataset.sent;
      each.removeAttribute("aria-disabled");
    });
  }

  // == Links to send ==========================================================

  function offerCopying(field) {
    const row = document.createElement("p");
    row.className = "acts";
    row.append(...["copy", "share"].filter((what) => what === "copy" || navigator.share).map((what) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "btn sec", textContent: field.dataset[what] });
      button.dataset.link = what;
      return button;
    }));
    (field.closest(".field") || field).after(row);
  }

  const linkOf = (button) => one("[data-copy]", button.parentNode.parentNode);

  on("click", ({ target }) => {
    const button = target.closest("button[data-link]"), field = button && linkOf(button);
    if (!field) return;
    if (button.dataset.link === "share") return navigator.share({ title: document.title, url: field.value }).catch(() => {});
    copy(field).then(() => {
      button.textContent = field.dataset.copied;
      say([field.dataset.copied]);
    }, () => field.select());
  });

  async function copy(field) {
    if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
    field.select(); // a page without https
    if (!document.execCommand("copy")) throw new Error("not copied");
  }

  on("focusin", ({ target }) => { if (target.matches("[data-copy]")) target.select(); });

  // == News ===================================================================

  // Milliseconds between questions: at best, where nobody looks, and when nobody answers.
  const SOON = 900, UNSEEN = 5000, LATER = 30000;
  let pause = SOON, timer = 0, failures = 0;

  const mark = () => one("#live"); // what the page says of itself

  async function ask(anyway) {
    const here = mark(), away = document.hidden;
    if (!here?.dataset.url || sent || (away && !one("[data-listening]"))) return;
    let version;
    try {
      version = await fetched(here.dataset.url + (away ? "?away=yes" : ""));
    } catch ({ message }) {
      return /^4(04|10)$/.test(message) ? gone() : unanswered();
    }
    answered();
    try {
      if (version !== here.dataset.version) await show(here.dataset.page, version, anyway);
    } catch { /* once more, next time */ }
  }

  async function show(page, version, anyway) {
    const address = new URL(page, location.href);
    if (document.hidden) address.searchParams.set("away", "yes"); // nobody sees it: they are not here
    const fresh = parsed(await fetched(address.href));
    if (sent || !one("main", fresh)) return;
    tellNews(fresh);
    if (anyway) all("form").forEach((each) => each.reset());
    if (begun()) pointTo(page, version);
    else makeAnew(fresh);
  }

  // Has somebody begun to fill in a form?  It is never touched then.
  function begun() {
    return all("main :is(input, textarea, select)").some((each) => {
      if (each.tagName === "SELECT") return each.selectedIndex !== Math.max(0, [...each.options].findIndex((option) => option.defaultSelected));
      if (each.type === "checkbox" || each.type === "radio") return each.checked !== each.defaultChecked;
      return each.type !== "hidden" && each.value !== each.defaultValue;
    });
  }

  // What somebody is typing stays; a line above it says that the page is old.
  function pointTo(page, version) {
    const { dataset } = mark(), link = document.createElement("a");
    dataset.version = version;
    link.href = page;
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
    dataset.url = dataset.here = "";
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
    pause = SOON;
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
    timer = setTimeout(async () => { await ask(); again(); }, document.hidden ? Math.max(pause, UNSEEN) : pause);
  }

  async function askNow(anyway) {
    clearTimeout(timer);
    await ask(anyway === true);
    again();
  }

  // == What is said of them ===================================================
  // One place for those who listen; what is put there is said, also while they type.

  const MOST = 140; // characters

  function say(parts) {
    const region = one("#said");
    while (parts.length > 2 && parts.join(" ").length > MOST) parts.shift();
    const over = parts.join(" ").length - MOST;
    if (over > 0) parts[0] = `${parts[0].slice(0, -over - 1).replace(/\s+\S*$/, "")}…`; // whose turn it is comes last
    if (region && parts.length) region.textContent = parts.join(" ").slice(0, MOST);
  }

  // What a page tells: its log, whose turn it is, how the players stand.
  function toldBy(page) {
    const strip = (each) => {
      const copied = each.cloneNode(true);
      all("a.dim, time", copied).forEach((part) => part.remove());
      return words(copied);
    };
    const turn = one("#turn", page), part = (selector) => turn && one(selector, turn) ? strip(one(selector, turn)) : "";
    return {
      lines: all(".log > [data-move]", page).map((each) => [Number(each.dataset.move), strip(each)]).reverse(),
      number: Math.max(0, ...all(".log > [data-move]", page).map((each) => Number(each.dataset.move))),
      mine: Boolean(turn && turn.matches(".mine")),
      whose: part("strong"),
      what: part("span"),
      seats: all(".seats > li", page).map(strip),
    };
  }

  let heard = attempt(toldBy, document);

  function tellNews(page) {
    const before = heard, now = heard = toldBy(page);
    const lines = now.lines.filter(([number]) => number > before.number).map(([, line]) => line);
    const turned = now.whose !== before.whose;
    if (now.mine && !before.mine) document.dispatchEvent(new Event("turn"));
    const turn = turned && now.mine ? [now.whose] : [turned && now.whose, (turned || now.what !== before.what) && now.what];
    const news = [...lines, turn.filter(Boolean).join(" ")].filter(Boolean);
    say(news.length ? news : now.seats.filter((each) => !before.seats.includes(each)));
  }

  // == A page made anew =======================================================

  // Without what is for those who have no scripts: here it would come to life.
  function parsed(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    all("noscript", page).forEach((each) => each.remove());
    return page;
  }

  // Boards and links get what scripts add; `place` is where somebody was.
  function furnish(page, place) {
    all(BOARDS, page).forEach((board, i) => attempt(makeRoving, board, place && place.board === i ? place : null));
    all("[data-copy]", page).forEach((field) => attempt(offerCopying, field));
  }

  function makeAnew(fresh) {
    const focus = document.activeElement, place = placeOf(focus);
    furnish(fresh, place || remembered());
    document.title = fresh.title;
    one("link[rel=icon]").href = one("link[rel=icon]", fresh).getAttribute("href");
    keepingThePlace(() => ["header", "main"].forEach((part) => become(one(part), one(part, fresh))));
    attempt(badge);
    attempt(wind);
    if (focus.tagName === "BODY" || (focus.isConnected && !place)) return;
    const board = place && all(BOARDS)[place.board], quietly = { preventScroll: true };
    const same = (each) => each.tagName === focus.tagName && ["id", "href", "value"].every((name) => each.getAttribute(name) === focus.getAttribute(name));
    const again = board ? null : all(focus.tagName).find(same);
    if (board) goTo(squareAt(board, place), quietly);
    else if (again) again.focus(quietly);
  }

  // What is open, and how far anything is scrolled.
  function keepingThePlace(change) {
    const x = scrollX, y = scrollY, open = all("details").map((each) => each.open);
    const scrolled = all(".scroll").map((each) => [each.scrollLeft, each.scrollTop]);
    change();
    all("details").forEach((each, i) => { each.open = open[i] || each.open; });
    all(".scroll").forEach((each, i) => scrolled[i] && each.scrollTo(...scrolled[i]));
    scrollTo(x, y);
  }

  // An element becomes as on the fresh page; what is alike stays, with focus and what is typed.
  function become(old, fresh) {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    let here = old.firstChild;
    for (const each of [...fresh.childNodes]) {
      let match = here;
      while (match && !alike(match, each)) match = each.nodeType === Node.ELEMENT_NODE ? match.nextSibling : null;
      if (!match) {
        old.insertBefore(each, here);
        continue;
      }
      while (here !== match) here = removed(here);
      if (each.nodeType === Node.ELEMENT_NODE) become(match, each);
      else if (match.nodeValue !== each.nodeValue) match.nodeValue = each.nodeValue;
      here = match.nextSibling;
    }
    while (here) here = removed(here);
  }

  const alike = (a, b) => a.nodeName === b.nodeName && (a.id || "") === (b.id || "");

  function removed(node) {
    const next = node.nextSibling;
    node.remove();
    return next;
  }

  // == Time that runs out =====================================================
  // Counted by the site's clock: seen each second; for those who listen, or want nothing to move, each
  // minute; said aloud where little is left of one's own.

  const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const ALOUD = [10, 30, 60, 300]; // seconds
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
    if (little || !words(heard) || Math.ceil(left / 60) !== Math.ceil(last / 60)) heard.textContent = now;
    seen.textContent = matchMedia("(prefers-reduced-motion: reduce)").matches ? words(heard) : now;
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

  // Whoever is late may see that soon.
  function lookAfter(deadline) {
    if (looked.has(deadline)) return;
    looked.add(deadline);
    setTimeout(() => {
      if (!begun()) show(mark().dataset.page, mark().dataset.version).catch(() => {});
    }, AFTER);
  }

  // == Here ===================================================================
  // Whoever has the table before them needs no letter; the app's icon says how many games wait.

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

  // == Beginning ==============================================================

  attempt(furnish, document, attempt(remembered));
  on("visibilitychange", () => { if (!document.hidden) askNow(); });
  on("online offline", askNow, window);
  on("pageshow", ({ persisted }) => {
    const used = sent;
    cameBack();
    if (persisted) askNow(Boolean(used));
  }, window);
  if (mark()) again();
  [wind, badge, hereIAm].forEach((each) => attempt(each));
  setInterval(() => attempt(hereIAm), HERE);
})();
