// == Pieces picked up and dragged ==
// Links made with pick() are followed without leaving the page, and on boards of squares may be dragged to buttons.

const NEAR = 6; // pixels within which a press is no drag
let drag = null, dragged = false;

const picking = (target) => {
  const link = target.closest("#board a[href*='pick=']");
  return link && pickOf(link) !== null ? link : null;
};

const pickOf = ({ href }) => new URL(href).searchParams.get("pick");
const draggable = (target) => target.closest("[data-grid]") && picking(target);
const pickLink = (what) => all("#board a[href*='pick=']").find((each) => pickOf(each) === what);
let lastPick = ""; // what was picked last

// Focus the link that puts back what was picked up, or else that by which it was.
function focusPick(link) {
  lastPick = pickOf(link) || lastPick;
  (pickLink("") || pickLink(lastPick))?.focus();
}

async function pick(link) {
  try {
    const place = draggable(link) && placeOf(link), number = ++asked;
    const answer = await fetched(link.href, { patience: 3000, headers: PIECE });
    if (answer.status !== 200) throw new Error(answer.status);
    if (number < newest) return pick(link);
    const fresh = pieceOf(answer), old = one("#live", fresh.main).dataset.version !== mark().dataset.version;
    newest = ++asked;
    tag = "";
    if (old) tellNews(fresh.main);
    makeAnew(fresh, null, link);
    if (!place) return focusPick(link);
    const piece = stopOf(squareAt(all(BOARDS)[place.board], place));
    if (!old) say([piece.getAttribute("aria-label") || words(piece)]);
    return true;
  } catch {
    location.assign(link.href);
    return false;
  }
}

on("click", (event) => {
  const link = picking(event.target);
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  if (!dragged) pick(link);
});

on("dragstart", (event) => { if (draggable(event.target)) event.preventDefault(); });

on("pointerdown", (event) => {
  const link = event.isPrimary && event.button === 0 && draggable(event.target);
  putDown();
  if (link) drag = { link, x: event.clientX, y: event.clientY };
});

on("pointermove", ({ clientX, clientY }) => {
  if (!drag) return;
  if (!drag.ghost && Math.hypot(clientX - drag.x, clientY - drag.y) > NEAR) liftUp();
  if (drag.ghost) drag.ghost.style.translate = `${clientX - drag.x}px ${clientY - drag.y}px`;
});

function liftUp() {
  const box = drag.link.getBoundingClientRect(), held = !pickOf(drag.link);
  drag.ghost = document.createElement("div");
  drag.ghost.className = "dragged";
  drag.ghost.append(...[...drag.link.childNodes].map((each) => each.cloneNode(true)));
  all("[data-piece]", drag.ghost).forEach((each) => each.removeAttribute("data-piece")); // a name stands for one thing
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

const putBack = () => pickLink("")?.click();

// The one thing that can be done there is done; of several, as what a pawn becomes, one is chosen: a link leads to these.
async function putOn(square) {
  const further = one("a[data-drop]", square), place = placeOf(square);
  if (further && await pick(further)) return goTo(squareAt(all(BOARDS)[place.board], place));
  const ways = all("button", square);
  if (ways.length === 1) ways[0].click();
  else if (ways.length) goTo(square);
}
