// == Fields ==
// What somebody has begun to fill in stays theirs, whatever the page around it becomes.

const FIELDS = "main :is(input:not([type=hidden]), textarea, select)";
const isBox = ({ type }) => type === "checkbox" || type === "radio";

// Has somebody begun to fill it in?  Also what a refused form has come back with.
function begun(field) {
  if (field.tagName === "SELECT") return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== ("typed" in field.dataset ? "" : field.defaultValue);
}

// What a form is for: also for which question, and at a shared device for which seat.
function purpose(form) {
  const value = (name) => one(`input[type=hidden][name=${name}]`, form)?.value || "";
  return [form.getAttribute("action"), value("asked"), value("do"), value("key").replace(/^[^.]*/, "")].join(" ");
}

// The same field in another page's main.
function sameField(field, main) {
  const same = (each) => each.id === field.id && each.name === field.name && each.type === field.type
    && (!isBox(field) || each.value === field.value)
    && (field.form && each.form ? purpose(field.form) === purpose(each.form) : !field.form && !each.form);
  return all(field.tagName, main).find(same);
}

// What is to be kept when main becomes a fresh one: what is begun, but for a form that was sent, and the focus.
function keepFields(main, sentForm) {
  const focused = document.activeElement;
  return all(FIELDS).filter((each) => each === focused || begun(each)).map((field) => ({
    field,
    fresh: sameField(field, main),
    filled: begun(field) && field.form !== sentForm,
    focused: field === focused,
    as: [field.value, field.checked, field.selectedIndex],
    selected: attempt(() => [field.selectionStart, field.selectionEnd, field.selectionDirection || "none"]),
  }));
}

// Would something be lost that somebody has begun?
const wouldBeLost = (main) => all(FIELDS).some((each) => begun(each) && !sameField(each, main));

function restoreFields(kept) {
  const there = kept.filter(({ fresh }) => fresh).map((each) => ({ ...each, now: each.field.isConnected ? each.field : each.fresh }));
  const filled = there.filter((each) => each.filled);
  all("main form").forEach((form) => filled.some(({ now }) => now.form === form) || form.reset());
  for (const { now, as: [value, checked, index] } of filled) {
    if (isBox(now)) now.checked = checked;
    else if (now.tagName === "SELECT") now.selectedIndex = index;
    else if (now.value !== value) now.value = value;
  }
  for (const { now, filled: stays, selected } of there.filter((each) => each.focused && each.now !== document.activeElement)) {
    now.focus({ preventScroll: true });
    if (stays && selected[0] !== null) now.setSelectionRange(...selected);
  }
}
