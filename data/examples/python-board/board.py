#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two chips warm a circuit board up: board.py CONDUCTIVITY COOLING TIME..."""
import math
import sys

conductivity, cooling = float(sys.argv[1]), float(sys.argv[2])  # W/(m K), W/(m2 K)
times = " ".join(sys.argv[3:]).split()                          # s, ascending
nx, ny, dx = 37, 25, 1 / 300                                    # 12 cm x 8 cm
capacity, thickness = 2e6, 1.6e-3                               # J/(m3 K), m


def heating(x, y):
    """In K/s: chips of 1 W and 4 W, on 7 x 7 points each."""
    watts = 1 if 6 <= x < 13 and 6 <= y < 13 else 4 if 20 <= x < 27 and 12 <= y < 19 else 0
    return watts / (49 * dx ** 2 * thickness * capacity)


def later(T, dt):
    """An explicit step of the heat equation; no heat leaves through the edges."""
    spread = dt * conductivity / capacity / dx ** 2
    loss = 2 * dt * cooling / (capacity * thickness)
    return [[c + spread * (n + s + w + e - 4 * c) - loss * c + dt * q for c, n, s, w, e, q
             in zip(row, north, south, row[:1] + row, row[1:] + row[-1:], source)]
            for row, north, south, source in zip(T, T[:1] + T, T[1:] + T[-1:], sources)]


sources = [[heating(x, y) for x in range(nx)] for y in range(ny)]
T, now = [[0.0] * nx for y in range(ny)], 0.0       # K above the air, at t = 0
for time in times:
    steps = math.ceil((float(time) - now) / (0.2 * dx ** 2 * capacity / conductivity))
    for step in range(steps):
        T = later(T, (float(time) - now) / steps)
    now = float(time)
    with open(f"board_{time}.vti", "w") as file:
        extent = f"0 {nx - 1} 0 {ny - 1} 0 0"
        file.write(f'''<VTKFile type="ImageData">
<ImageData WholeExtent="{extent}" Spacing="{dx} {dx} {dx}"><Piece Extent="{extent}">
<PointData><DataArray type="Float64" Name="T" format="ascii">
{" ".join(str(value) for row in T for value in row)}
</DataArray></PointData></Piece></ImageData></VTKFile>
''')
