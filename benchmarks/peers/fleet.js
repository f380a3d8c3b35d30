"use strict";
/* StrifeBarge for two as a game of boardgame.io: fleets on 18 x 18 that each player alone sees, a shot a turn. */

const SIDE = 18;
const SHIPS = [5, 3, 2];

function squares(length, random) {
  const across = random.Die(2) === 1;
  const along = random.Die(SIDE - length + 1) - 1, beside = random.Die(SIDE) - 1;
  return Array.from({ length }, (_, step) =>
    across ? beside * SIDE + along + step : (along + step) * SIDE + beside);
}

function fleet(random) {
  const taken = new Set();
  return SHIPS.map((length) => {
    let ship = squares(length, random);
    while (ship.some((square) => taken.has(square))) ship = squares(length, random);
    ship.forEach((square) => taken.add(square));
    return ship;
  });
}

function afloat(ships, shots) {
  return ships.some((ship) => ship.some((square) => !shots.includes(square)));
}

exports.Fleet = {
  name: "fleet",
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => ({ shots: [], hits: [], fleets: { 0: fleet(random), 1: fleet(random) } }),
  moves: {
    fire: ({ G, playerID }, square) => {
      if (!Number.isInteger(square) || square < 0 || square >= SIDE * SIDE) return "INVALID_MOVE";
      if (G.shots.includes(square) || G.fleets[playerID].flat().includes(square)) return "INVALID_MOVE";
      G.shots.push(square);
      for (const ships of Object.values(G.fleets)) if (ships.flat().includes(square)) G.hits.push(square);
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => {
    for (const seat of ["0", "1"]) if (!afloat(G.fleets[seat], G.shots)) return { winner: 1 - seat };
  },
  playerView: ({ G, playerID }) => ({ ...G, fleets: { [playerID]: G.fleets[playerID] } }),
};
