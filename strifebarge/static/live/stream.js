// == The stream ==
// It says that a table has changed, and never what: the page then asks for itself as always.

const STAYS = 20000; // milliseconds for which a page that nobody looks at keeps it
const ALIVE = 45000; // milliseconds between two signs that this page is there
const AT_ONCE = 800, CROWD = 300; // milliseconds over which many pages spread what they ask
let stream = null, streaming = false, word = "", settled = "", unseen = 0;

async function openStream() {
  const { stream: where, worker } = mark()?.dataset || {};
  if (!where || !window.TextDecoder || !window.AbortController) return;
  const address = new URL(where, location.href), tables = address.searchParams.getAll("at");
  address.search = "";
  stream = shared(worker, address.href) || await amongTabs(worker, address.href);
  const seen = () => {
    clearTimeout(unseen);
    if (!document.hidden) stream.watch(tables);
    else unseen = setTimeout(() => stream.watch([]), STAYS);
  };
  seen();
  on("visibilitychange", seen);
  on("pagehide", () => stream.watch([]), window);
  on("pageshow", seen, window);
  on("online", () => stream.renew(), window);
}

function told({ up, event, version }) {
  if (up !== undefined) {
    const lost = streaming && !up;
    streaming = up;
    if (lost) setTimeout(askNow, AT_ONCE * Math.random());
    else again();
  } else if (event === "version") {
    word = version;
    checkWord();
  } else if (event === "gone") askNow();
}

// Has the table changed since the page was asked for?
function checkWord() {
  const here = mark();
  if (word === here?.dataset.version) settled = word;
  if (!here?.dataset.page || word === settled || sent || showing || (document.hidden && !one("[data-listening]"))) return;
  setTimeout(() => show().then(answered, () => { unanswered(); again(); }), here.dataset.here ? 0 : CROWD * Math.random());
}

function shared(worker, address) {
  if (!window.SharedWorker) return null;
  const { port } = new SharedWorker(worker);
  let tables = [];
  const tell = (renew = false) => port.postMessage({ address, tables, renew });
  port.onmessage = ({ data }) => attempt(told, data);
  setInterval(() => { if (tables.length) tell(); }, ALIVE);
  return { watch: (wanted) => { tables = wanted; tell(); }, renew: () => tell(true) };
}
