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
    if (!mark || document.hidden || begun) return;
    try {
      const answer = await fetch(mark.dataset.url, { cache: "no-store", signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error(answer.status);
      pause = SOON;
      if ((await answer.text()) !== mark.dataset.version) await show(mark.dataset.page);
    } catch {
      pause = Math.min(LATER, pause * 2 * (0.8 + 0.4 * Math.random()));
    }
  }

  async function show(page) {
    const answer = await fetch(page, { cache: "no-store", signal: AbortSignal.timeout(10000) });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = fresh.querySelector("main");
    if (!answer.ok || !main || begun) return;
    const focus = document.activeElement && document.activeElement.id;
    document.querySelector("main").replaceChildren(...main.childNodes);
    document.querySelector("header").replaceChildren(...fresh.querySelector("header").childNodes);
    document.title = fresh.title;
    const icon = fresh.querySelector("link[rel=icon]");
    if (icon) document.querySelector("link[rel=icon]").href = icon.getAttribute("href");
    if (focus && document.getElementById(focus)) document.getElementById(focus).focus();
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
