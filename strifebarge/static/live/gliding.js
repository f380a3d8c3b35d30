// == Pieces that move ==
// A piece that bears a name glides from where it was, and one that was nowhere fades in.  Nothing waits for it: the
// page is the new one at once.  A view transition of the whole page would lose clicks while it runs.

const GLIDING = { duration: 200, easing: "ease-out" }; // milliseconds
const TURNED = 12; // pieces: where more of them change places the board was turned, or is another
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pieces = () => all("main [data-piece]").map((each) => [each, each.dataset.piece, each.getBoundingClientRect()]);
const placesOfPieces = () => document.hidden || isCalm() ? null : new Map(pieces().map(([, name, box]) => [name, box]));
const isAnimated = (each) => each.getAnimations({ subtree: true }).length > 0; // by the game's own style

function glide(before) {
  const now = before ? pieces().filter(([, , { width }]) => width).map(([piece, name, is]) => [piece, before.get(name), is]) : [];
  const moved = now.filter(([, was, is]) => was?.width && Math.hypot(is.x - was.x, is.y - was.y) > 1);
  const come = now.filter(([piece, was]) => !was && !isAnimated(piece));
  if (moved.length <= TURNED) for (const [piece, was, is] of moved) {
    const from = `translate(${was.x - is.x}px, ${was.y - is.y}px) scale(${was.width / is.width}, ${was.height / is.height})`;
    piece.animate({ transform: [from, "none"], transformOrigin: ["0 0", "0 0"], zIndex: [3, 3] }, GLIDING);
  }
  if (come.length <= TURNED) come.forEach(([piece]) => piece.animate({ opacity: [0, 1], scale: [0.7, 1] }, GLIDING));
}
