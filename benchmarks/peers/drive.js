"use strict";
/* node drive.js PORT MATCHES TURNS: play that many matches at once, by the messages that boardgame.io's own client
   sends.  A turn ends when both players have the new state.  Prints JSON: seconds and turns. */

const { io } = require("socket.io-client");

const PATIENCE = 60000; // milliseconds for all of it; now and then a match has never begun or gone on
const [port, matches, turns] = process.argv.slice(2).map(Number);
const everybody = [];
let made = 0;

function player(match, seat) {
  const socket = io(`http://127.0.0.1:${port}/fleet`, { transports: ["websocket"], forceNew: true });
  const seen = { socket, match, seat, state: null, told: () => {} };
  everybody.push(seen);
  const take = (id, state) => {
    seen.state = state;
    seen.told();
  };
  socket.on("sync", (id, { state }) => take(id, state));
  socket.on("update", (id, state) => take(id, state));
  socket.on("connect", () => socket.emit("sync", match, seat, undefined, 2));
  return seen;
}

function until(seen, holds) {
  return new Promise((done) => {
    const look = () => holds() && done();
    seen.told = look;
    look();
  });
}

function shot(seen, chance) {
  const { shots, fleets } = seen.state.G;
  const shut = new Set([...shots, ...fleets[seen.seat].flat()]);
  let square = chance % 324;
  while (shut.has(square)) square = (square + 7) % 324;
  return square;
}

async function begun(number) {
  const match = `match${process.pid}x${number}`;
  const first = player(match, "0");
  await until(first, () => first.state);
  const second = player(match, "1");
  await until(second, () => second.state);
  return { match, seats: [first, second] };
}

async function played({ match, seats }, number) {
  for (let turn = 0; turn < turns && !seats[0].state.ctx.gameover; turn++) {
    const { _stateID: id, ctx } = seats[0].state;
    const mover = seats[Number(ctx.currentPlayer)], other = seats[1 - Number(ctx.currentPlayer)];
    const args = [shot(mover, turn * 7 + number)];
    mover.socket.emit(
      "update", { type: "MAKE_MOVE", payload: { type: "fire", args, playerID: mover.seat } }, id, match, mover.seat);
    await Promise.all([
      until(mover, () => mover.state._stateID > id),
      until(other, () => other.state._stateID > id),
    ]);
    made++;
  }
}

// Say which players wait, and for what, and fail.
function giveUp() {
  for (const { socket, match, seat, state } of everybody)
    if (!state?.ctx.gameover) console.error(match, seat, "connected:", socket.connected, "state:", state?._stateID);
  process.exit(1);
}

async function main() {
  setTimeout(giveUp, PATIENCE);
  const all = await Promise.all(Array.from({ length: matches }, (_, number) => begun(number)));
  const began = performance.now();
  await Promise.all(all.map(played));
  const told = JSON.stringify({ seconds: (performance.now() - began) / 1000, turns: made });
  process.stdout.write(told, () => process.exit(0)); // a pipe may take it in parts: end after the last of them
}

main();
