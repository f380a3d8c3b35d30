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

// The menu closes with Escape, and so does what has opened over a board; a dialog over these closes by itself.
on("keydown", ({ key }) => {
  const opened = key === "Escape" && !one("dialog[open]") && one(".prefs[open], #board details[name][open]");
  if (!opened) return;
  opened.open = false;
  one("summary", opened).focus();
});
