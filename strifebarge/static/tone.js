/* Soft tones for players who chose them: of what the log tells, of the end, of a turn that comes while they look elsewhere. */
(() => {
  "use strict";
  if (!window.AudioContext) return;

  const LASTS = 0.35, APART = 0.11, NEXT = 0.4; // seconds: a note, between notes, between cues
  const TURN = [523]; // hertz
  const TONES = {
    hit: [196, 147], sunk: [165, 123, 92], capture: [294, 220], trick: [392, 494], chapter: [262, 330, 392],
    won: [392, 494, 587, 784], over: [392, 330],
  };
  const numberOf = ({ dataset }) => Number(dataset.move), has = (page, what) => page.querySelector(`.stage${what}`);
  const lines = (page) => [...page.querySelectorAll(".log > [data-move]")];
  const newestOf = (page) => has(page, "") ? Math.max(0, ...lines(page).map(numberOf)) : Infinity;
  const endOf = (page) => has(page, ".won") ? "won" : has(page, ".over") && "over";
  let audio = null, newest = newestOf(document), ended = endOf(document);

  // Browsers want a page touched first; an earlier one will do. The script that asks for news is told that somebody listens.
  function listen() {
    sessionStorage.touched = 1;
    if (!audio) {
      audio = new AudioContext();
      audio.onstatechange = () => document.documentElement.toggleAttribute("data-listening", audio.state === "running");
    }
    audio.resume();
  }

  function sound(notes, loud, after = 0) {
    if (audio?.state === "running") notes.forEach((note, nth) => {
      const at = audio.currentTime + after + nth * APART, voice = audio.createOscillator(), volume = audio.createGain(), { gain } = volume;
      voice.frequency.value = note;
      gain.setValueAtTime(0, at);
      gain.linearRampToValueAtTime(loud, at + 0.03);
      gain.linearRampToValueAtTime(0, at + LASTS);
      voice.connect(volume).connect(audio.destination);
      voice.start(at);
      voice.stop(at + LASTS);
    });
  }

  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, listen);
  document.addEventListener("turn", () => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!calm && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
    if (document.hidden || !document.hasFocus()) sound(TURN, 0.15);
  });
  // What the page says now, before it is shown; of its log the newest line comes first.
  document.addEventListener("told", ({ detail: page }) => {
    const fresh = lines(page).filter((each) => numberOf(each) > newest).reverse(), end = endOf(page);
    const cues = [...new Set(fresh.map(({ dataset }) => dataset.cue))].filter(Boolean).slice(-3);
    if (!document.hidden) (end && !ended ? [end] : cues).forEach((cue, nth) => sound(TONES[cue], 0.07, nth * NEXT));
    newest = newestOf(page);
    ended = end;
  });
  if (sessionStorage.touched) listen();
})();
