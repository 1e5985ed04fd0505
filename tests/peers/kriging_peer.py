#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kriging beside scikit-learn's Gaussian process, on the same runs.

    kriging_peer.py gridhelm-cli [option of bench kriging ...]

What is compared is the relative 2-norm of the error at the test places of `bench kriging`; the peer has a
Matern 5/2 kernel with one length for each parameter, a constant mean (values less their mean) and a small
nugget. Exit 77 (skipped) without scikit-learn, 1 if our errors are larger than the peer's in the geometric
mean.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import time

try:
    from gaussian_process import fitted, np
except ImportError as missing:
    print(f"SKIP: {missing}; pip install scikit-learn")
    sys.exit(77)


def our_results(program, options):
    """Runs and test places of each case, as read() has them, and what `bench kriging` says of them."""
    with tempfile.TemporaryDirectory() as folder:
        runs = os.path.join(folder, "runs.csv")
        command = [program, "bench", "kriging", "--json", "--export", runs, *options]
        document = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return read(runs), {case["case"]: case for case in document["cases"]}


def read(path):
    """{case: {"run": (places, values), "test": ...}}"""
    lines = {}
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.reader(file):
            lines.setdefault(line[0], {}).setdefault(line[1], []).append([float(word) for word in line[2:]])
    return {case: {kind: (np.array(rows)[:, :-1], np.array(rows)[:, -1]) for kind, rows in kinds.items()}
            for case, kinds in lines.items()}


def peer_error(runs, tests):
    process = fitted(*runs, restarts=1)
    return float(np.linalg.norm(process.predict(tests[0]) - tests[1]) / np.linalg.norm(tests[1]))


def main():
    cases, ours = our_results(sys.argv[1], sys.argv[2:])
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
    return 0 if mean < 1 else 1


if __name__ == "__main__":
    sys.exit(main())
