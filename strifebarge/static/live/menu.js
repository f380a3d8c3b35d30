// == Small things of a page ==

// A button says the name that is typed above it: "Join as Golf".
function sayName(field) {
  const button = one("button:not([name])", field.form), { dataset } = button, name = field.value.trim();
  dataset.plain ||= words(button);
  button.textContent = name ? field.dataset.as.replace("{name}", () => name) : dataset.plain;
}

const nameButtons = () => all("[data-as]").forEach((field) => attempt(sayName, field));

on("input", ({ target }) => { if (target.dataset.as) sayName(target); });

// The menu closes when somebody presses beside it.
on("click", ({ target }) => {
  const menu = one(".prefs[open]");
  if (menu && !menu.contains(target)) menu.open = false;
});

// Escape closes the menu, or what has opened over a board; a dialog over these closes by itself. Otherwise it ends
// a drag, or puts back what was picked up.
on("keydown", ({ key }) => {
  if (key !== "Escape" || one("dialog[open]")) return;
  const opened = one(".prefs[open], #board details[name][open]");
  if (!opened) return drag ? putDown() : putBack();
  opened.open = false;
  one("summary", opened).focus();
});
