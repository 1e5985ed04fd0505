#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The posterior of gridhelm-cli match beside emcee's, on the same surrogate: a plate with three sensors.

    tests/peers/posterior_peer.py build/release/bin/gridhelm-cli

Without emcee (pip install emcee) it is skipped, and that is said. Of degree 1 the surrogate is piecewise
multilinear between the points of a full grid, so that the peer evaluates it exactly from its values there, which
`eval` says. Exits with 1 if means, deviations, or ends of the 95 % ranges differ by more than five of
their standard errors."""
import csv
import itertools
import sys

from plate_study import BOUNDS, NAMES, exit_code, plate_study

SENSORS = ["0.3,0.6,0", "0.7,0.2,0", "0.5,0.5,0"]
TRUTH = [0.42, 0.55, 0.47]
SIGMA = 0.02  # share of each measured value
LOGARITHMIC = ["width"]
CELLS = 16  # of each parameter: no surrogate of level 4 has kinks elsewhere


class Emulator:
    """Multilinear between the values at the points of a full grid."""

    def __init__(self, numpy, study):
        self.numpy = numpy
        axes = [(numpy.geomspace if name in LOGARITHMIC else numpy.linspace)(low, high, CELLS + 1)
                for name, (low, high) in zip(NAMES, BOUNDS)]
        points = [list(point) for point in itertools.product(*axes)]
        shape = [CELLS + 1] * len(axes)
        self.values = [numpy.reshape(study.values_at(place, points), shape) for place in SENSORS]

    def __call__(self, places):
        """Of places x parameters, places x sensors."""
        numpy = self.numpy
        at = numpy.array(places, dtype=float)
        for t, (low, high) in enumerate(BOUNDS):
            scale = numpy.log if NAMES[t] in LOGARITHMIC else numpy.asarray
            at[:, t] = (scale(at[:, t]) - scale(low)) / (scale(high) - scale(low)) * CELLS
        cell = numpy.clip(at.astype(int), 0, CELLS - 1)
        part = at - cell
        sums = numpy.zeros((len(at), len(SENSORS)))
        for corner in itertools.product((0, 1), repeat=len(BOUNDS)):
            weight = numpy.prod(numpy.where(corner, part, 1 - part), axis=1)
            node = tuple((cell + corner).T)
            for k, values in enumerate(self.values):
                sums[:, k] += weight * values[node]
        return sums


def by_emcee(study):
    try:
        import emcee
        import numpy
    except ImportError:
        print("emcee: skipped, not installed")
        return None
    emulator = Emulator(numpy, study)
    random = numpy.random.default_rng(1)
    low, high = numpy.array(BOUNDS).T
    somewhere = low + random.random((50, 3)) * (high - low)
    exact = numpy.array([study.values_at(place, somewhere.tolist()) for place in SENSORS]).T
    if abs(emulator(somewhere) - exact).max() > 1e-4 * abs(exact).max():
        print("emcee: the emulator is not the surrogate: take more CELLS")
        return False

    measured = emulator([TRUTH])[0]
    sigma = SIGMA * abs(measured)
    with open("sensors.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["response", "value", "sd"])
        writer.writerows([f"s{k}", repr(float(measured[k])), repr(float(sigma[k]))] for k in range(3))
    ours = study.json("match", "sensors.csv", "--samples", "400000", "--csv", "ours.csv")["posterior"]

    def log_posterior(places):
        inside = ((places >= low) & (places <= high)).all(axis=1)
        residuals = (emulator(numpy.clip(places, low, high)) - measured) / sigma
        return numpy.where(inside, -0.5 * (residuals**2).sum(axis=1), -numpy.inf)

    numpy.random.seed(1)
    walkers = 64
    start = low + random.random((walkers, 3)) * (high - low)
    sampler = emcee.EnsembleSampler(walkers, 3, log_posterior, vectorize=True)
    sampler.run_mcmc(start, 10000)
    chains = sampler.get_chain(discard=2000)
    effective = chains.shape[0] * walkers / sampler.get_autocorr_time(discard=2000, tol=0)
    theirs = chains.reshape(-1, 3)
    own = numpy.loadtxt("ours.csv", delimiter=",", skiprows=1)
    with open("ours.csv") as file:
        columns = file.readline().strip().split(",")
    good = True
    for t, name in enumerate(NAMES):
        mine = own[:, columns.index(name)]
        count = min(effective[t], ours["parameters"][name]["effective_samples"])
        deviation = theirs[:, t].std()
        checks = [("mean", theirs[:, t].mean(), mine.mean(), deviation / count**0.5),
                  ("deviation", deviation, mine.std(), deviation / count**0.5)]
        for share in (0.025, 0.975):
            near = numpy.quantile(theirs[:, t], [share - 0.01, share + 0.01])
            error = (share * (1 - share) / count)**0.5 * (near[1] - near[0]) / 0.02
            checks.append((f"{share:.1%} end", numpy.quantile(theirs[:, t], share),
                           numpy.quantile(mine, share), error))
        for what, value, ours_is, error in checks:
            error *= 2**0.5  # both are samples
            good = good and abs(value - ours_is) <= 5 * error
            print(f"emcee: {name} {what}: {value:.5f} +- {error:.5f}, ours {ours_is:.5f}")
    # Rows belong together: x and width, say, trade against each other as they do for the peer.
    together = numpy.corrcoef(theirs.T), numpy.corrcoef(own[:, [columns.index(n) for n in NAMES]].T)
    difference = abs(together[0] - together[1]).max()
    print(f"emcee: correlations differ by at most {difference:.4f}")
    return bool(good and difference <= 10 / min(effective)**0.5)


def main():
    with plate_study(sys.argv[1], basis='treatment = "boundary"\ndegree = 1') as study:
        for k, place in enumerate(SENSORS):
            study.add_probe(f"s{k}", place)
        good = [by_emcee(study)]
    sys.exit(exit_code(good))


if __name__ == "__main__":
    main()
