"use strict";
/* node forms.js PORT TURNS forms|script|hello < PLAYERS: play games of StrifeBarge at once, as browsers do.
   PLAYERS is JSON: of each game, the path of its table, and the cookies of its two players.  A turn ends when both
   players have its page: by `forms` after a POST and its 303, by `script` as pieces, one of them the answer to the
   POST, the other when a stream has told of the move.  With `hello` each game only asks for its path, TURNS times.
   Prints JSON: seconds and turns. */

const http = require("http");

const PATIENCE = 120000; // milliseconds for all of it
const PIECE = { "X-Piece": "main" }; // the header of a script that asks for no more than a page's `main`
const [port, turns] = process.argv.slice(2, 4).map(Number);
const way = process.argv[4];
const headers = way === "script" ? PIECE : {};
let made = 0;

// Each player has a connection, which stays open.
function player(cookie) {
  return { agent: new http.Agent({ keepAlive: true, maxSockets: 1 }), cookie, page: "", told: 0, wake: () => {} };
}

// Open the stream of a player, which tells of new versions of the table.
function listen(who, table) {
  const path = `/live?at=${table.replace("/g/", "")}`;
  const answered = (answer) => answer.on("data", (came) => {
    who.told += came.toString().split("event: version").length - 1;
    who.wake();
  });
  http.get({ agent: false, host: "127.0.0.1", port, path, headers: { Cookie: who.cookie } }, answered);
  return heard(who, 0);
}

// Wait until a player has been told of more than these versions.
function heard(who, versions) {
  return new Promise((done) => {
    who.wake = () => who.told > versions && done();
    who.wake();
  });
}

function ask({ agent, cookie }, method, path, headers, body) {
  return new Promise((done, failed) => {
    const options = { agent, host: "127.0.0.1", port, method, path, headers: { Cookie: cookie, ...headers } };
    const request = http.request(options, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => done({
        status: answer.statusCode, where: answer.headers.location, page: Buffer.concat(parts).toString() }));
    });
    request.on("error", failed);
    request.end(body);
  });
}

async function look(who, path) {
  const { status, page } = await ask(who, "GET", path, headers);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  who.page = page;
}

function mayFire({ page }) {
  return page.includes('name=move value="fire ');
}

function shots({ page }) {
  return [...page.matchAll(/name=move value="(fire \w+)"/g)].map((found) => found[1]);
}

function form(table, { page }, move) {
  const turn = page.slice(page.indexOf(`action="${table}/turn"`));
  const [, asked] = /name="asked" value="(\d+)"/.exec(page), [, key] = /name="key" value="(\w+)"/.exec(turn);
  return new URLSearchParams({ move, asked, key }).toString();
}

async function fire(table, mover, move) {
  const sent = { "Content-Type": "application/x-www-form-urlencoded", ...headers };
  const { status, where, page } = await ask(mover, "POST", `${table}/turn`, sent, form(table, mover, move));
  if (status === 200 && way === "script") mover.page = page;
  else if (status === 303 && way === "forms") await look(mover, where.split("#")[0]);
  else throw new Error(`a move answers ${status}`);
}

async function played({ table, players }, number) {
  for (let turn = 0; turn < turns; turn++) {
    const mover = players.find(mayFire);
    if (!mover) throw new Error(`${table} ended after ${turn} turns`);
    const other = players.find((who) => who !== mover), versions = other.told, open = shots(mover);
    await fire(table, mover, open[(turn * 7 + number) % open.length]);
    if (way === "script") await heard(other, versions);
    await look(other, table);
    made++;
  }
}

async function greeted({ table, players }) {
  for (let turn = 0; turn < turns; turn++, made++) await look(players[0], table);
}

async function begun([table, ...cookies]) {
  const players = cookies.map(player);
  for (const who of players) {
    await look(who, table);
    if (way === "script") await listen(who, table);
  }
  return { table, players };
}

async function main() {
  setTimeout(() => { throw new Error(`${made} turns in ${PATIENCE} ms`); }, PATIENCE);
  const games = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const all = await Promise.all(games.map(begun));
  const began = performance.now();
  await Promise.all(all.map(way === "hello" ? greeted : played));
  const told = JSON.stringify({ seconds: (performance.now() - began) / 1000, turns: made });
  process.stdout.write(told, () => process.exit(0)); // a pipe may take it in parts: end after the last of them
}

main();
