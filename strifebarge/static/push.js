/* Notices in this browser: asks it for a place to send them to. */
(() => {
  "use strict";
  if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return;

  // A page that is left asks its browser nothing more: so it waits, but not for long.
  async function end() {
    const found = await navigator.serviceWorker.getRegistration();
    await (await found.pushManager.getSubscription()).unsubscribe();
  }

  for (const away of document.querySelectorAll("form[data-this-browser]"))
    away.addEventListener("submit", async (event) => {
      if (event.submitter && event.submitter.formAction.endsWith("/test")) return;
      event.preventDefault();
      await Promise.race([end().catch(() => {}), new Promise((late) => setTimeout(late, 2000))]);
      away.submit();
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
    } catch (wrong) {
      const old = await pushManager.getSubscription(); // made for another key of this site
      if (!old) throw wrong;
      await old.unsubscribe();
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
