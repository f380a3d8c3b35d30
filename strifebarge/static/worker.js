/* Shows a notice when one is pushed, and leads to its table when it is pressed.  It keeps nothing, and
   no page of the site passes through it. */
"use strict";

self.addEventListener("push", (event) => {
  let told = {};
  try { told = event.data.json() || told; } catch { /* browsers want something shown all the same */ }
  const shown = { body: told.body || "", tag: told.tag || "", data: { link: told.link || "./games" } };
  event.waitUntil(self.registration.showNotification(told.title || "StrifeBarge", shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = new URL(event.notification.data.link, self.registration.scope);
  if (link.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find((page) => new URL(page.url).pathname === link.pathname);
    return open ? open.focus() : self.clients.openWindow(link.href);
  })());
});
