# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked for, looked at: places (as one array, states x parameters), numbers, files."""
import itertools
import math
import operator
import os

import numpy as np

from ._errors import ArgumentError, require_known


def numbers(values, what):
    """`values` as finite numbers of double precision, whatever their order in memory."""
    try:
        array = np.asarray(values)
    except ValueError as error: # rows of several lengths
        raise ArgumentError(f"{what} is no array: its rows have several lengths; give all of them as many "
                            "numbers") from error
    if array.dtype.kind not in "iuf":
        raise ArgumentError(f"{what} is of the type {array.dtype}, which is no real number: convert it to float")
    array = np.asarray(array, dtype=np.float64, order="C")
    if not np.isfinite(array).all():
        raise ArgumentError(f"{what} has values that are no finite numbers (nan or inf): leave those rows out")
    return array


def _by_name(table, names):
    """Columns of a mapping or a frame, broadcast to one length; (array, whether it is one place)."""
    given = [str(name) for name in table]
    for name in given:
        require_known("parameter", name, names)
    for name in names:
        if name not in given:
            raise ArgumentError(f"parameter {name} has no value: add {name}=...")
    columns = {str(name): numbers(table[name], f"parameter {name}") for name in table}
    lengths = {name: column.shape for name, column in columns.items() if column.ndim > 0}
    for name, shape in lengths.items():
        if len(shape) > 1:
            raise ArgumentError(f"parameter {name} has the shape {shape}: give a number, or one for each point")
    longest = {shape[0] for shape in lengths.values()}
    if len(longest) > 1:
        several = ", ".join(f"{name}: {shape[0]}" for name, shape in lengths.items())
        raise ArgumentError(f"the parameters have several lengths ({several}): give one value, or as many for each")
    count = longest.pop() if longest else 1
    points = np.empty((count, len(names)))
    for t, name in enumerate(names):
        points[:, t] = columns[name]
    return points, not lengths


def places(points, keywords, names):
    """(array of states x parameters, whether one place is meant)."""
    if points is None:
        # One place by plain numbers, the most frequent one, is seen at once.
        values = [keywords.get(name) for name in names]
        if len(keywords) == len(names) and all(type(v) in (float, int) for v in values):
            try:
                point = np.array([values], np.float64)
            except OverflowError: # a whole number that is too large: below it is named
                return _by_name(keywords, names)
            if np.isfinite(point).all():
                return point, True
        return _by_name(keywords, names)
    if keywords:
        raise ArgumentError(f"points are given twice, as points= and by name ({', '.join(keywords)}): leave one out")
    if hasattr(points, "columns") or isinstance(points, dict): # a pandas or polars frame
        table = {name: points[name] for name in (points.columns if hasattr(points, "columns") else points)}
        if hasattr(points, "columns"):
            # Of a frame, what is no parameter is none of our business.
            table = {name: column for name, column in table.items() if str(name) in names}
        return _by_name(table, names)
    array = numbers(points, "points")
    is_one = array.ndim == 1
    if is_one:
        array = array.reshape(1, -1) if array.size else array.reshape(0, len(names))
        is_one = array.shape[0] == 1
    if array.ndim != 2 or array.shape[1] != len(names):
        raise ArgumentError(f"points has the shape {np.shape(points)}, and there are {len(names)} parameters "
                            f"({', '.join(names)}): give one row for each point, with {len(names)} columns")
    return np.ascontiguousarray(array), is_one


def partly(at, parameters):
    """Values of all parameters, NaN for those that the mapping `at` does not name; [] of None."""
    if at is None:
        return []
    if not hasattr(at, "items") or not len(at):
        raise ArgumentError(f"at={at!r} is no point: give values by name, {{{parameters[0].name!r}: "
                            f"{parameters[0].low:g}}}")
    values = [math.nan] * len(parameters)
    names = [p.name for p in parameters]
    for name, value in at.items():
        require_known("parameter", name, names)
        p = parameters[names.index(name)]
        number = real(value, f"at: {name}")
        if not p.low <= number <= p.high:
            raise ArgumentError(f"at: {name} = {number:g} is outside of its range, {p.low:g} to {p.high:g}")
        values[names.index(name)] = number
    return values


def _range(ends):
    """(low, high) of a pair; None is no limit."""
    if ends is None:
        return -math.inf, math.inf
    low, high = ends
    return -math.inf if low is None else float(low), math.inf if high is None else float(high)


def box(region):
    """Six numbers, low and high along x, y and z, of a range for each, where None is no limit; [] of None."""
    if region is None:
        return []
    wrong = ArgumentError(f"region={region!r} is no box: give ranges along x, y and z, ((0.2, 0.4), (0.1, 0.3)), "
                          "and None for what is no limit")
    if isinstance(region, (str, bytes)):
        raise wrong
    try:
        ranges = [_range(axis) for axis in region]
    except (TypeError, ValueError):
        raise wrong from None
    if not 1 <= len(ranges) <= 3 or any(map(math.isnan, itertools.chain(*ranges))):
        raise wrong
    for low, high in ranges:
        if low > high:
            raise ArgumentError(f"region goes from {low:g} down to {high:g}: give the lower end first")
    ranges += [(-math.inf, math.inf)] * (3 - len(ranges))
    return [end for axis in ranges for end in axis]


def share(text, what):
    """0.005 of "0.5 %", "0.5%" or 0.005."""
    if text is None:
        return None
    try:
        if isinstance(text, str):
            part = text.strip()
            value = float(part[:-1]) / 100 if part.endswith("%") else float(part)
        else:
            value = float(text)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what}={text!r} is no fraction: write \"0.5 %\", or 0.005") from None
    if not 0 < value < 1:
        raise ArgumentError(f"{what}={text!r} is {value:g}, and a fraction is above 0 and below 1: write \"0.5 %\", "
                            "or 0.005")
    return value


def whole(value, what, low, high=2 ** 63 - 1):
    """`value` as an int from low to high."""
    try:
        number = operator.index(value)
    except TypeError:
        try:
            number = int(value) if float(value) == int(value) else None
        except (TypeError, ValueError, OverflowError):
            number = None
    if number is None or isinstance(value, (str, bytes)) or not low <= number <= high:
        most = f"{low} on" if high >= 2 ** 31 - 1 else f"{low} to {high}"
        raise ArgumentError(f"{what}={value!r} is not possible: give a whole number from {most}")
    return number


def whole_or_none(value, what, low, high=2 ** 63 - 1):
    """The same, or None."""
    return None if value is None else whole(value, what, low, high)


def real(value, what):
    """`value` as a float that is finite."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{what} is {value!r}: give a number") from None
    if not np.isfinite(number):
        raise ArgumentError(f"{what} is {value!r}: give a finite number")
    return number


def file_name(path):
    """The path as text that the compiled part takes as it is."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise ArgumentError(f"the file is a {type(path).__name__}: give its path, \"x.gridhelm\"") from None
    if "\0" in text or not text:
        raise ArgumentError(f"{text!r} is no file's path: give one, \"x.gridhelm\"")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"the path {text!r} is not written in UTF-8: give the file another name") from None
    return text
