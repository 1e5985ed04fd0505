# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns that call a Python function."""
import json
import math
import os
import threading
import warnings

import numpy as np

from . import _native
from ._errors import ArgumentError, GridhelmError
from ._mesh import Mesh, image
from ._places import file_name, real, share, whole, whole_or_none
from ._study import Study
from ._workers import Executor, Processes

_MOST_INT = 2 ** 31 - 1
_KEYS = {"low", "high", "unit", "scale", "kind", "times"}


def sample(function, parameters, *, out, until=None, runs=None, hours=None, level=None, mesh=None, units=None, processes=None,
           executor=None, timeout=None, holdouts=None, field=None, keep_going=False, progress=None):
    """Run a function where it matters, until a surrogate of what it returns is good enough.

    The study begins with a few runs and gets more where the error is. It can be interrupted at any time: the
    same call goes on where it was. What has failed before is tried again.

    Parameters
    ----------
    function : callable
        Called with the parameters by name; returns an array, or arrays by name: of each field a value (or
        several, in the last axis) for each node. A time-like parameter is an array of times, and results have
        one more axis for it, the first.
    parameters : dict
        ``{"Re": (100, 1000)}``: the range of each; or ``{"low": .., "high": .., "unit": "m/s", "scale":
        "logarithmic"}``; ``{"low": 0, "high": 5, "kind": "time-like", "times": 33}`` if one run delivers many
        values of it.
    out : path
        The study, "x.gridhelm". Of the function nothing is stored in it.
    until : str or float, optional
        "0.5 %": the error of all fields, relative to them, confirmed at runs of their own. "1 %" if neither runs
        nor hours are given.
    runs : int, optional
        At most so many.
    hours : float, optional
        Begin no more runs after so long.
    level : int, optional
        Instead of until, runs and hours: all runs of the regular sparse grid of this level, and no others. A
        study that is there already must have that grid.
    mesh : Mesh, optional
        What the nodes are: `gridhelm.image`. If left out they are as in the study that is there, or a line, one
        after the other.
    units : dict, optional
        Of the fields, for people; as in the study that is there, if left out.
    processes : int, optional
        Calls at a time, each in a process of its own; one a core if left out.
    executor : optional
        Runs the calls instead, as many at a time as it has workers, or `processes`: one of concurrent.futures, a
        Client of Dask, an MPIPoolExecutor of mpi4py.futures, or whatever has their submit().
    timeout : float, optional
        Seconds after which a call has failed, and is ended with all that it has begun.
    holdouts : int, optional
        Validation points, which measure the error in the end.
    field : str, optional
        The only one whose error counts.
    keep_going : bool
        Ignore errors: go on even if the first runs fail one after the other, all alike.
    progress : callable, optional
        Called with a text now and then: ``print``.

    Returns
    -------
    Study
        Its attribute `sampling` says how it went: "end", "runs", "failed", "estimate", "measured", "text",
        and "failures": (parameters, log) of each.

    Warns
    -----
    UserWarning
        If `until` was not reached.

    Raises
    ------
    GridhelmError
        If nothing came of the first runs: with the traceback of one.

    Examples
    --------
    >>> def pipe(Re, length):
    ...     x = numpy.linspace(0, length, 100)
    ...     return {"pressure": numpy.exp(-x / Re), "velocity": numpy.sqrt(Re * x)}
    >>> study = gridhelm.sample(pipe, {"Re": (100, 1000), "length": (1, 2)}, out="pipe.gridhelm", until="0.5 %")
    >>> study.sampling["text"]
    """
    if not callable(function):
        raise ArgumentError(f"function is a {type(function).__name__}, which cannot be called: give a function of "
                            "the parameters")
    if level is not None and not (until is None and runs is None and hours is None):
        raise ArgumentError("level= asks for all runs of a grid, and until=, runs= and hours= say when others are "
                            "enough: give one of them")
    if until is None and runs is None and hours is None and level is None:
        until = "1 %"
    processes = whole_or_none(processes, "processes", 1, _MOST_INT)
    level = whole_or_none(level, "level", 1, _MOST_INT)
    runs, holdouts = whole_or_none(runs, "runs", 0), whole_or_none(holdouts, "holdouts", 0)
    hours = None if hours is None else real(hours, "hours")
    timeout = None if timeout is None else real(timeout, "timeout")
    if timeout is not None and timeout <= 0:
        raise ArgumentError(f"timeout={timeout:g} is not possible: give seconds above 0, or leave it out")
    if field is not None and not isinstance(field, str):
        raise ArgumentError(f"field is {field!r}: give the name of one, or leave it out")
    if executor is not None and not hasattr(executor, "submit"):
        raise ArgumentError(f"executor is a {type(executor).__name__}, which has no submit(): give one as those of "
                            "concurrent.futures")
    path = file_name(out)
    plan = _plan(parameters, path, level)
    until = share(until, "until")
    is_there = os.path.exists(path)
    form = _Form(parameters, _native_mesh(mesh), units or {}, *(_native.study_form(path) if is_there else ([], None)),
                 path)
    if hasattr(executor, "get_executor"): # Dask's Client, which would take a call that it has seen for done
        executor, count = executor.get_executor(), processes or sum(executor.ncores().values())
    else:
        count = processes or getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    count = int(count or os.cpu_count() or 1)
    processes = Processes(function, count, timeout, form.arguments) if executor is None else None
    call = form.accepted if processes is not None else _Calls(Executor(function, executor, timeout), form)
    try:
        report = _native.refine(
            path, plan=plan, call=call, processes=processes, progress=progress, until=until, runs=runs, hours=hours,
            holdouts=holdouts, counts=(field or "", [], [], ""), jobs=count, keep_going=bool(keep_going), retry_failed=is_there,
            trust=False, whole=level is not None, threads=0)
    except GridhelmError as error:
        failures = _native.failures(path) if os.path.exists(path) and not _native.study_form(path)[0] else []
        if failures:
            raise GridhelmError(f"{error}. What one of them says:\n{failures[0][1]}") from None
        raise
    finally:
        if processes is not None:
            processes.close()
    return _study_of(path, report, until)


