/* A place to send notices to, in this browser. */
(() => {
  "use strict";
  if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return;

  // A page that is left cannot end it: it waits, not long.
  async function end() {
    const found = await navigator.serviceWorker.getRegistration();
    await (await found.pushManager.getSubscription()).unsubscribe();
  }

  const away = document.querySelector("form[data-this-browser]");
  if (away) away.addEventListener("submit", (event) => {
    if (event.submitter?.formAction.endsWith("/test")) return;
    event.preventDefault();
    const go = () => away.submit();
    end().then(go, go);
    setTimeout(go, 2000);
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
