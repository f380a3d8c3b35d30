// == Helpers ==
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

// Of a key or a press: nothing else is held with it.
const isPlain = (event) => !(event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);

// What an address answers, whole; an error if that takes more than `patience` milliseconds.
async function fetched(url, { patience = 10000, ...how } = {}) {
  const late = new Promise((_, fail) => setTimeout(fail, patience, new Error("late")));
  late.catch(() => {});
  const signal = AbortSignal.timeout && AbortSignal.timeout(patience); // which older browsers lack
  const answer = await Promise.race([fetch(url, { cache: "no-store", signal, ...how }), late]);
  const text = await Promise.race([answer.text(), late]);
  return { status: answer.status, text, header: (name) => answer.headers.get(name) || "" };
}

const passed = (time) => new Promise((done) => setTimeout(done, time)); // in milliseconds
