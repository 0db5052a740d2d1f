// Pig; the dice are boardgame.io's own.
"use strict";

const { serve } = require("./playouts");

const GOAL = 100;

const game = {
  setup: () => ({ banked: [0, 0], pot: 0 }),
  moves: {
    roll: ({ G, random, events }) => {
      const die = random.D6();
      if (die === 1) {
        G.pot = 0;
        events.endTurn();
      } else {
        G.pot += die;
      }
    },
    hold: ({ G, playerID, events }) => {
      G.banked[playerID] += G.pot;
      G.pot = 0;
      events.endTurn();
    },
  },
  endIf: ({ G }) => {
    const winner = G.banked.findIndex((points) => points >= GOAL);
    return winner < 0 ? undefined : { winner };
  },
};

const moves = (G) => (G.pot > 0 ? [["roll"], ["hold"]] : [["roll"]]);

serve(game, moves);
