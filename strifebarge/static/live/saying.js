// == What is said of them ==
// One live region for screen readers; what is put there is said, also while they type.

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
    all("a.dim, time, .presence", copied).forEach((part) => part.remove());
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
  document.dispatchEvent(new CustomEvent("told", { detail: page }));
  if (now.mine && !before.mine) document.dispatchEvent(new Event("turn"));
  const turn = turned && now.mine ? [now.whose] : [turned && now.whose, (turned || now.what !== before.what) && now.what];
  const news = [...lines, turn.filter(Boolean).join(" ")].filter(Boolean);
  const said = news.length ? news : now.seats.filter((each) => !before.seats.includes(each));
  queueMicrotask(() => attempt(say, said)); // when the page has become another: one layout for both
}
