/* Connect four by hand: a grid with an edge around it, and of each column with room the cell a disc falls to. */
#include "playouts.h"

enum { COLUMNS = 7, ROWS = 6, IN_A_ROW = 4, WIDTH = COLUMNS + 2, CELLS = WIDTH * (ROWS + 2), EMPTY = -1, EDGE = 2 };

static const int STEPS[4] = {1, WIDTH, WIDTH + 1, WIDTH - 1};

static int is_won(const int8_t *grid, int cell) {
    int player = grid[cell];
    for (int i = 0; i < 4; i++) {
        int length = 1;
        for (int at = cell + STEPS[i]; grid[at] == player; at += STEPS[i]) length++;
        for (int at = cell - STEPS[i]; grid[at] == player; at -= STEPS[i]) length++;
        if (length >= IN_A_ROW) return 1;
    }
    return 0;
}

static Ended play_one(void) {
    int8_t grid[CELLS], moves[COLUMNS];
    memset(grid, EDGE, sizeof grid);
    for (int row = 1; row <= ROWS; row++) memset(grid + WIDTH * row + 1, EMPTY, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) moves[i] = (int8_t)(WIDTH + 1 + i);
    int player = 0, decisions = 0, count = COLUMNS;
    while (count > 0) {
        int chosen = pick(count), cell = moves[chosen];
        grid[cell] = (int8_t)player;
        decisions++;
        if (is_won(grid, cell)) return (Ended){decisions, player};
        if (grid[cell + WIDTH] == EMPTY)
            moves[chosen] = (int8_t)(cell + WIDTH);
        else
            moves[chosen] = moves[--count];
        player = 1 - player;
    }
    return (Ended){decisions, NOBODY};
}
