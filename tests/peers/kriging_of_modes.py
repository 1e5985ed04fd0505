#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kriging of POD modes beside a Gaussian process for each mode, from the same runs.

    kriging_of_modes.py FILE [--field NAME ...] [--runs N ...] [--seeds N] [--processes N]

The fields of `bench accuracy`, and five that nothing was tuned with (names that begin with "aside"). Runs are Latin
hypercubes; both have the same modes, up to 60, of the centred snapshots. The peer: the leading twenty modes by a
Gaussian process each (scikit-learn, see gaussian_process.py, one start of the likelihood), all others by cubic radial
basis functions (SciPy). A line of JSON for each field, number of runs and seed is appended to FILE; at the end the
ratios of errors, as geometric means. Exit 77 (skipped) without scikit-learn, SciPy or gridhelm.
"""
import argparse
import json
import math
import multiprocessing
import sys
import time

try:
    from gaussian_process import fitted, np
    import gridhelm
    from scipy.interpolate import RBFInterpolator
    from scipy.stats.qmc import LatinHypercube
except ImportError as missing:
    print(f"SKIP: {missing}; pip install scikit-learn scipy, and gridhelm")
    sys.exit(77)

from accuracy_fields import read_fields, uniform_places

OWN, MOST, ENERGY = 20, 60, 1e-7
TEST_PLACES, TEST_SEED = 200, 20
CENTRES = (np.arange(64) + 0.5) / 64
U, V = np.meshgrid(CENTRES, CENTRES, indexing="xy")


def swirl(x):
    r = np.hypot(U - 0.5 + 0.1 * x[2], V - 0.5)
    return np.exp(-8 * r * r) * np.sin(3 * (U - 0.5) * (2 + 2 * x[1]) + 9 * (0.3 + x[0]) * r)


def bearing(x):
    e = 0.2 + 0.6 * x[0]
    gap = 1 + e * np.cos(6.2832 * U + 0.5 * x[1])
    return ((0.5 + x[2]) * (1 - V * (0.3 + 0.7 * x[3])) * e * np.sin(6.2832 * U + x[4]) / gap ** 2
            + 0.2 * x[5] * np.cos(6.2832 * U) * V)


def shock(x):
    place = 0.25 + 0.5 * x[0] * (1 - 0.4 * V * V)
    return 1 + (0.5 + x[1]) / (1 + np.exp((U - place) / (0.01 + 0.03 * x[2]))) * (1 + 0.3 * V)


def fan(x):
    return (np.clip((U - 0.2 - 0.2 * x[0]) / (0.1 + 0.5 * x[1]), 0, 1) * (1 + x[2])
            + 0.5 * np.abs(V - 0.3 - 0.4 * x[3]))


def jet(x):
    return ((1 + x[0]) * np.exp(-((V - 0.5 - 0.2 * x[1] * U) ** 2) / (0.004 + 0.03 * U * (0.5 + x[2])))
            / np.sqrt(0.3 + U) + 0.3 * np.sin(5 * U + 3 * x[3]))


ASIDE = {"aside_swirl_3": (3, swirl), "aside_bearing_6": (6, bearing), "aside_shock_3": (3, shock),
         "aside_fan_4": (4, fan), "aside_jet_4": (4, jet)}


def all_fields():
    """Name to number of parameters, and snapshots (places x nodes) of places."""
    known = {field.name: (field.parameters, field.snapshots) for field in read_fields()}
    for name, (parameters, field) in ASIDE.items():
        known[name] = parameters, lambda places, field=field: np.array([field(x).ravel() for x in places])
    return known


def errors(job):
    name, runs, seed = job
    parameters, snapshots_of = all_fields()[name]
    places = LatinHypercube(parameters, seed=seed).random(runs)
    tests = uniform_places(TEST_PLACES, parameters, TEST_SEED)
    snapshots, exact = snapshots_of(places), snapshots_of(tests)
    mean = snapshots.mean(axis=0)
    left, sizes, rows = np.linalg.svd(snapshots - mean, full_matrices=False)
    enough = int(np.searchsorted(np.cumsum(sizes ** 2) / np.sum(sizes ** 2), 1 - ENERGY)) + 1
    count = max(1, min(enough, runs - 1, MOST))
    coefficients, modes = left[:, :count] * sizes[:count], rows[:count]

    def error(predicted):
        off = np.linalg.norm(mean + predicted @ modes - exact, axis=1)
        return float(np.mean(off / np.linalg.norm(exact, axis=1)))
    begin = time.perf_counter()
    # As studies have it: coefficients as they are, the most important first.
    surrogate = gridhelm._native.fit_kriging(places, np.ascontiguousarray(coefficients), 1)
    own = error(surrogate.values(tests))
    between = time.perf_counter()
    process = [fitted(places, column, restarts=0).predict(tests) for column in coefficients[:, :OWN].T]
    peer = np.column_stack(process)
    if count > OWN:
        peer = np.hstack([peer, RBFInterpolator(places, coefficients[:, OWN:], kernel="cubic")(tests)])
    return {"field": name, "runs": runs, "seed": seed, "modes": count, "gridhelm": own, "peer": error(peer),
            "gridhelm_seconds": between - begin, "peer_seconds": time.perf_counter() - between}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--field", nargs="*")
    parser.add_argument("--runs", type=int, nargs="*", default=[31, 81, 225])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    jobs = [(name, runs, seed) for runs in options.runs for seed in range(options.seeds)
            for name in options.field or all_fields()]
    found = []
    with multiprocessing.Pool(options.processes) as pool, open(options.file, "a", encoding="utf-8") as file:
        for each in pool.imap_unordered(errors, jobs):
            found.append(each)
            file.write(json.dumps(each) + "\n")
            file.flush()
    for runs in options.runs:
        for group, is_aside in (("bench accuracy", False), ("aside", True)):
            ratios = [each["gridhelm"] / each["peer"] for each in found
                      if each["runs"] == runs and each["field"].startswith("aside") == is_aside]
            if ratios:
                geometric = math.exp(sum(map(math.log, ratios)) / len(ratios))
                print(f"{runs:4} runs, {group}: {geometric:.2f} of the peer's error (largest {max(ratios):.2f}, "
                      f"{len(ratios)} cases)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
