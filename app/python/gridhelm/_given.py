# SPDX-License-Identifier: GPL-3.0-or-later
"""What questions are asked with, looked at: how parameters are distributed, percentiles, samples."""
import numpy as np

from ._errors import ArgumentError, require_known
from ._places import numbers, real, whole


def given_inputs(inputs, names):
    listed = []
    if not isinstance(inputs, (dict, type(None))):
        raise ArgumentError(f"inputs is a {type(inputs).__name__}: write {{\"Re\": \"normal(400, 50)\"}}")
    for name, value in (inputs or {}).items():
        require_known("parameter", name, names)
        if isinstance(value, str):
            listed.append((name, value))
        else:
            listed.append((name, np.atleast_1d(numbers(value, f"the input {name}")).ravel().tolist()))
    return listed


def given_correlations(correlations, names):
    """[(name, name, correlation)] of {(name, name): correlation}."""
    listed = []
    if not isinstance(correlations, (dict, type(None))):
        raise ArgumentError(f"correlations is a {type(correlations).__name__}: write {{(\"a\", \"b\"): 0.5}}, with the "
                            "names of two parameters")
    for pair, value in (correlations or {}).items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(f"correlations has {pair!r}: write {{(\"a\", \"b\"): 0.5}}, with the names of two "
                                "parameters")
        for name in pair:
            require_known("parameter", name, names)
        listed.append((*pair, real(value, f"the correlation of {pair[0]} and {pair[1]}")))
    return listed


def given_joint(joint, inputs, names):
    """Columns of samples that belong together row by row: [(name, values)]."""
    if joint is None:
        return []
    if not isinstance(joint, dict) and not hasattr(joint, "columns"):
        raise ArgumentError(f"joint is a {type(joint).__name__}: give a frame, or columns by name, as the posterior of "
                            "match() has them")
    columns = list(joint) if isinstance(joint, dict) else [str(c) for c in joint.columns if str(c) in names]
    if not columns:
        raise ArgumentError(f"joint has none of the parameters ({', '.join(names)}): name its columns after them")
    for name in columns:
        require_known("parameter", name, names)
        if name in (inputs or {}):
            raise ArgumentError(f"{name} is given twice, in joint and in inputs: say once how it is distributed")
    return [(name, numbers(joint[name], f"joint {name}").ravel().tolist()) for name in columns]


def given_percentiles(percentiles):
    listed = np.atleast_1d(numbers(percentiles, "percentiles")).ravel()
    if ((listed < 0) | (listed > 100)).any() or (np.diff(listed) <= 0).any():
        raise ArgumentError(f"percentiles={percentiles!r} is not possible: give numbers from 0 to 100 that ascend")
    return listed.tolist()


def given_samples(samples, least, most=10_000_000):
    count = whole(samples, "samples", 0)
    if count != 0 and not least <= count <= most:
        raise ArgumentError(f"samples={samples!r} is not possible: take {least} to {most}, or 0 for as many as make sense")
    return count
