// == Beginning ==
attempt(furnish, document, attempt(remembered));
on("visibilitychange", () => { if (!document.hidden) askNow(); });
on("online offline", askNow, window);
on("pageshow", ({ persisted }) => {
  const used = sent;
  left = false;
  cameBack();
  if (persisted) askNow(Boolean(used));
}, window);
openStream().catch(console.error);
nameButtons();
if (mark()) again();
[wind, badge, forgetful, hereIAm].forEach((each) => attempt(each));
setInterval(() => attempt(hereIAm), HERE);
