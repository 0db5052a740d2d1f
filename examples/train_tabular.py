"""Learns tic-tac-toe against a random player by a table: what followed, on average, from each action in each state."""

import random
from collections import defaultdict

import interpreter as dsl

env = dsl.gymnasium_env("tic_tac_toe")
values = defaultdict(float)


def play(exploring, learning):
    (seen, _), steps, over = env.reset(seed=random.getrandbits(32)), [], False
    while not over:
        state, offered = seen["observation"].tobytes(), seen["action_mask"].nonzero()[0]
        best = max(offered, key=lambda action: values[state, action])
        steps.append((state, random.choice(offered) if random.random() < exploring else best))
        seen, reward, over, _, _ = env.step(steps[-1][1])
    for step in steps if learning else ():
        values[step] += 0.1 * (reward - values[step])
    return reward > 0


random.seed(1)
print(f"before: wins {sum(play(1, False) for _ in range(500)) / 5:.1f} % of 500 games")
for _ in range(8000):
    play(0.3, True)
print(f"after:  wins {sum(play(0, False) for _ in range(500)) / 5:.1f} % of 500 games")
