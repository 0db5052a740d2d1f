/* Pig by hand: two totals and the points of the turn. Rolling where nothing can be banked yet is a decision, too. */
#include "playouts.h"

enum { GOAL = 100, SIDES = 6 };

static Ended play_one(void) {
    int banked[2] = {0, 0}, pot = 0, player = 0, decisions = 0;
    for (;;) {
        decisions++;
        if (pot > 0 && pick(2)) {
            banked[player] += pot;
            if (banked[player] >= GOAL) return (Ended){decisions, player};
        } else {
            int die = 1 + pick(SIDES);
            if (die > 1) {
                pot += die;
                continue;
            }
        }
        pot = 0;
        player = 1 - player;
    }
}
