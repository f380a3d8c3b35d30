// == One stream among tabs ==
// Where there are no shared workers: the tab that was looked at last reads the stream for all.

const BEATS = 10000, GONE = 25000; // milliseconds

async function amongTabs(worker, address) {
  await import(worker); // for openLine
  const me = `${Math.random()}`, others = new Map(), channel = window.BroadcastChannel && new BroadcastChannel("stream");
  const line = openLine(address, (news) => { hear(news); if (leads) post({ news }); });
  const post = (what) => channel?.postMessage({ from: me, ...what });
  const catchUp = (tables) => line.catchUp(tables, (news) => post({ news }));
  let mine = [], leads = false, heard = 0;

  function hear(news) {
    if (!news.table || mine.includes(news.table)) attempt(told, news);
  }

  function lead() {
    if (!leads) post({ leads: true });
    leads = true;
    follow();
  }

  function follow() {
    for (const [tab, { seen }] of others) if (Date.now() - seen > BEATS * 10) others.delete(tab);
    line.watch(leads ? [mine, ...[...others.values()].map(({ tables }) => tables)].flat() : []);
  }

  function watch(tables) {
    mine = tables;
    post({ tables });
    if (tables.length && !document.hidden) lead();
    else follow();
  }

  if (channel) channel.onmessage = ({ data: { from, leads: another, tables, news } }) => {
    heard = Date.now();
    if (tables) others.set(from, { tables, seen: heard });
    if (another) {
      leads = false;
      post({ tables: mine });
    }
    if (another || tables) follow();
    if (leads && tables) catchUp(tables);
    else if (news && !leads) hear(news);
  };

  setInterval(() => {
    if (leads) catchUp([]);
    else post({ tables: mine });
    if (!leads && mine.length && Date.now() - heard > GONE) setTimeout(lead, 1000 * Math.random());
  }, BEATS);

  return { watch, renew: () => (leads ? line.renew() : null) };
}
