/* Breakthrough by hand: the squares, and the list of the pawns of each side; the first goes up. */
#include "playouts.h"

enum { SIZE = 8, SQUARES = SIZE * SIZE, PAWNS = 2 * SIZE, MOST_MOVES = 3 * PAWNS, EMPTY = -1 };

static Ended play_one(void) {
    int8_t field[SQUARES], pawns[2][PAWNS];
    int count[2] = {PAWNS, PAWNS}, player = 0, decisions = 0;
    memset(field, EMPTY, sizeof field);
    for (int i = 0; i < PAWNS; i++) {
        pawns[0][i] = (int8_t)i;
        pawns[1][i] = (int8_t)(SQUARES - PAWNS + i);
        field[pawns[0][i]] = 0;
        field[pawns[1][i]] = 1;
    }
    for (;;) {
        int8_t movers[MOST_MOVES], ends[MOST_MOVES];
        int moves = 0, enemy = 1 - player, ahead = player == 0 ? SIZE : -SIZE;
        for (int i = 0; i < count[player]; i++) {
            int square = pawns[player][i], column = square % SIZE, end = square + ahead;
            if (field[end] == EMPTY) {
                movers[moves] = (int8_t)i;
                ends[moves++] = (int8_t)end;
            }
            if (column > 0 && field[end - 1] != player) {
                movers[moves] = (int8_t)i;
                ends[moves++] = (int8_t)(end - 1);
            }
            if (column < SIZE - 1 && field[end + 1] != player) {
                movers[moves] = (int8_t)i;
                ends[moves++] = (int8_t)(end + 1);
            }
        }
        if (moves == 0) return (Ended){decisions, enemy};
        int chosen = pick(moves), mover = movers[chosen], end = ends[chosen];
        decisions++;
        if (field[end] == enemy) {
            int taken = 0;
            while (pawns[enemy][taken] != end) taken++;
            pawns[enemy][taken] = pawns[enemy][--count[enemy]];
        }
        field[pawns[player][mover]] = EMPTY;
        field[end] = (int8_t)player;
        pawns[player][mover] = (int8_t)end;
        if (end < SIZE || end >= SQUARES - SIZE || count[enemy] == 0) return (Ended){decisions, player};
        player = enemy;
    }
}
