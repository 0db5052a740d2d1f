// Three in a row.
"use strict";

const { serve } = require("./playouts");

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8],
  [0, 3, 6], [1, 4, 7], [2, 5, 8],
  [0, 4, 8], [2, 4, 6],
];

const free = (G) => G.marks.flatMap((mark, square) => (mark === null ? [square] : []));

const game = {
  setup: () => ({ marks: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, square) => {
      G.marks[square] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some((line) => line.every((square) => G.marks[square] === ctx.currentPlayer)))
      return { winner: ctx.currentPlayer };
    if (!G.marks.includes(null)) return {};
  },
};

const moves = (G) => free(G).map((square) => ["mark", square]);

serve(game, moves);
