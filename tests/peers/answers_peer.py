#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sobol indices, means and percentiles of gridhelm-cli beside SALib's and OpenTURNS', on the same
surrogate: a plate whose responses are evaluated at the peers' own points.

    tests/peers/answers_peer.py build/release/bin/gridhelm-cli

Peers that are not installed (pip install SALib openturns) are skipped, and that is said. Exits with 1 if
ours is not within five of the peer's own standard errors (SALib: confidence intervals)."""
import csv
import json
import os
import subprocess
import sys
import tempfile

PLAN = """
[[parameter]]
name = "x"
low = 0.25
high = 0.75
[[parameter]]
name = "y"
low = 0.25
high = 0.75
[[parameter]]
name = "width"
low = 0.2
high = 0.8
[grid]
level = 4
[simulation]
builtin = "plate"
resolution = 17
"""
SKIPPED = 77
NAMES = ["x", "y", "width"]
BOUNDS = [[0.25, 0.75], [0.25, 0.75], [0.2, 0.8]]


def run(program, *arguments):
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def responses_at(program, study, points):
    """The mean of the field at many places, by `eval`, which knows nothing of responses."""
    with open("points.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(NAMES)
        writer.writerows(points)
    run(program, "eval", study, "--points", "points.csv", "--probe", "0.3,0.6,0", "--csv", "values.csv")
    with open("values.csv", newline="") as file:
        rows = list(csv.reader(file))
    column = len(rows[0]) - 1  # behind parameters and place
    return [float(row[column]) for row in rows[1:]]


def by_salib(program, study, ours):
    try:
        import numpy
        from SALib.analyze import sobol as analyze
        from SALib.sample import sobol as sample
    except ImportError:
        print("SALib: skipped, not installed")
        return None
    problem = {"num_vars": 3, "names": NAMES, "bounds": BOUNDS}
    points = sample.sample(problem, 2048, calc_second_order=False, seed=1)
    values = numpy.array(responses_at(program, study, points.tolist()))
    theirs = analyze.analyze(problem, values, calc_second_order=False, seed=1)
    good = True
    for t, name in enumerate(NAMES):
        for kind, key in (("first", "S1"), ("total", "ST")):
            error = theirs[key + "_conf"][t] / 1.96
            difference = abs(theirs[key][t] - ours[kind][name])
            good = good and difference <= 5 * error + 1e-4
            print(f"SALib: {name} {kind}: {theirs[key][t]:.4f} +- {error:.4f}, ours {ours[kind][name]:.4f}")
    return good


def by_openturns(program, study, ours):
    try:
        import openturns
    except ImportError:
        print("OpenTURNS: skipped, not installed")
        return None
    inputs = openturns.ComposedDistribution([openturns.Uniform(*bounds) for bounds in BOUNDS])
    size = 4096
    design = openturns.SobolIndicesExperiment(inputs, size, False).generate()
    values = openturns.Sample([[v] for v in responses_at(program, study, [list(p) for p in design])])
    algorithm = openturns.JansenSensitivityAlgorithm(design, values, size)
    good = True
    for kind, indices in (("first", algorithm.getFirstOrderIndices()),
                          ("total", algorithm.getTotalOrderIndices())):
        for t, name in enumerate(NAMES):
            difference = abs(indices[t] - ours[kind][name])
            good = good and difference <= 0.05
            print(f"OpenTURNS: {name} {kind}: {indices[t]:.4f}, ours {ours[kind][name]:.4f}")
    return good


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("plate.toml", "w") as file:
            file.write(PLAN)
        for step in (["plan", "plate.toml"], ["run", "plate.gridhelm"], ["compress", "plate.gridhelm"],
                     ["responses", "plate.gridhelm", "--add", "probe", "--of", "temperature", "--reduce",
                      "value", "--in", "point 0.3,0.6,0"]):
            run(program, *step)
        ours = json.loads(run(program, "sobol", "plate.gridhelm", "--json"))["responses"][0]
        good = [peer(program, "plate.gridhelm", ours) for peer in (by_salib, by_openturns)]
    if False in good:
        sys.exit(1)
    sys.exit(0 if True in good else SKIPPED)


if __name__ == "__main__":
    main()
