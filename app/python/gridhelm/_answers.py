# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that depend on the parameters, and questions about them."""
import csv
import io
import os
import sys
import warnings
from typing import NamedTuple, Optional

import numpy as np

from . import _native
from ._errors import ArgumentError, GridhelmError, require_known
from ._given import given_correlations, given_inputs, given_joint, given_percentiles, given_samples
from ._places import places, real, whole


class Response(NamedTuple):
    """A number that every state of the fields has: see `Study.response`."""
    name: str
    unit: str
    of: str #: a field, or a formula of fields
    reduce: str #: how many values become one
    on: str #: where; empty: the whole mesh


class Influence(NamedTuple):
    """Which parameters a response's variance comes from (Sobol' indices), by parameter."""
    mean: float
    variance: float
    first: dict #: first-order index of the parameter
    total: dict #: total index of the parameter
    pairs: Optional[dict] #: by both beyond either alone; None where indices are by samples
    is_exact: bool #: for the surrogate; else by samples, with standard errors:
    first_error: Optional[dict]
    total_error: Optional[dict]
    is_constant: bool #: to round-off: there is no variance to share out


class ShapleyEffects(NamedTuple):
    """What each parameter has to do with a response's variance, also where they are correlated: see `Study.shapley`."""
    mean: float
    variance: float
    effects: dict #: of each parameter; they add up to 1
    is_exact: bool #: for the surrogate; else by so many evaluations, with standard errors:
    evaluations: int
    errors: Optional[dict]
    is_constant: bool #: to round-off: there is no variance to share out


class Proportion(NamedTuple):
    """A share of samples, and between which shares the truth is for 19 of 20 such samples."""
    share: float
    low: float
    high: float


class Density(NamedTuple):
    """How likely which value is: a curve."""
    at: np.ndarray #: values, evenly spread from the lowest to the highest sample
    density: np.ndarray #: there
    bandwidth: float #: standard deviation of what each sample was widened by
    most_likely: float #: where the curve is highest


class Spread(NamedTuple):
    """What the parameters' uncertainty makes of a response: see `Study.uncertainty`."""
    mean: float
    deviation: float #: standard
    low: float #: of all samples
    high: float
    percentiles: dict #: values that these percents of cases do not exceed
    above: Optional[Proportion] #: how often it is above what was asked for
    counts: np.ndarray #: samples in each bar of a histogram
    edges: np.ndarray #: of its bars, one more
    density: Optional[Density] #: None where many cases have one and the same value


class Validation(NamedTuple):
    """A response at runs that its surrogate does not know: see `Study.validation`."""
    runs: tuple #: their names
    points: np.ndarray #: their parameters, a row for each run
    actual: np.ndarray #: of the run's own fields
    predicted: np.ndarray #: without that run
    is_left_out: bool #: each run was predicted from all others; else these are validation points
    rms: float #: root mean square error
    r2: Optional[float] #: coefficient of determination; None where all runs have one value


class Match(NamedTuple):
    """Which parameters explain what was measured: see `Study.match`."""
    at: dict #: the best fit
    determined: dict #: whether the measurements determine it there
    chi_square: float
    measured: np.ndarray
    predicted: np.ndarray #: at the best fit
    residuals: np.ndarray #: in standard deviations
    posterior: Optional[dict] #: samples of each parameter; None if none were asked for
    r_hat: Optional[dict]
    effective_samples: Optional[dict]
    has_converged: bool
    doubts: list #: what the measurements cannot tell, as sentences


def _table(measurements):
    """(CSV, what errors call it) of a file, a frame, or rows or columns by name."""
    if isinstance(measurements, (str, os.PathLike)):
        path = os.fspath(measurements)
        try:
            with open(path, encoding="utf-8-sig") as file:
                return file.read(), path
        except (OSError, ValueError) as error: # a path that cannot be, or bytes that are not UTF-8
            raise ArgumentError(f"{path} cannot be read ({error}): name a CSV file") from error
    if hasattr(measurements, "columns"):
        columns = {str(name): list(measurements[name]) for name in measurements.columns}
    elif isinstance(measurements, dict):
        columns = {str(name): list(values) for name, values in measurements.items()}
    else:
        rows = list(measurements)
        if not all(isinstance(row, dict) for row in rows):
            raise ArgumentError("measurements are a CSV file, a frame, a dict of columns or a list of dicts: "
                                f"give one of these, not a {type(measurements).__name__}")
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name, "") for row in rows] for name in names}
    if len({len(values) for values in columns.values()}) > 1:
        raise ArgumentError("the columns of the measurements have several lengths: give a value, or None, for each")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    def cell(value):
        is_missing = value is None or (isinstance(value, (float, np.floating)) and np.isnan(value))
        return "" if is_missing else repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
    writer.writerows([cell(value) for value in row] for row in zip(*columns.values()))
    return text.getvalue(), "the measurements"


