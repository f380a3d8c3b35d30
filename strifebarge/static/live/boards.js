// == Boards by keyboard ==
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
