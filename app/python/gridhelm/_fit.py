# SPDX-License-Identifier: GPL-3.0-or-later
"""Surrogates of plain arrays, without a study."""
import numpy as np

from . import _native
from ._errors import ArgumentError
from ._places import numbers, places, whole

_ALONE = 20 #: columns of Y that are fitted as they are; more are fitted by their principal components


def fit(X, Y, *, ranges=None, threads=0):
    """Fit a surrogate to scattered runs: kriging, whose form is chosen by the leave-one-out error.

    Parameters
    ----------
    X : array_like (n, d), or frame with a column for each parameter
    Y : array_like (n,) or (n, m)
        What came out at these points.
    ranges : sequence of (low, high), optional
        Of the parameters; the ends of X if left out.
    threads : int
        0 for all.

    Returns
    -------
    Surrogate

    Examples
    --------
    >>> X = numpy.random.default_rng(0).uniform([100, 0.5], [1000, 2], (40, 2))
    >>> drag = gridhelm.fit(X, 1 / X[:, 0] + X[:, 1] ** 2)
    >>> drag([400, 1.2]), drag.deviation([400, 1.2])
    """
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    where = numbers(np.stack([numbers(X[n], f"column {n}") for n in X.columns], 1) if names else X, "X")
    if where.ndim != 2 or 0 in where.shape:
        raise ArgumentError(f"X has the shape {where.shape}: give one row for each run, with a column for each parameter")
    values = numbers(Y, "Y")
    if values.ndim not in (1, 2) or values.shape[0] != where.shape[0] or values.size == 0:
        raise ArgumentError(f"Y has the shape {values.shape}, and X has {where.shape[0]} rows: give as many rows")
    if where.shape[0] < 2:
        raise ArgumentError("X has 1 sample, and a surrogate needs at least 2: make more runs")
    return Surrogate(where, values, _bounds(where, ranges), names, whole(threads, "threads", 0, 2 ** 31 - 1))


def _bounds(where, ranges):
    if ranges is None:
        return where.min(axis=0), where.max(axis=0)
    ends = numbers(ranges, "ranges")
    if ends.shape != (where.shape[1], 2) or not (ends[:, 0] < ends[:, 1]).all():
        raise ArgumentError(f"ranges has the shape {ends.shape}: give (low, high) for each of the {where.shape[1]} "
                            "parameters, low below high")
    if (where < ends[:, 0]).any() or (where > ends[:, 1]).any():
        raise ArgumentError("some rows of X are outside of ranges: widen these, or leave the rows out")
    return ends[:, 0], ends[:, 1]


class Surrogate:
    """What `fit` returns. Any thread may call it.

    Attributes
    ----------
    names : list of str or None
        Of the parameters, if X was a frame.
    leave_one_out : ndarray, as Y
        Each value less what all other runs predict.
    """

    def __init__(self, where, values, bounds, names, threads):
        self.names = names
        self._low, high = bounds
        self._range = np.where(high > self._low, high - self._low, 1.0)
        self._is_flat = values.ndim == 1
        table = values.reshape(len(values), -1)
        self._mean = table.mean(axis=0)
        centred = table - self._mean
        scale = centred.std(axis=0)
        self._scale = np.where(scale > 0, scale, 1.0)
        self._spread = scale if scale.any() else self._scale
        centred /= self._scale
        self._modes = None # rows: what the outputs of the kriging are of Y
        if table.shape[1] > _ALONE:
            _, sizes, modes = np.linalg.svd(centred, full_matrices=False)
            kept = max(1, int((sizes > 1e-10 * max(sizes[0], 1e-300)).sum()))
            self._modes = modes[:kept]
            centred = centred @ self._modes.T
        self._native = _native.fit_kriging(self._unit(where), np.ascontiguousarray(centred), threads)
        self.leave_one_out = self._outputs(self._native.leave_one_out(), 0)

    def __repr__(self):
        outputs = "1 output" if self._is_flat else f"{len(self._mean)} outputs"
        names = ", ".join(self.names) if self.names else f"{len(self._low)} parameters"
        off = np.sqrt(np.mean(np.square(self.leave_one_out)) / np.mean(np.square(self._spread)))
        return (f"<gridhelm.Surrogate: kriging of {outputs} over {names} from {len(self.leave_one_out)} runs, "
                f"leave-one-out error {100 * off:.2g} % of the spread; predict(X, return_std=False)>")

    def _unit(self, where):
        return np.ascontiguousarray((where - self._low) / self._range)

    def _places(self, X, keywords):
        names = self.names or [f"x{t}" for t in range(len(self._low))]
        return places(X, keywords, names)

    def _outputs(self, table, offset):
        if self._modes is not None:
            table = table @ self._modes
        table = table * self._scale + offset
        return table[:, 0] if self._is_flat else table

    def __call__(self, X=None, **parameters):
        """The surrogate at any points, as `Study.evaluate` takes them; linear outside of the ranges."""
        where, is_one = self._places(X, parameters)
        values = self._outputs(self._native.values(self._unit(where)), self._mean)
        return values[0] if is_one else values

    def predict(self, X, return_std=False):
        """The same as a call, with `return_std` as (values, standard deviations): as scikit-learn's estimators."""
        values = self(X)
        return (values, self.deviation(X)) if return_std else values

    def score(self, X, Y):
        """Coefficient of determination (R squared) of predictions at X, the mean over outputs."""
        values = numbers(Y, "Y")
        predicted = np.asarray(self(X))
        if values.shape != predicted.shape:
            raise ArgumentError(f"Y has the shape {values.shape}, and X asks for {predicted.shape}: give as many values")
        off = np.sum((values - predicted) ** 2, axis=0)
        spread = np.sum((values - values.mean(axis=0)) ** 2, axis=0)
        return float(np.mean(1 - off / np.where(spread > 0, spread, 1)))

    def deviation(self, X=None, **parameters):
        """Standard deviations of the same, as the surrogate itself believes."""
        where, is_one = self._places(X, parameters)
        own = self._native.deviations(self._unit(where))
        if self._modes is not None:
            own = np.sqrt(own ** 2 @ self._modes ** 2)
        own = own * self._scale
        values = own[:, 0] if self._is_flat else own
        return values[0] if is_one else values

    def gradient(self, X=None, **parameters):
        """Derivatives by each parameter, in the last axis."""
        where, is_one = self._places(X, parameters)
        slopes = self._native.slopes(self._unit(where))
        if self._modes is not None:
            slopes = np.einsum("nkt,km->nmt", slopes, self._modes)
        slopes = slopes * self._scale[:, None] / self._range
        values = slopes[:, 0] if self._is_flat else slopes
        return values[0] if is_one else values
