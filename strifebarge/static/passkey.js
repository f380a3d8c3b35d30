/* Passkeys: asks the browser for a key, and sends what it says as an ordinary form. */
(() => {
  "use strict";
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");

  function plain(options) {
    options.challenge = bytes(options.challenge);
    if (options.user) options.user.id = bytes(options.user.id);
    for (const list of [options.excludeCredentials, options.allowCredentials])
      for (const each of list || []) each.id = bytes(each.id);
    return options;
  }

  function told(key) {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
      if (key.response[name]) response[name] = text(key.response[name]);
    return JSON.stringify({ id: key.id, rawId: text(key.rawId), type: key.type, response });
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const said = form.querySelector("[role=alert]");
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      said.textContent = "";
      const publicKey = plain(JSON.parse(form.dataset.passkey));
      try {
        const key = publicKey.user
          ? await navigator.credentials.create({ publicKey })
          : await navigator.credentials.get({ publicKey });
        form.querySelector("[data-credential]").value = told(key);
        form.submit();
      } catch (no) {
        said.textContent = form.dataset[no.name === "InvalidStateError" ? "there" : "failed"];
      }
    });
  }
})();
