// Breakthrough; player 0 goes up.
"use strict";

const { serve } = require("./playouts");

const SIZE = 8;

function steps(G, player) {
  const ahead = player === "0" ? SIZE : -SIZE;
  const found = [];
  G.field.forEach((owner, square) => {
    if (owner !== player) return;
    const end = square + ahead, column = square % SIZE;
    if (G.field[end] === null) found.push(["step", square, end]);
    if (column > 0 && G.field[end - 1] !== player) found.push(["step", square, end - 1]);
    if (column < SIZE - 1 && G.field[end + 1] !== player) found.push(["step", square, end + 1]);
  });
  return found;
}

const game = {
  setup: () => ({
    field: Array.from({ length: SIZE * SIZE }, (_, square) =>
      square < 2 * SIZE ? "0" : square >= SIZE * (SIZE - 2) ? "1" : null
    ),
    player: "0",
    winner: null,
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step: ({ G, playerID }, start, end) => {
      const enemy = playerID === "0" ? "1" : "0";
      G.field[start] = null;
      G.field[end] = playerID;
      G.player = enemy;
      if (end < SIZE || end >= SIZE * (SIZE - 1) || !G.field.includes(enemy)) G.winner = playerID;
      else if (steps(G, enemy).length === 0) G.winner = playerID;
    },
  },
  endIf: ({ G }) => (G.winner === null ? undefined : { winner: G.winner }),
};

const moves = (G) => steps(G, G.player);

serve(game, moves);
