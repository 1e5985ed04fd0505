#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers of `bench accuracy`: POD + Gaussian process and POD + RBF on Latin hypercubes.

    accuracy_peer.py FILE [--field NAME ...] [--runs N ...] [--designs N]

Modes of the centred snapshots; of the coefficients of the leading twenty a Gaussian process each (scikit-learn, see
gaussian_process.py, one start of the likelihood) and cubic radial basis functions with a linear tail (SciPy).
"all_modes" has the Gaussian processes and, of all other modes, the radial basis functions. "projection" is the
error that twenty modes alone make: no surrogate of twenty modes comes below it.
The measure is that of `bench accuracy`: the relative L2 error, its mean over the same 200 random places, here
also over five Latin hypercubes. A line of JSON for each field and number of runs is appended to FILE; what
is there already is not computed again, so that a stopped run goes on. About an hour for everything on one
thread. Exit 77 (skipped) without scikit-learn and SciPy.
"""
import argparse
import json
import os
import sys
import time

try:
    from gaussian_process import fitted, np
    import scipy
    import sklearn
    from scipy.interpolate import RBFInterpolator
    from scipy.stats.qmc import LatinHypercube
except ImportError as missing:
    print(f"SKIP: {missing}; pip install scikit-learn scipy")
    sys.exit(77)

from accuracy_fields import read_fields, uniform_places

RUNS = [31, 49, 81, 111, 225, 351]
MODES = 20
TEST_PLACES, TEST_SEED = 200, 20  # those of app/bench/accuracy_measure.h


def mean_error(predicted, exact):
    return float(np.mean(np.linalg.norm(predicted - exact, axis=1) / np.linalg.norm(exact, axis=1)))


def errors(field, places, tests, exact):
    """(All modes, Gaussian process, RBF, projection) from the runs at `places`."""
    snapshots = field.snapshots(places)
    mean = snapshots.mean(axis=0)
    _, sizes, rows = np.linalg.svd(snapshots - mean, full_matrices=False)
    all_modes = rows[sizes > 1e-10 * sizes[0]]  # below that it is round-off
    modes = all_modes[:MODES]
    coefficients = (snapshots - mean) @ all_modes.T
    process = np.column_stack([fitted(places, column, restarts=0).predict(tests)
                               for column in coefficients[:, :MODES].T])
    radial = RBFInterpolator(places, coefficients, kernel="cubic")(tests)
    projected = (exact - mean) @ modes.T
    everything = np.hstack([process, radial[:, MODES:]])
    return [mean_error(mean + everything @ all_modes, exact),
            *(mean_error(mean + weights[:, :MODES] @ modes, exact) for weights in (process, radial, projected))]


def known(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {(entry["field"], entry["runs"]) for entry in map(json.loads, file)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--field", nargs="*")
    parser.add_argument("--runs", type=int, nargs="*", default=RUNS)
    parser.add_argument("--designs", type=int, default=5)
    options = parser.parse_args()
    fields = [field for field in read_fields() if not options.field or field.name in options.field]
    for runs in options.runs:
        for field in fields:
            if (field.name, runs) in known(options.file):  # read again: two may share the work
                continue
            begin = time.perf_counter()
            tests = uniform_places(TEST_PLACES, field.parameters, TEST_SEED)
            exact = field.snapshots(tests)
            found = np.array([errors(field, LatinHypercube(field.parameters, seed=seed).random(runs), tests, exact)
                              for seed in range(options.designs)])
            everything, process, radial, projection = found.mean(axis=0)
            with open(options.file, "a", encoding="utf-8") as file:
                file.write(json.dumps({
                    "field": field.name, "runs": runs, "all_modes": everything, "gaussian_process": process,
                    "rbf": radial, "projection": projection,
                    "each_all_modes": found[:, 0].tolist(), "each_gaussian_process": found[:, 1].tolist(),
                    "each_rbf": found[:, 2].tolist(),
                    "designs": options.designs, "seconds": time.perf_counter() - begin,
                    "versions": f"scikit-learn {sklearn.__version__}, SciPy {scipy.__version__}"}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
