# SPDX-License-Identifier: GPL-3.0-or-later
"""Influence, uncertainty and error at every value of a field."""
from typing import NamedTuple, Optional

import numpy as np

from . import _native
from ._errors import require_known
from ._given import given_correlations, given_inputs, given_joint, given_percentiles, given_samples
from ._places import real, whole

_USUAL_SAMPLES = 2048 #: of uncertainty_maps; as the command line's
_MOST_SAMPLES = 65_536


class InfluenceMaps(NamedTuple):
    """Which parameters the variance at each value of a field comes from; arrays are shaped as the field."""
    mean: np.ndarray
    variance: np.ndarray
    first: dict #: first-order index of the parameter
    total: dict #: total index of the parameter
    is_exact: bool #: for the surrogate; else by samples
    body: Optional[np.ndarray] #: share of cases with a body; None where its shape is the same in all


class SpreadMaps(NamedTuple):
    """What the parameters' uncertainty makes of each value of a field; arrays are shaped as the field."""
    mean: np.ndarray
    deviation: np.ndarray #: standard
    percentiles: dict #: values that these percents of cases do not exceed
    above: Optional[np.ndarray] #: share of cases above what was asked for
    body: Optional[np.ndarray] #: share of cases with a body; None where its shape is the same in all


class ErrorMap(NamedTuple):
    """Error bound of a field at each of its values, calibrated at validation points."""
    at_most: np.ndarray #: shaped as the field; nan where no validation point has a body
    coverage: float #: of the parameter space, at each value by itself
    holdouts: int


class MapsOfStudy:
    """The part of Study that has an answer for each value of a field."""

    def _field_named(self, field):
        """What shapes a map of the field, and what its numbers stand for."""
        facts = self._facts()
        fields = {f.name: f for f in facts.fields}
        require_known("field", field, list(fields))
        of = fields[field]
        def shaped(values):
            return values if of.components == 1 else values.reshape(of.entities, of.components)
        return shaped, facts.stored[list(fields).index(field)]

    def sobol_maps(self, field, *, inputs=None, samples=0, seed=1):
        """Which parameters the variance at each value of a field comes from.

        Parameters
        ----------
        field : str
        inputs, samples, seed
            As in `sobol`.

        Returns
        -------
        InfluenceMaps
            Where a body's shape depends on the parameters as in `uncertainty_maps`.

        Examples
        --------
        >>> maps = study.sobol_maps("pressure")
        >>> study.mesh().pyvista(share=maps.first["Re"])
        """
        shaped, stored = self._field_named(field)
        names = [p.name for p in self.parameters]
        found = _native.sobol_maps(self._path, field, given_inputs(inputs, names), given_samples(samples, 256),
                                   whole(seed, "seed", 0), *self._machine())
        first, total = ({name: shaped(map_) for name, map_ in zip(names, found[part])} for part in ("first", "total"))
        variance = stored.differences(stored.differences(found["variance"]))
        return InfluenceMaps(shaped(stored.values(found["mean"])), shaped(variance), first, total, found["is_exact"],
                             None if found["body"] is None else shaped(found["body"]))

    def uncertainty_maps(self, field, *, inputs=None, correlations=None, joint=None, percentiles=(5, 50, 95), above=None,
                         samples=_USUAL_SAMPLES, seed=1):
        """What the uncertainty of the parameters makes of each value of a field.

        Parameters
        ----------
        field : str
        inputs, correlations, joint, percentiles, above, seed
            As in `uncertainty`.
        samples : int
            At most 65536.

        Returns
        -------
        SpreadMaps
            What the surrogate itself may be off is said by `error_map`. Where a body's shape depends on the
            parameters, values are over all cases, continued beyond its surface in those of them that have no body
            there (`body` is the share of those that have one), and nan where it never is.

        Examples
        --------
        >>> maps = study.uncertainty_maps("pressure", inputs={"Re": "normal(400, 50)"}, above=0.5)
        >>> maps.percentiles[95].max(), maps.above.max()
        """
        shaped, stored = self._field_named(field)
        names = [p.name for p in self.parameters]
        wanted = given_percentiles(percentiles)
        found = _native.spread_maps(
            self._path, field, given_inputs(inputs, names), given_correlations(correlations, names),
            given_joint(joint, inputs, names), [percentile / 100 for percentile in wanted],
            None if above is None else (real(above, "above") - stored.offset) / stored.scale,
            given_samples(samples, 16, _MOST_SAMPLES) or _USUAL_SAMPLES, whole(seed, "seed", 0), *self._machine())
        return SpreadMaps(shaped(stored.values(found["mean"])), shaped(stored.differences(found["deviation"])),
                          {percentile: shaped(stored.values(map_)) for percentile, map_ in zip(wanted, found["percentiles"])},
                          *(None if found[part] is None else shaped(found[part]) for part in ("above", "body")))

    def error_map(self, field):
        """Error bound of a field at each of its values, wherever the parameters are, by validation points.

        Parameters
        ----------
        field : str

        Returns
        -------
        ErrorMap or None
            None where it was not measured.

        Examples
        --------
        >>> study.error_map("pressure").at_most.max()
        """
        shaped, stored = self._field_named(field)
        found = _native.error_map(self._path, field, *self._machine())
        return None if found is None else ErrorMap(shaped(stored.differences(found[0])), *found[1:])
