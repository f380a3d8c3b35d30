/* A soft tone when the turn comes to somebody who looks elsewhere: on the pages of those who want it. */
(() => {
  "use strict";
  if (!window.AudioContext) return;

  const LASTS = 0.35; // seconds
  let audio = null;

  // Browsers want a page touched first.  Also an earlier one of the site will do, so that who moves and goes
  // away hears of the next move.  That somebody listens is said to the script that asks for news.
  function listen() {
    sessionStorage.touched = 1;
    if (!audio) {
      audio = new AudioContext();
      audio.onstatechange = () =>
        document.documentElement.toggleAttribute("data-listening", audio.state === "running");
    }
    audio.resume();
  }

  function sound() {
    const now = audio.currentTime, voice = audio.createOscillator(), volume = audio.createGain();
    voice.frequency.value = 523.25;
    volume.gain.setValueAtTime(0, now);
    volume.gain.linearRampToValueAtTime(0.15, now + 0.03);
    volume.gain.linearRampToValueAtTime(0, now + LASTS);
    voice.connect(volume).connect(audio.destination);
    voice.start(now);
    voice.stop(now + LASTS);
  }

  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, listen);
  document.addEventListener("turn", () => {
    if (audio?.state === "running" && (document.hidden || !document.hasFocus())) sound();
  });
  if (sessionStorage.touched) listen();
})();
