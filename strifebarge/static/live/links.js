// == Links to send ==
function offerCopying(field) {
  const row = document.createElement("p");
  row.className = "acts";
  row.append(...["copy", "share"].filter((what) => what === "copy" || navigator.share).map((what) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "btn sec", textContent: field.dataset[what] });
    button.dataset.link = what;
    return button;
  }));
  (field.closest(".field") || field).after(row);
}

const linkOf = (button) => one("[data-copy]", button.parentNode.parentNode);

on("click", ({ target }) => {
  const button = target.closest("button[data-link]"), field = button && linkOf(button);
  if (!field) return;
  if (button.dataset.link === "share") return navigator.share({ title: document.title, url: field.value }).catch(() => {});
  copy(field).then(() => {
    button.textContent = field.dataset.copied;
    say([field.dataset.copied]);
  }, () => field.select());
});

async function copy(field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  field.select(); // a page without https
  if (!document.execCommand("copy")) throw new Error("not copied");
}

on("focusin", ({ target }) => { if (target.matches("[data-copy]")) target.select(); });
