/* Reversi by hand: a board with an edge around it, looked along in eight directions from every empty square. */
#include "playouts.h"

enum { SIZE = 8, WIDTH = SIZE + 2, SQUARES = WIDTH * WIDTH, EMPTY = -1, BLACK, WHITE, EDGE };

static const int STEPS[8] = {1, -1, WIDTH, -WIDTH, WIDTH + 1, WIDTH - 1, 1 - WIDTH, -1 - WIDTH};

static int may_take(const int8_t *board, int square, int player) {
    int enemy = 1 - player;
    for (int i = 0; i < 8; i++) {
        int at = square + STEPS[i];
        if (board[at] != enemy) continue;
        while (board[at] == enemy) at += STEPS[i];
        if (board[at] == player) return 1;
    }
    return 0;
}

static void take(int8_t *board, int square, int player) {
    int enemy = 1 - player;
    for (int i = 0; i < 8; i++) {
        int at = square + STEPS[i];
        while (board[at] == enemy) at += STEPS[i];
        if (board[at] == player)
            for (at -= STEPS[i]; at != square; at -= STEPS[i]) board[at] = (int8_t)player;
    }
    board[square] = (int8_t)player;
}

static Ended play_one(void) {
    int8_t board[SQUARES], free[SIZE * SIZE], moves[SIZE * SIZE];
    int count = 0, middle = WIDTH * (SIZE / 2) + SIZE / 2;
    memset(board, EDGE, sizeof board);
    for (int row = 1; row <= SIZE; row++) memset(board + WIDTH * row + 1, EMPTY, SIZE);
    board[middle] = board[middle + WIDTH + 1] = WHITE;
    board[middle + 1] = board[middle + WIDTH] = BLACK;
    for (int square = 0; square < SQUARES; square++)
        if (board[square] == EMPTY) free[count++] = (int8_t)square;
    int player = BLACK, decisions = 0;
    for (int passes = 0; passes < 2; player = 1 - player) {
        int found = 0;
        for (int i = 0; i < count; i++)
            if (may_take(board, free[i], player)) moves[found++] = (int8_t)i;
        passes = found ? 0 : passes + 1;
        if (!found) continue;
        int chosen = moves[pick(found)];
        take(board, free[chosen], player);
        free[chosen] = free[--count];
        decisions++;
    }
    int lead = 0;
    for (int square = 0; square < SQUARES; square++) lead += (board[square] == BLACK) - (board[square] == WHITE);
    return (Ended){decisions, lead == 0 ? NOBODY : lead > 0 ? BLACK : WHITE};
}
