/* Three in a row by hand: nine marks, and for each square the pairs of squares that complete a line. */
#include "playouts.h"

enum { SQUARES = 9, EMPTY = -1 };

static const int8_t PAIRS[SQUARES][4][2] = {
    {{1, 2}, {3, 6}, {4, 8}, {-1, -1}}, {{0, 2}, {4, 7}, {-1, -1}}, {{0, 1}, {5, 8}, {4, 6}, {-1, -1}},
    {{4, 5}, {0, 6}, {-1, -1}},         {{3, 5}, {1, 7}, {0, 8}, {2, 6}}, {{3, 4}, {2, 8}, {-1, -1}},
    {{7, 8}, {0, 3}, {2, 4}, {-1, -1}}, {{6, 8}, {1, 4}, {-1, -1}}, {{6, 7}, {2, 5}, {0, 4}, {-1, -1}},
};

static Ended play_one(void) {
    int8_t marks[SQUARES], free[SQUARES];
    for (int i = 0; i < SQUARES; i++) {
        marks[i] = EMPTY;
        free[i] = (int8_t)i;
    }
    int player = 0;
    for (int left = SQUARES; left > 0; left--) {
        int chosen = pick(left), square = free[chosen];
        free[chosen] = free[left - 1];
        marks[square] = (int8_t)player;
        for (int i = 0; i < 4 && PAIRS[square][i][0] >= 0; i++)
            if (marks[PAIRS[square][i][0]] == player && marks[PAIRS[square][i][1]] == player)
                return (Ended){SQUARES - left + 1, player};
        player = 1 - player;
    }
    return (Ended){SQUARES, NOBODY};
}