def _study_of(path, report, until):
    failures = _native.failures(path)
    if report["end"] == "failures":
        log = failures[0][1] if failures else report["first_failure"]
        raise GridhelmError(f"the first runs failed, all alike, so no more were begun; correct the function, and call "
                            f"sample() again, or pass keep_going=True. What one of them says:\n{log}")
    study = Study(path)
    names = [p.name for p in study.parameters]
    report["failures"] = [(dict(zip(names, where)), log) for where, log in failures]
    study.sampling = report
    if until is not None and report["end"] != "reached":
        warnings.warn(report["text"], stacklevel=3)
    return study


def _native_mesh(mesh):
    if mesh is None:
        return None
    if not isinstance(mesh, Mesh) or not hasattr(mesh, "_native"):
        raise ArgumentError("mesh is none that runs can have: make one with gridhelm.image((65, 65))")
    return mesh._native


def _quoted(text):
    """A string of TOML: as JSON's, but that its \\u is of no halves of characters, and DEL needs it."""
    readable = str(text).encode("utf-8", "replace").decode()
    return json.dumps(readable, ensure_ascii=False).replace("\x7f", "\\u007f")


def _plan(parameters, path, level):
    """The study's plan: everything but how a run is made, which is this program's matter."""
    if not isinstance(parameters, dict) or not parameters:
        raise ArgumentError("parameters is no dict with at least one: write {\"Re\": (100, 1000)}")
    lines = ["[study]", f"title = {_quoted(os.path.splitext(os.path.basename(path))[0])}"]
    for name, given in parameters.items():
        if not isinstance(given, dict):
            try:
                low, high = given
            except (TypeError, ValueError):
                raise ArgumentError(f"parameter {name} is {given!r}: give its range, (low, high)") from None
            given = {"low": low, "high": high}
        strange = set(given) - _KEYS
        if strange:
            raise ArgumentError(f"parameter {name} has {', '.join(sorted(strange))}, which means nothing here: there may "
                                f"be {', '.join(sorted(_KEYS))}")
        lines += ["[[parameter]]", f"name = {_quoted(name)}"]
        for key, value in given.items():
            if key in ("low", "high"):
                try:
                    value = float(value)
                except (TypeError, ValueError):
                    raise ArgumentError(f"{key} of parameter {name} is {value!r}: give a number") from None
            elif key == "times":
                value = whole(value, f"times of parameter {name}", 1, _MOST_INT)
            lines.append(f"{key} = {value!r}" if isinstance(value, (int, float)) else f"{key} = {_quoted(value)}")
    grid = "design = \"adaptive\"" if level is None else f"level = {level}"
    return "\n".join([*lines, "[grid]", grid, ""])


