// == One stream for all pages of a browser ==
// A shared worker: pages say which tables they show, again and again while they are there.  A page without shared
// workers imports this file for `openLine`.

const FORGOTTEN = 150000; // milliseconds after which a page that says nothing is gone
const ADDED = 20, DROPPED = 3000; // milliseconds: a page that is loaded again drops its tables and adds them
const pages = new Map();
let line = null, timer = 0;

function wanted() {
  for (const [port, { seen }] of pages) if (Date.now() - seen > FORGOTTEN) pages.delete(port);
  return [...pages.values()].flatMap(({ tables }) => tables);
}

function tell(news) {
  for (const [port, { tables }] of pages) if (!news.table || tables.includes(news.table)) port.postMessage(news);
}

self.openLine = openLine;
self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: { address, tables, renew } }) => {
    const before = pages.get(port)?.tables || [], added = tables.filter((each) => !before.includes(each));
    line ||= openLine(address, tell);
    pages.set(port, { tables, seen: Date.now() });
    clearTimeout(timer);
    timer = setTimeout(() => line.watch(wanted()), added.length ? ADDED : DROPPED);
    if (renew) line.renew();
    if (added.length) line.catchUp(added, (news) => port.postMessage(news));
  };
};
