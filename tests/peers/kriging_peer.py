#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kriging beside scikit-learn's Gaussian process, on the same runs.

    gridhelm-cli bench kriging --export RUNS.csv --json > ours.json
    kriging_peer.py RUNS.csv ours.json

The file has a line for each run and each test place: case, "run" or "test", coordinates, value. What is
compared is the relative 2-norm of the error at the test places, of the peer with a Matern 5/2 kernel with
one length for each parameter, a constant mean (values less their mean) and a small nugget. Exit 77
(skipped) without scikit-learn, 1 if we are worse by more than a half in the geometric mean.
"""
import csv
import json
import math
import sys
import time
import warnings

try:
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel
except ImportError as missing:
    print(f"SKIP: {missing}; pip install scikit-learn")
    sys.exit(77)


def read(path):
    """{case: {"run": (places, values), "test": ...}}"""
    lines = {}
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.reader(file):
            lines.setdefault(line[0], {}).setdefault(line[1], []).append([float(word) for word in line[2:]])
    return {case: {kind: (np.array(rows)[:, :-1], np.array(rows)[:, -1]) for kind, rows in kinds.items()}
            for case, kinds in lines.items()}


def peer_error(runs, tests):
    places, values = runs
    kernel = (ConstantKernel(1.0, (1e-3, 1e6))
              * Matern(np.full(places.shape[1], 0.5), (1e-2, 1e2), nu=2.5)
              + WhiteKernel(1e-6, (1e-12, 1e-1)))
    process = GaussianProcessRegressor(kernel, normalize_y=True, n_restarts_optimizer=1, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        process.fit(places, values)
    return float(np.linalg.norm(process.predict(tests[0]) - tests[1]) / np.linalg.norm(tests[1]))


def main():
    cases = read(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        ours = {case["case"]: case for case in json.load(file)["cases"]}
    logarithms = []
    print(f"{'case':20} {'ours':>9} {'peer':>9} {'ratio':>6}   {'ours':>6} {'peer':>6}")
    for name, case in cases.items():
        begin = time.perf_counter()
        peer = peer_error(case["run"], case["test"])
        seconds = time.perf_counter() - begin
        our = ours[name]["relative_error"]
        logarithms.append(math.log(our / peer))
        print(f"{name:20} {our:9.5f} {peer:9.5f} {our / peer:6.2f}   {ours[name]['seconds']:5.2f}s {seconds:5.2f}s",
              flush=True)
    mean = math.exp(sum(logarithms) / len(logarithms))
    print(f"geometric mean of the ratios: {mean:.2f}")
    return 0 if mean < 1.5 else 1


if __name__ == "__main__":
    sys.exit(main())
