# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of `bench accuracy` and its random places, in NumPy.

The formulas are read out of app/bench/accuracy_fields.cpp, so that they are written once.
"""
import os
import re

import numpy as np

SIDE = 64
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../app/bench/accuracy_fields.cpp")
ENTRY = re.compile(r'\{"(\w+)",\s*"(\w+)",\s*(\d),\s*\[\]\(double u, double v, const double \*x\)\s*'
                   r"\{\s*return (.*?);\s*\}\}", re.DOTALL)
FUNCTIONS = {"square": np.square, **{name: getattr(np, name)
                                     for name in ("cos", "exp", "log", "sin", "sqrt", "tanh")}}


class Field:
    def __init__(self, name, family, parameters, formula):
        self.name, self.family, self.parameters = name, family, int(parameters)
        self.code = compile(" ".join(formula.split()), name, "eval")

    def snapshots(self, places):
        """A row of SIDE * SIDE values, u fastest, for each row of `places` (runs x parameters)."""
        centres = (np.arange(SIDE) + 0.5) / SIDE
        v, u = (axis.ravel() for axis in np.meshgrid(centres, centres, indexing="ij"))
        x = [column[:, None] for column in np.asarray(places, float).T]
        values = eval(self.code, {"__builtins__": {}}, {"u": u, "v": v, "x": x, **FUNCTIONS})
        return np.broadcast_to(values, (len(places), SIDE * SIDE))


def read_fields():
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    fields = [Field(*entry) for entry in ENTRY.findall(text)]
    stated = int(re.search(r"array<AccuracyField, (\d+)>", text).group(1))
    assert len(fields) == stated, f"{len(fields)} of {stated} formulas of {SOURCE} were understood"
    return fields


def uniform_places(count, parameters, seed):
    """bench::uniformPlaces(): the upper 53 bits of std::mt19937_64, place by place."""
    mask, n, m = (1 << 64) - 1, 312, 156
    state = [seed & mask]
    for i in range(1, n):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & mask)
    numbers, i = [], n
    while len(numbers) < count * parameters:
        if i == n:
            for k in range(n):
                upper = (state[k] & ~0x7FFFFFFF & mask) | (state[(k + 1) % n] & 0x7FFFFFFF)
                state[k] = state[(k + m) % n] ^ (upper >> 1) ^ (0xB5026F5AA96619E9 if upper & 1 else 0)
            i = 0
        y = state[i]
        i += 1
        y ^= (y >> 29) & 0x5555555555555555
        y ^= (y << 17) & 0x71D67FFFEDA60000
        y ^= (y << 37) & 0xFFF7EEE000000000
        y ^= y >> 43
        numbers.append((y >> 11) * 2.0**-53)
    return np.array(numbers).reshape(count, parameters)
