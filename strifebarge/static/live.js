/* Makes a waiting page live: asks whether anything has happened, and if so shows
   the page anew. It does nothing that reloading the page would not do, and stops
   for good at nothing: without it, or if it fails, the links and forms remain. */
"use strict";
(() => {
  const SOON = 900, LATER = 30000; // milliseconds between questions: at best, and when nobody answers
  let pause = SOON, timer = 0, begun = false;

  const live = () => document.getElementById("live");
  // A form somebody has begun is never touched.
  document.addEventListener("input", () => { begun = true; });
  document.addEventListener("submit", (event) => {
    begun = true;
    // A courtesy only: the server counts a form once, however often it comes.
    setTimeout(() => event.submitter && event.submitter.setAttribute("aria-busy", "true"), 0);
  });

  async function ask() {
    const mark = live();
    if (!mark || document.hidden) return;
    try {
      const answer = await fetch(mark.dataset.url, { cache: "no-store", signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error(answer.status);
      pause = SOON;
      const version = await answer.text();
      if (version !== mark.dataset.version) await show(mark.dataset.page, version);
    } catch {
      pause = Math.min(LATER, pause * 2 * (0.8 + 0.4 * Math.random()));
    }
  }

  async function show(page, version) {
    const answer = await fetch(page, { cache: "no-store", signal: AbortSignal.timeout(10000) });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = fresh.querySelector("main");
    if (!answer.ok || !main) return;
    document.title = fresh.title;
    const icon = fresh.querySelector("link[rel=icon]");
    if (icon) document.querySelector("link[rel=icon]").href = icon.getAttribute("href");
    keepingThePlace(() => {
      document.querySelector("header").replaceChildren(...fresh.querySelector("header").childNodes);
      if (begun) tell(page, version);
      else document.querySelector("main").replaceChildren(...main.childNodes);
    });
  }

  // What somebody is typing stays; a line above it says that the page is old.
  function tell(page, version) {
    const mark = live(), link = document.createElement("a");
    link.href = page;
    link.textContent = mark.dataset.show;
    mark.dataset.version = version;
    mark.replaceChildren(mark.dataset.told + " ", link);
  }

  // The reader's place: what has the focus, what is open, how far anything is scrolled.
  function keepingThePlace(change) {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const same = (a, b) => a.tagName === b.tagName && ["id", "href", "value"].every((name) => a.getAttribute(name) === b.getAttribute(name));
    const focus = document.activeElement, x = scrollX, y = scrollY;
    const open = all("details").map((each) => each.open);
    const scrolled = all(".scroll").map((each) => [each.scrollLeft, each.scrollTop]);
    change();
    all("details").forEach((each, i) => { each.open = open[i] || each.open; });
    all(".scroll").forEach((each, i) => scrolled[i] && each.scrollTo(...scrolled[i]));
    const again = focus.tagName !== "BODY" && !focus.isConnected && all(focus.tagName).find((each) => same(each, focus));
    if (again) again.focus({ preventScroll: true });
    scrollTo(x, y);
  }

  function again() {
    clearTimeout(timer);
    timer = setTimeout(async () => { await ask(); again(); }, pause);
  }
  const now = () => { pause = SOON; ask(); again(); };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) now(); });
  window.addEventListener("online", now);
  window.addEventListener("pageshow", (event) => { if (event.persisted) { begun = false; now(); } });
  if (live()) again();
})();
