/* What the plain engines share: chance, and the loop of random games.

   An engine includes this and writes `play_one`. Compiled into a shared object it gives `playouts`. */
#include <stdint.h>
#include <string.h>

typedef struct {
    int decisions;
    int winner; /* NOBODY, 0 or 1 */
} Ended;

enum { NOBODY = -1 };

static uint64_t word;

/* One of 0..count-1, by xorshift and a multiplication; uneven by less than one in a hundred million. */
static inline int pick(int count) {
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    return (int)(((word >> 32) * (uint64_t)count) >> 32);
}

static Ended play_one(void);

/* Plays so many random games. Told: decisions, and how many games nobody, the first, the second won. */
void playouts(uint64_t seed, int64_t games, int64_t told[4]) {
    word = (seed + 1) * 0x9E3779B97F4A7C15u | 1;
    for (int i = 0; i < 8; i++) pick(1);
    memset(told, 0, 4 * sizeof told[0]);
    for (int64_t i = 0; i < games; i++) {
        Ended ended = play_one();
        told[0] += ended.decisions;
        told[ended.winner + 2]++;
    }
}
