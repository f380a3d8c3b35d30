// == Small things of a page ==

// A button says the name that is typed above it: "Join as Golf".
function sayName(field) {
  const button = one("button:not([name])", field.form), { dataset } = button, name = field.value.trim();
  dataset.plain ||= words(button);
  button.textContent = name ? field.dataset.as.replace("{name}", () => name) : dataset.plain;
}

const nameButtons = () => all("[data-as]").forEach((field) => attempt(sayName, field));

on("input", ({ target }) => { if (target.dataset.as) sayName(target); });

// The menu closes when somebody presses beside it, and with Escape.
on("click keydown", ({ target, key }) => {
  const menu = one(".prefs[open]");
  if (!menu || (key ? key !== "Escape" : menu.contains(target))) return;
  menu.open = false;
  if (key) one("summary", menu).focus();
});
