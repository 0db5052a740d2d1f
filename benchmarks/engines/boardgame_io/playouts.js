// Plays random games through boardgame.io's reducer, as its own bots do; its client is no faster.
//
// A program gives its game, and `moves(G)`: everything that may be done, as names and arguments. It first says who it
// is, in a line of JSON. Then each line that comes in, `{"seed": 1, "games": 10}`, is answered by a line with the
// decisions, how many games nobody, the first, the second won, and the seconds of processor time.
"use strict";

process.env.NODE_ENV ??= "production";
const readline = require("readline");

let internal, version;
try {
  internal = require("boardgame.io/internal");
  version = require("boardgame.io/package.json").version;
} catch (fault) {
  if (fault.code !== "MODULE_NOT_FOUND") throw fault;
  console.log(JSON.stringify({ missing: "the module boardgame.io is not installed" }));
  process.exit(0);
}

// Numbers from 0 up to 1, the same ones for the same seed (xorshift of 32 bits).
function chance(seed) {
  let word = (Math.imul(seed + 1, 0x9e3779b9) | 1) >>> 0;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) / 0x100000000;
  };
}

exports.serve = (game, moves) => {
  const processed = internal.ProcessGameConfig({ ...game, disableUndo: true });
  const reducer = internal.CreateGameReducer({ game: processed });

  function playouts(seed, games) {
    const random = chance(seed);
    const ends = [0, 0, 0];
    let decisions = 0;
    for (let i = 0; i < games; i++) {
      processed.seed = `${seed}.${i}`;
      let state = internal.InitializeGame({ game: processed });
      while (state.ctx.gameover === undefined) {
        const offered = moves(state.G);
        const [type, ...args] = offered[Math.floor(random() * offered.length)];
        const payload = { type, args, playerID: state.ctx.currentPlayer };
        state = reducer(state, { type: "MAKE_MOVE", payload });
        decisions++;
      }
      const { winner } = state.ctx.gameover;
      ends[winner === undefined ? 0 : Number(winner) + 1]++;
    }
    return { decisions, ends };
  }

  console.log(JSON.stringify({ engine: `boardgame.io ${version}, node ${process.versions.node}` }));
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const { seed, games } = JSON.parse(line);
    const before = process.cpuUsage();
    const told = playouts(seed, games);
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ ...told, seconds: (user + system) / 1e6 }));
  });
};
