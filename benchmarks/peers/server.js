"use strict";
/* node server.js PORT: boardgame.io's server, which keeps its matches in memory. */

const { Server, Origins } = require("boardgame.io/server");
const { Fleet } = require("./fleet");

Server({ games: [Fleet], origins: [Origins.LOCALHOST] }).run({
  port: Number(process.argv[2]),
  callback: () => console.log("ready"),
});
