// Connect four.
"use strict";

const { serve } = require("./playouts");

const COLUMNS = 7, ROWS = 6, IN_A_ROW = 4;
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

function isWon(G) {
  if (G.last === null) return false;
  const [column, row] = G.last;
  const player = G.grid[column][row];
  return DIRECTIONS.some(([stepX, stepY]) => {
    let length = 1;
    for (const sign of [1, -1]) {
      let x = column + sign * stepX, y = row + sign * stepY;
      while (x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && G.grid[x][y] === player) {
        length++;
        x += sign * stepX;
        y += sign * stepY;
      }
    }
    return length >= IN_A_ROW;
  });
}

const game = {
  setup: () => ({ grid: Array.from({ length: COLUMNS }, () => []), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      G.grid[column].push(playerID);
      G.last = [column, G.grid[column].length - 1];
    },
  },
  endIf: ({ G, ctx }) => {
    if (isWon(G)) return { winner: ctx.currentPlayer };
    if (G.grid.every((column) => column.length === ROWS)) return {};
  },
};

const moves = (G) => G.grid.flatMap((column, x) => (column.length < ROWS ? [["drop", x]] : []));

serve(game, moves);
