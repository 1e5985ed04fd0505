# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that depend on the parameters, and questions about them."""
import csv
import io
import os
from typing import NamedTuple, Optional

import numpy as np

from . import _native
from ._errors import ArgumentError, require_known
from ._places import numbers, places, real, whole


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
    first: dict #: by the parameter alone
    total: dict #: by the parameter in any company
    pairs: Optional[dict] #: by both beyond either alone; None where indices are by samples
    is_exact: bool #: for the surrogate; else by samples, with standard errors:
    first_error: Optional[dict]
    total_error: Optional[dict]


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


def _inputs(inputs, names):
    listed = []
    for name, value in (inputs or {}).items():
        require_known("parameter", name, names)
        if isinstance(value, str):
            listed.append((name, value))
        else:
            listed.append((name, np.atleast_1d(numbers(value, f"the input {name}")).ravel().tolist()))
    return listed


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


class AnswersOfStudy:
    """The part of Study that answers questions."""

    @property
    def responses(self):
        """tuple of Response: those that are defined; their values are in `respond`."""
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
        """The same, if there is that response (or None is asked for)."""
        if name is not None and self._responses is None: # who has none at all is told of the name first
            require_known("response", name, [r.name for r in self.responses])
        models = self._models()
        if name is not None:
            require_known("response", name, models.names())
        return models

    def respond(self, name=None, points=None, *, gradient=False, **parameters):
        """Values of responses at any parameters: of many places at once, in microseconds each.

        Parameters
        ----------
        name : str, optional
            One of them; all if left out.
        points, **parameters
            As in `evaluate`.
        gradient : bool
            Their derivatives by each parameter instead, in the last axis.

        Returns
        -------
        float or ndarray of float64
            A dict of these by name if all are asked for.
        """
        where, is_one = places(points, parameters, [p.name for p in self.parameters])
        models = self._models_with(name)
        values = models.evaluate(where, bool(gradient))
        by = {known: values[0, k] if is_one else values[:, k] for k, known in enumerate(models.names())}
        return by[name] if name is not None else by

    def response_errors(self):
        """How far responses may be off, by name: (at most, for this share of places, by so many hold-outs)."""
        models = self._models()
        return dict(zip(models.names(), models.errors()))

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
        """
        names = [p.name for p in self.parameters]
        listed = _inputs(inputs, names)
        samples, seed = whole(samples, "samples", 0), whole(seed, "seed", 0)
        models = self._models_with(response)
        results = {}
        for k, name in enumerate(models.names()):
            if response in (None, name):
                results[name] = _influence(models.sobol(k, listed, samples, seed), names)
        return results[response] if response is not None else results

    def match(self, measurements, *, inputs=None, fixed=None, samples=100_000, seed=1):
        """Which parameters explain what was measured, and how surely.

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
        """
        names = [p.name for p in self.parameters]
        for name in fixed or {}:
            require_known("parameter", name, names)
        seed = whole(seed, "seed", 0)
        if whole(samples, "samples", 0) != 0 and not 1000 <= samples <= 100_000_000:
            raise ArgumentError(f"samples={samples} is not possible: take 1000 to 100000000, or 0 for the best fit alone")
        text, source = _table(measurements)
        held = [(name, real(value, f"fixed {name}")) for name, value in (fixed or {}).items()]
        found = _native.match(self._path, text, source, _inputs(inputs, names), held, int(samples), seed,
                              *self._machine())
        posterior = found.pop("posterior")
        parts = {"posterior": None, "r_hat": None, "effective_samples": None}
        if posterior is not None:
            for i, part in enumerate(parts):
                parts[part] = {name: values[i] for name, values in posterior.items()}
        return Match(**found, **parts)


def _influence(found, names):
    def by_name(numbers_):
        return None if numbers_ is None else dict(zip(names, numbers_.tolist()))
    pairs = found["pairs"]
    if pairs is not None:
        pairs = {(a, b): float(pairs[s, t]) for s, a in enumerate(names) for t, b in enumerate(names) if s < t}
    return Influence(found["mean"], found["variance"], by_name(found["first"]), by_name(found["total"]), pairs,
                     found["is_exact"], by_name(found["first_error"]), by_name(found["total_error"]))
