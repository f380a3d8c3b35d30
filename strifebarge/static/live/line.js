// == One stream of the site ==
// Read by fetch and not by EventSource, which tells neither of signs of life nor of a refusal's status.
// `tell` is told {up} when the stream begins and when it is lost, and {event, ...} of what it says.

function openLine(address, tell) {
  const LOST = 1000, SOONEST = 500, LATEST = 30000, REFUSED = 300000; // milliseconds
  const SILENT = 2.5; // signs of life that may fail to come
  const spread = (time) => time * (0.5 + Math.random());
  let query = "", current = null, heard = 0, every = 15, failures = 0, timer = 0, down = 0, isUp = false;
  const latest = new Map(); // by table the word it was told of last

  function watch(tables) {
    const wanted = [...new Set(tables)].sort().map((each) => `at=${encodeURIComponent(each)}`).join("&");
    if (wanted === query) return;
    query = wanted;
    for (const table of latest.keys()) if (!tables.includes(table)) latest.delete(table);
    renew();
  }

  function renew() {
    clearTimeout(timer);
    failures = 0;
    current?.abort();
    current = null;
    if (query) listen();
    else up(false);
  }

  async function listen() {
    const mine = current = new AbortController();
    let wait;
    heard = Date.now();
    try {
      const answer = await fetch(`${address}?${query}`, { cache: "no-store", headers: { Accept: "text/event-stream" }, signal: mine.signal });
      wait = answer.ok && answer.body ? await read(answer.body, mine) : refused(answer);
    } catch { /* lost */ }
    if (current !== mine) return;
    mine.abort();
    current = null;
    failures += 1;
    down ||= setTimeout(up, LOST, false); // it may be back before anybody need know
    timer = setTimeout(listen, wait ?? spread(Math.min(LATEST, SOONEST * 2 ** failures)));
  }

  // Where it is not to be had for now, as with 503, it is asked for again as after a loss; else after long.
  const refused = ({ status }) => status < 500 && status !== 429 ? spread(REFUSED) : undefined;

  // Until it ends; in how many milliseconds it may be opened again, if it says so.
  async function read(body, mine) {
    const reader = body.getReader(), letters = new TextDecoder();
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done || current !== mine) return;
      heard = Date.now();
      const events = (rest + letters.decode(value, { stream: true })).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const after = hear(event);
        if (after !== undefined) return after;
      }
    }
  }

  function hear(text) {
    const field = (name) => text.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
    const event = field("event");
    if (!event) return; // a sign of life
    const data = JSON.parse(field("data"));
    if (event === "hello") {
      every = data.every;
      failures = 0;
      up(true);
    } else if (event === "again") return data.after * 1000 + spread(SOONEST);
    else {
      if (event === "version") latest.set(data.table, data.version);
      else latest.delete(data.table);
      tell({ event, ...data });
    }
  }

  function up(now) {
    clearTimeout(down);
    down = 0;
    if (isUp !== now) tell({ up: isUp = now });
  }

  // A connection that died in silence; also after a machine has slept.
  setInterval(() => { if (current && Date.now() - heard > every * SILENT * 1000) renew(); }, 5000);

  // What a page that comes later was not told.
  function catchUp(tables, tell) {
    tell({ up: isUp });
    for (const table of tables) if (latest.has(table)) tell({ event: "version", table, version: latest.get(table) });
  }

  return { watch, renew, catchUp };
}
