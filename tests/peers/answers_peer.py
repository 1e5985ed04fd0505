#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sobol indices of gridhelm-cli beside SALib's and OpenTURNS', and what correlated inputs make of a
response beside OpenTURNS', on the same surrogate: a plate whose responses are evaluated at the peers' own
points.

    tests/peers/answers_peer.py build/release/bin/gridhelm-cli

Peers that are not installed (pip install SALib openturns) are skipped, and that is said. Exits with 1 if
ours is not within five of the peer's own standard errors (SALib: confidence intervals)."""
import math
import sys

from plate_study import BOUNDS, NAMES, exit_code, plate_study

PROBE = "0.3,0.6,0"
SPEARMAN = 0.7  # of x and y


def by_salib(study, ours):
    try:
        import numpy
        from SALib.analyze import sobol as analyze
        from SALib.sample import sobol as sample
    except ImportError:
        print("SALib: skipped, not installed")
        return None
    problem = {"num_vars": 3, "names": NAMES, "bounds": BOUNDS}
    points = sample.sample(problem, 2048, calc_second_order=False, seed=1)
    values = numpy.array(study.values_at(PROBE, points.tolist()))
    theirs = analyze.analyze(problem, values, calc_second_order=False, seed=1)
    good = True
    for t, name in enumerate(NAMES):
        for kind, key in (("first", "S1"), ("total", "ST")):
            error = theirs[key + "_conf"][t] / 1.96
            difference = abs(theirs[key][t] - ours[kind][name])
            good = good and difference <= 5 * error + 1e-4
            print(f"SALib: {name} {kind}: {theirs[key][t]:.4f} +- {error:.4f}, ours {ours[kind][name]:.4f}")
    return good


def joint(openturns, *arguments):
    """The class has another name since OpenTURNS 1.24."""
    name = "JointDistribution" if hasattr(openturns, "JointDistribution") else "ComposedDistribution"
    return getattr(openturns, name)(*arguments)


def by_openturns(study, ours):
    try:
        import openturns
    except ImportError:
        print("OpenTURNS: skipped, not installed")
        return None
    inputs = joint(openturns, [openturns.Uniform(*bounds) for bounds in BOUNDS])
    size = 4096
    design = openturns.SobolIndicesExperiment(inputs, size, False).generate()
    values = openturns.Sample([[v] for v in study.values_at(PROBE, [list(p) for p in design])])
    algorithm = openturns.JansenSensitivityAlgorithm(design, values, size)
    good = True
    for kind, indices in (("first", algorithm.getFirstOrderIndices()),
                          ("total", algorithm.getTotalOrderIndices())):
        for t, name in enumerate(NAMES):
            difference = abs(indices[t] - ours[kind][name])
            good = good and difference <= 0.05
            print(f"OpenTURNS: {name} {kind}: {indices[t]:.4f}, ours {ours[kind][name]:.4f}")
    return good


def spread_by_openturns(study):
    """Of a normal, a beta and a triangular parameter, two of which go together."""
    try:
        import openturns
    except ImportError:
        return None  # said before
    ours = study.json("uncertainty", "--input", "x=normal(0.5,0.08)", "--input", "y=beta(2,3)", "--input",
                      "width=triangular(0.2,0.3,0.8)", "--correlate", f"x,y={SPEARMAN}")["responses"][0]
    openturns.RandomGenerator.SetSeed(1)
    correlation = openturns.CorrelationMatrix(3)
    correlation[0, 1] = SPEARMAN
    copula = openturns.NormalCopula(openturns.NormalCopula.GetCorrelationFromSpearmanCorrelation(correlation))
    inputs = joint(openturns, [openturns.TruncatedNormal(0.5, 0.08, 0.25, 0.75),
                               openturns.Beta(2, 3, 0.25, 0.75), openturns.Triangular(0.2, 0.3, 0.8)], copula)
    size = 20000
    points = [list(point) for point in inputs.getSample(size)]
    theirs = openturns.Sample([[value] for value in study.values_at(PROBE, points)])
    mean, deviation = theirs.computeMean()[0], theirs.computeStandardDeviation()[0]
    kurtosis = theirs.computeKurtosis()[0]
    checks = [("mean", mean, ours["mean"], deviation / math.sqrt(size)),
              ("deviation", deviation, ours["deviation"],
               deviation * math.sqrt((kurtosis - 1) / (4 * size)))]
    for percentile in ours["percentiles"]:
        share = percentile["percentile"] / 100
        near = 0.01  # what the density there is, for the error of a percentile
        low, high = (theirs.computeQuantile(s)[0] for s in (share - near, share + near))
        error = math.sqrt(share * (1 - share) / size) * (high - low) / (2 * near)
        checks.append((f"percentile {percentile['percentile']}", theirs.computeQuantile(share)[0],
                       percentile["value"], error))
    good = True
    for what, value, own, error in checks:
        good = good and abs(value - own) <= 5 * error
        print(f"OpenTURNS: {what}: {value:.5f} +- {error:.5f}, ours {own:.5f}")
    # That the correlation matters: independent inputs would have been told from these.
    apart = study.json("uncertainty", "--input", "x=normal(0.5,0.08)", "--input", "y=beta(2,3)", "--input",
                       "width=triangular(0.2,0.3,0.8)")["responses"][0]
    return good and abs(apart["deviation"] - deviation) > 5 * checks[1][3]


def main():
    with plate_study(sys.argv[1]) as study:
        study.add_probe("probe", PROBE)
        ours = study.json("sobol")["responses"][0]
        good = [by_salib(study, ours), by_openturns(study, ours), spread_by_openturns(study)]
    sys.exit(exit_code(good))


if __name__ == "__main__":
    main()