class _Form:
    """What a run has to deliver: as the first one did. `fields`, `stored`: what the study has already."""

    def __init__(self, parameters, mesh, units, fields, stored, path):
        self._names = list(parameters)
        self._time = next((n for n, p in parameters.items() if isinstance(p, dict) and p.get("kind") == "time-like"), None)
        self._units = {name: str(unit) for name, unit in units.items()}
        for name, unit, *_ in fields:
            if self._units.setdefault(name, unit) != unit:
                raise ArgumentError(f"{path} is there already, and its {name} has {_unit(unit)}, not "
                                    f"{_unit(self._units[name])}: name another file with out=, or leave units= out")
        if None not in (mesh, stored) and mesh != stored:
            raise ArgumentError(f"{path} is there already, and its mesh of {stored[2]} nodes is not the one of mesh=, of "
                                f"{mesh[2]}: name another file with out=, or leave mesh= out")
        self._mesh = stored or mesh
        self._fields = [tuple(f) for f in fields] or None
        self._lock = threading.Lock()

    def arguments(self, parameters, times):
        """Of the function, by name."""
        given = dict(zip(self._names, parameters))
        if self._time is not None:
            given[self._time] = times
        return given

    def accepted(self, form, times):
        """(mesh, fields) of arrays [[name, shape], ...] (or the same as JSON). Raises ValueError with a sentence."""
        shapes = [(name, tuple(shape)) for name, shape in (json.loads(form) if isinstance(form, str) else form)]
        if self._time is not None:
            for name, shape in shapes:
                if shape[:1] != (times,):
                    raise ValueError(f"{name!r} has the shape {shape}, and there are {times} times: return one state for "
                                     "each, in the first axis")
            shapes = [(name, shape[1:]) for name, shape in shapes]
        with self._lock:
            mesh = self._mesh or image(self._nodes(shapes[0][1]))._native
            fields = [self._field(name, shape, mesh[2]) for name, shape in shapes]
            if self._fields is not None and sorted(fields) != sorted(self._fields):
                raise ValueError(f"the function returned {_text(fields)}, and earlier runs {_text(self._fields)}: return "
                                 "the same for all parameters")
            self._fields, self._mesh = fields, mesh
        return mesh, fields

    def _nodes(self, shape):
        if self._mesh is not None:
            return self._mesh[2]
        if self._fields is not None:
            return self._fields[0][4]
        return shape[0] if shape else 1

    def _field(self, name, shape, nodes):
        values = math.prod(shape)
        components = 1 if values == nodes else shape[-1] if shape else 1
        if values != nodes * components:
            raise ValueError(f"{name!r} has the shape {shape}, and the mesh {nodes} nodes: return a value for each "
                             "node, or several in the last axis")
        return (name, self._units.get(name, ""), components, "point", nodes)


def _unit(unit):
    return f"the unit {unit}" if unit else "no unit"


def _text(fields):
    return ", ".join(f"{name}{f' in {unit}' if unit else ''} ({nodes} nodes{f' x {c}' if c > 1 else ''})"
                     for name, unit, c, _, nodes in fields)


class _Calls:
    """What the campaign calls for each run of an executor, from several threads."""

    def __init__(self, callers, form):
        self._callers, self._form = callers, form

    def __call__(self, name, parameters, times, is_cancelled):
        state, result = self._callers.call(self._form.arguments(parameters, np.array(times)), is_cancelled)
        if state != "finished":
            return state, result, None, [], []
        try:
            mesh, fields = self._form.accepted([(name, array.shape) for name, array in result], len(times))
        except ValueError as error:
            return "failed", str(error), None, [], []
        states = max(len(times), 1) # of each time, in the first axis; one if there are none
        return "finished", "", mesh, fields, [[array.reshape(states, -1)[i] for _, array in result] for i in range(states)]