def _warn_the_caller(sentence):
    """A warning that names the line outside of this package: Python shows each once for each line."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, UserWarning, stacklevel=level)


class AnswersOfStudy:
    """The part of Study that answers questions."""

    @property
    def responses(self):
        """tuple of Response: those that are defined; their values are in `respond`.

        Until there is one, the mean, the smallest and the largest value of each of the first three fields.
        """
        return tuple(Response(*r) for r in _native.response_definitions(self._path))

    def response(self, name, of, *, reduce="mean", on="", unit=""):
        """Define a number that every state has. It is kept in the study.

        Parameters
        ----------
        name : str
            A definition of the same name is replaced.
        of : str
            A field, or a formula of fields: ``"U_x"``, ``"mag(U)"``, ``"p + 0.5 * mag(U)^2"``.
        reduce : str
            "mean", "integral", "minimum", "maximum", "value" ... In a study over time
            "maximum, mean in time", "mean, first above 0.5 in time" ... are one number of all
            times.
        on : str
            Where: "box 0,0,0,1,1,1", "point 0.5,0.5,0" ...; the whole mesh if left out.
        unit : str
            For people.

        Returns
        -------
        Response

        Examples
        --------
        >>> study.response("peak", "mag(velocity)", reduce="maximum", unit="m/s")
        >>> study.response("drop", "pressure", reduce="mean", on="box 0,0,0,0.5,1,0")
        """
        _native.define_response(self._path, str(name), str(unit), str(of), str(reduce), str(on), *self._machine())
        self._responses = None
        return next(r for r in self.responses if r.name == str(name))

    def forget(self, name):
        """Remove a response."""
        require_known("response", name, [r.name for r in self.responses])
        _native.forget_response(self._path, name)
        self._responses = None

    def _machine(self):
        return self._options["devices"], self._options["threads"]

    def _models(self):
        """What evaluates the responses; made again when the file has changed."""
        revision = self._native.revision() # before they are read: what comes meanwhile is seen the next time
        known = self._responses
        if known is None or known[0] != revision:
            self._responses = known = revision, _native.responses_of(self._path, *self._machine())
        return known[1]

    def _models_with(self, name):
        """The same, if that response can be had; of all (None) those that can, and a warning of each other one."""
        if name is not None and self._responses is None: # who has none at all is told of the name first
            require_known("response", name, [r.name for r in self.responses])
        models = self._models()
        refused = dict(models.refused())
        if name is not None:
            require_known("response", name, models.names() + list(refused))
            if name in refused:
                raise GridhelmError(refused[name])
        elif not models.names():
            raise GridhelmError(next(iter(refused.values())))
        else:
            for sentence in refused.values():
                _warn_the_caller("left out: " + sentence)
        return models

    def respond(self, name=None, points=None, *, gradient=False, **parameters):
        """Values of responses at any parameters: of many points at once, in microseconds each.

        Parameters
        ----------
        name : str, optional
            One of them; if left out all that can be had, with a warning that says what others lack.
        points, **parameters
            As in `evaluate`.
        gradient : bool
            Their derivatives by each parameter instead, in the last axis.

        Returns
        -------
        float or ndarray of float64
            A dict of these by name if all are asked for.

        Examples
        --------
        >>> study.respond("peak", Re=400, t=2.5)
        >>> study.respond("peak", Re=numpy.linspace(100, 1000, 50), t=5)
        """
        where, is_one = places(points, parameters, [p.name for p in self.parameters])
        models = self._models_with(name)
        values = models.evaluate(where, bool(gradient))
        by = {known: values[0, k] if is_one else values[:, k] for k, known in enumerate(models.names())}
        return by[name] if name is not None else by

    def response_errors(self):
        """Error bounds of responses, by name: (bound, its coverage, number of validation points)."""
        models = self._models_with(None)
        return dict(zip(models.names(), models.errors()))

    def validation(self, response=None):
        """A response's predicted beside its actual values, for a parity plot.

        At validation points where the study has some; else, of kriged fields, at the runs themselves, each predicted
        without itself.

        Parameters
        ----------
        response : str, optional
            One of them; those that have runs to compare with if left out.

        Returns
        -------
        Validation
            A dict of these by name if all are asked for.

        Examples
        --------
        >>> parity = study.validation("peak")
        >>> matplotlib.pyplot.scatter(parity.actual, parity.predicted)
        """
        models = self._models_with(response)
        found = dict(zip(models.names(), models.validations(self._path)))
        if response is not None:
            if isinstance(found[response], str):
                raise GridhelmError(f"{response}: {found[response]}")
            return Validation(*found[response])
        return {name: Validation(*one) for name, one in found.items() if not isinstance(one, str)}

    def sobol(self, response=None, *, inputs=None, samples=0, seed=1):
        """Which parameters a response's variance comes from.

        Parameters
        ----------
        response : str, optional
            One of them; all if left out.
        inputs : dict, optional
            How parameters are distributed: ``{"Re": "normal(400, 50)"}``, or samples; a number holds it there.
            Uniform over the range if left out.
        samples, seed : int
            Where indices are not exact; 0 for as many as make sense.

        Returns
        -------
        Influence
            A dict of these by name if all are asked for.

        Examples
        --------
        >>> study.sobol("peak", inputs={"Re": "normal(400, 50)"}).total["Re"]
        """
        names = [p.name for p in self.parameters]
        listed = given_inputs(inputs, names)
        samples, seed = given_samples(samples, 256), whole(seed, "seed", 0)
        def ask(models, k):
            return _influence(models.sobol(k, listed, samples, seed), names)
        return self._of_each(response, ask)

    def shapley(self, response=None, *, inputs=None, correlations=None, samples=0, seed=1):
        """What each parameter has to do with a response's variance, also where parameters are correlated.

        A parameter's Shapley effect is what it adds to what is known of the response, on average over all orders
        in which parameters may become known. They are shares: none is negative, and together they are 1.

        Parameters
        ----------
        response : str, optional
            One of them; all if left out.
        inputs : dict, optional
            As in `sobol`.
        correlations : dict, optional
            Rank correlations of pairs: ``{("Re", "t"): 0.7}``.
        samples, seed : int
            For each set of parameters where effects are not exact; 0 for as many as make sense.

        Returns
        -------
        ShapleyEffects
            A dict of these by name if all are asked for.

        Examples
        --------
        >>> study.shapley("peak", correlations={("Re", "t"): 0.7}).effects
        """
        names = [p.name for p in self.parameters]
        listed, together = given_inputs(inputs, names), given_correlations(correlations, names)
        samples, seed = given_samples(samples, 256), whole(seed, "seed", 0)
        def ask(models, k):
            return _effects(models.shapley(k, listed, together, samples, seed), names)
        return self._of_each(response, ask)

    def _of_each(self, response, ask):
        """ask(models, k) of one response, or of all, by name."""
        models = self._models_with(response)
        known = models.names()
        if response is not None:
            return ask(models, known.index(response))
        return {name: ask(models, k) for k, name in enumerate(known)}

    def uncertainty(self, response=None, *, inputs=None, correlations=None, joint=None, percentiles=(5, 50, 95),
                    above=None, bins=20, samples=0, seed=1):
        """What the uncertainty of the parameters makes of responses.

        Parameters
        ----------
        response : str, optional
            One of them; all, of the same samples, if left out.
        inputs, correlations : dict, optional
            As in `shapley`.
        joint : frame or dict of columns, optional
            Samples of several correlated parameters, row by row, as the `posterior` of `match`.
        percentiles : sequence of float
            Which, ascending.
        above : float, optional
            Say how often the response is above this.
        bins : int
            Bars of the histogram.
        samples, seed : int
            0 for as many as make sense.

        Returns
        -------
        Spread
            A dict of these by name if all are asked for. What the surrogate itself may be off is said by
            `response_errors`.

        Examples
        --------
        >>> spread = study.uncertainty("peak", inputs={"Re": "normal(400, 50)"}, above=0.9)
        >>> spread.percentiles[95], spread.above.share
        >>> matplotlib.pyplot.plot(spread.density.at, spread.density.density)
        >>> study.uncertainty("peak", joint=study.match("measured.csv").posterior).deviation
        """
        names = [p.name for p in self.parameters]
        listed, together = given_inputs(inputs, names), given_correlations(correlations, names)
        columns, wanted = given_joint(joint, inputs, names), given_percentiles(percentiles)
        threshold = None if above is None else real(above, "above")
        bins = whole(bins, "bins", 1, 1000)
        samples, seed = given_samples(samples, 16), whole(seed, "seed", 0)
        models = self._models_with(response)
        known = models.names()
        found = models.spreads(None if response is None else known.index(response), listed, together, columns,
                               [percentile / 100 for percentile in wanted], threshold, bins, samples, seed)
        spreads = [_spread(one, wanted) for one in found]
        return spreads[0] if response is not None else dict(zip(known, spreads))

    def match(self, measurements, *, inputs=None, fixed=None, samples=100_000, seed=1):
        """Calibration: which parameters explain what was measured, and how surely.

        Parameters
        ----------
        measurements : path, frame, dict of columns or list of dicts
            Columns "value", "sd" (standard deviation), and either "response" or "quantity" with "x", "y", "z".
            A column with a parameter's name has values of it that were known.
        inputs : dict, optional
            What was known before, as in `sobol`.
        fixed : dict, optional
            Parameters that were known, and the same for all.
        samples : int
            Of the posterior; 0 for the best fit alone.

        Returns
        -------
        Match

        Examples
        --------
        >>> study.match("measured.csv").at
        >>> study.match([{"response": "peak", "value": 0.8, "sd": 0.01}], fixed={"t": 2.5}).posterior["Re"].mean()
        """
        names = [p.name for p in self.parameters]
        for name in fixed or {}:
            require_known("parameter", name, names)
        seed = whole(seed, "seed", 0)
        if whole(samples, "samples", 0) != 0 and not 1000 <= samples <= 100_000_000:
            raise ArgumentError(f"samples={samples} is not possible: take 1000 to 100000000, or 0 for the best fit alone")
        text, source = _table(measurements)
        held = [(name, real(value, f"fixed {name}")) for name, value in (fixed or {}).items()]
        found = _native.match(self._path, text, source, given_inputs(inputs, names), held, int(samples), seed,
                              *self._machine())
        posterior = found.pop("posterior")
        parts = {"posterior": None, "r_hat": None, "effective_samples": None}
        if posterior is not None:
            for i, part in enumerate(parts):
                parts[part] = {name: values[i] for name, values in posterior.items()}
        return Match(**found, **parts)


def _by_name(shares, names):
    return None if shares is None else dict(zip(names, shares.tolist()))


def _influence(found, names):
    pairs = found["pairs"]
    if pairs is not None:
        pairs = {(a, b): float(pairs[s, t]) for s, a in enumerate(names) for t, b in enumerate(names) if s < t}
    return Influence(found["mean"], found["variance"], _by_name(found["first"], names), _by_name(found["total"], names),
                     pairs, found["is_exact"], _by_name(found["first_error"], names),
                     _by_name(found["total_error"], names), found["is_constant"])


def _effects(found, names):
    return ShapleyEffects(found["mean"], found["variance"], _by_name(found["effects"], names), found["is_exact"],
                          found["evaluations"], _by_name(found["errors"], names), found["is_constant"])


def _spread(found, percentiles):
    low, high, density = found["low"], found["high"], found["density"]
    if density is not None:
        values, bandwidth, most_likely = density
        density = Density(np.linspace(low, high, len(values)), values, bandwidth, most_likely)
    counts = np.array(found["counts"], np.int64)
    return Spread(found["mean"], found["deviation"], low, high, dict(zip(percentiles, found["percentiles"])),
                  None if found["above"] is None else Proportion(*found["above"]), counts,
                  np.linspace(low, high, len(counts) + 1), density)
