/* The time zone of this browser, for people whose time zone the site does not know. */
(() => {
  "use strict";
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const options = [...document.getElementById("zone").options];
  if (!options.some(({ value }) => value === timeZone)) return;
  for (const field of document.querySelectorAll("[name=zone]")) field.value ||= timeZone;
})();

/* Notices in this browser: asks it for a place to send them to, and gives that up again. */
(() => {
  "use strict";
  if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return;

  const LONGEST = 2000; // milliseconds that a page waits before it is left, since then it can end nothing

  async function end() {
    const found = await navigator.serviceWorker.getRegistration();
    const place = found && await found.pushManager.getSubscription();
    if (place) await place.unsubscribe();
  }

  const away = document.querySelector("form[data-this-browser]");
  if (away) away.addEventListener("submit", (event) => {
    if (event.submitter?.formAction.endsWith("/test")) return;
    event.preventDefault();
    const go = () => away.submit();
    Promise.race([end(), new Promise((late) => setTimeout(late, LONGEST))]).then(go, go);
  });

  const form = document.querySelector("form[data-worker]");
  if (!form) return;
  const said = form.querySelector("[role=alert]");
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

  async function key() {
    const answer = await fetch(form.dataset.key, { method: "POST", cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    return bytes(await answer.text());
  }

  async function place() {
    await navigator.serviceWorker.register(form.dataset.worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: await key() };
    try {
      return await pushManager.subscribe(options);
    } catch {
      await end(); // of another key
      return pushManager.subscribe(options);
    }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        said.textContent = form.dataset.denied;
        return;
      }
      const { endpoint, keys } = (await place()).toJSON();
      for (const [name, value] of Object.entries({ endpoint, ...keys }))
        if (form.elements[name]) form.elements[name].value = value;
      form.submit();
    } catch {
      said.textContent = form.dataset.failed;
    }
  });

  form.hidden = false;
})();
