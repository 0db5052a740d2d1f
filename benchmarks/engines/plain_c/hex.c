/* Hex by hand: groups of stones as trees whose roots are compared, with the four edges of the board as stones. */
#include "playouts.h"

enum { SIZE = 11, CELLS = SIZE * SIZE, EMPTY = -1, SOUTH = CELLS, NORTH, WEST, EAST, NODES };

static int16_t beside[CELLS][8]; /* the cells and edges that touch a cell, up to -1 */
static int is_ready;

static void get_ready(void) {
    static const int STEPS[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
    for (int cell = 0; cell < CELLS; cell++) {
        int x = cell % SIZE, y = cell / SIZE, count = 0;
        for (int i = 0; i < 6; i++) {
            int a = x + STEPS[i][0], b = y + STEPS[i][1];
            if (a >= 0 && a < SIZE && b >= 0 && b < SIZE) beside[cell][count++] = (int16_t)(SIZE * b + a);
        }
        if (y == 0) beside[cell][count++] = SOUTH;
        if (y == SIZE - 1) beside[cell][count++] = NORTH;
        if (x == 0) beside[cell][count++] = WEST;
        if (x == SIZE - 1) beside[cell][count++] = EAST;
        beside[cell][count] = -1;
    }
    is_ready = 1;
}

/* The stone that stands for a whole group; ways to it are halved as they are walked. */
static inline int root(int16_t *group, int stone) {
    while (group[stone] != stone) {
        group[stone] = group[group[stone]];
        stone = group[stone];
    }
    return stone;
}

static Ended play_one(void) {
    if (!is_ready) get_ready();
    int8_t stones[NODES];
    int16_t group[NODES], free[CELLS];
    memset(stones, EMPTY, CELLS);
    stones[SOUTH] = stones[NORTH] = 0;
    stones[WEST] = stones[EAST] = 1;
    for (int i = 0; i < NODES; i++) group[i] = (int16_t)i;
    for (int i = 0; i < CELLS; i++) free[i] = (int16_t)i;
    int player = 0;
    for (int left = CELLS;; left--) {
        int chosen = pick(left), cell = free[chosen];
        free[chosen] = free[left - 1];
        stones[cell] = (int8_t)player;
        for (int16_t *near = beside[cell]; *near >= 0; near++)
            if (stones[*near] == player) group[root(group, *near)] = (int16_t)root(group, cell);
        int first = player == 0 ? SOUTH : WEST;
        if (root(group, first) == root(group, first + 1)) return (Ended){CELLS - left + 1, player};
        player = 1 - player;
    }
}
