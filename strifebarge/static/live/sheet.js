// == A sheet over the page ==
// "How to play" opens over the table; where that fails its link leads to a page, as without a script.

on("click", (event) => {
  const link = event.target.closest("a[data-sheet]");
  if (!link || !isPlain(event) || !window.HTMLDialogElement) return;
  event.preventDefault();
  openSheet(link.href).catch(() => location.assign(link.href));
});

async function openSheet(address) {
  const answer = await fetched(address, { headers: PIECE });
  if (answer.status !== 200) throw new Error("no sheet");
  const sheet = document.createElement("dialog");
  sheet.className = "sheet";
  sheet.setAttribute("closedby", "any"); // a press beside it too, where browsers can
  sheet.setAttribute("aria-labelledby", "sheet");
  sheet.append(...pieceOf(answer).main.childNodes);
  const term = address.split("#")[1], head = Object.assign(one("h1", sheet), { id: "sheet" });
  Object.assign((term && one(`[id="${decodeURIComponent(term)}"]`, sheet)) || head, { tabIndex: -1, autofocus: true });
  on("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    sheet.close();
  }, sheet);
  on("close", () => sheet.remove(), sheet);
  document.body.append(sheet);
  sheet.showModal();
}
