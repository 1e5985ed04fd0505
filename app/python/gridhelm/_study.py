# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies: opened once, asked any number of times."""
import os
import warnings
from typing import NamedTuple, Optional

import numpy as np

from . import _native
from ._answers import AnswersOfStudy
from ._errors import ArgumentError, need, require_known
from ._gpu_array import GpuArray, require_whole
from ._maps import MapsOfStudy
from ._mesh import Mesh
from ._page import Page, PageField
from ._places import box, file_name, partly, places, real, share, whole, whole_or_none
from ._render import drawn, shown_numbers, style


class Parameter(NamedTuple):
    """What a study depends on."""
    name: str
    unit: str
    low: float
    high: float
    is_logarithmic: bool
    kind: str #: "ordinary", "time-like"


class Field(NamedTuple):
    """What a study has at the nodes (or in the cells) of its mesh."""
    name: str
    unit: str
    components: int
    association: str #: "point" or "cell"
    entities: int #: points or cells that have a value


class Stored(NamedTuple):
    """What the numbers that a study stores of a field stand for: offset + scale * number."""
    offset: float
    scale: float

    @property
    def is_plain(self):
        return self == (0, 1)

    def values(self, numbers):
        """Of double precision where an offset would not fit into a single one."""
        return numbers if self.is_plain else self.offset + self.scale * np.asarray(numbers, np.float64)

    def differences(self, numbers):
        return numbers if self.scale == 1 else self.scale * np.asarray(numbers, np.float64)


class _Facts(NamedTuple):
    revision: int
    parameters: tuple
    fields: tuple
    stored: tuple
    levels: int


class Band(NamedTuple):
    """The error bound of a field at one point."""
    relative: float #: the bound: the error's root mean square by the field's
    coverage: float #: the fraction of the parameter space for which that holds
    holdouts: int #: validation points by which it was calibrated
    text: str #: the same as a sentence


class Accuracy(NamedTuple):
    """The error of a field in one number, the same as the window and the command line show."""
    relative: float #: of the relative L2 errors the 90th percentile, or of fewer than nine the largest
    maximum: float #: the same of the largest errors, in the field's unit
    places: int #: points or runs at which it was measured
    kind: str #: "held-out": at validation points; "leave-one-out": at runs, each predicted without itself
    text: str #: the same as a sentence


def open(path, *, devices="auto", threads=0, resolution=0):
    """Open a study.

    Parameters
    ----------
    path : str or path-like
        The file, "cavity.gridhelm". Nothing is ever written to it but by `Study.response`, `Study.forget`,
        `Study.refine`, `Study.suggest` and `Study.compact`.
    devices : str
        What computes: "auto", "cpu", "gpu", "gpu:1".
    threads : int
        Of the CPU; 0 for all.
    resolution : int
        Of scalar studies: nodes along the longest side; 0 for as many as the simulation has.

    Returns
    -------
    Study
        It follows the file: what somebody else writes meanwhile is there at the next call.

    Raises
    ------
    GridhelmError
        If the file is missing, damaged or no study, or has no results yet.

    Examples
    --------
    >>> study = gridhelm.open("cavity.gridhelm")
    >>> study.parameters, study.fields
    """
    return Study(path, devices=devices, threads=threads, resolution=resolution)


class Study(AnswersOfStudy, MapsOfStudy):
    """A study; see `open`. Any thread may call it; threads take turns."""

    def __init__(self, path, *, devices="auto", threads=0, resolution=0):
        self._options = {"devices": str(devices), "threads": whole(threads, "threads", 0, 2 ** 31 - 1)}
        self._resolution = whole(resolution, "resolution", 0)
        self._path = file_name(path)
        self._native = _native.Study(self._path, resolution=self._resolution, **self._options)
        self._responses = None
        self._known = None

    def __reduce__(self):
        return (_reopen, (self._path, self._options, self._resolution))

    def __repr__(self):
        names = ", ".join(p.name for p in self.parameters)
        return f"<gridhelm.Study {self._path}: {', '.join(f.name for f in self.fields)} by {names}>"

    @property
    def path(self):
        """The file."""
        return self._path

    @property
    def title(self):
        """For people."""
        return self._native.title()

    def _facts(self):
        """What the file says of itself, asked for again when it has changed."""
        revision = self._native.revision()
        known = self._known
        if known is None or known.revision != revision:
            self._known = known = _Facts(
                revision, tuple(Parameter(*p) for p in self._native.parameters()),
                tuple(Field(*f) for f in self._native.fields()),
                tuple(Stored(*s) for s in self._native.stored()), self._native.levels())
        return known

    @property
    def parameters(self):
        """tuple of Parameter: in the order in which arrays of points have their columns."""
        return self._facts().parameters

    @property
    def fields(self):
        """tuple of Field"""
        return self._facts().fields

    def mesh(self):
        """The mesh, as numpy arrays.

        Returns
        -------
        Mesh
            ``study.mesh().pyvista(p=values)`` is a pyvista data set.
        """
        return Mesh(*self._native.mesh())

    def _index(self, field):
        names = [f.name for f in self.fields]
        require_known("field", field, names)
        return names.index(field)

    def _chosen(self, field, facts=None):
        """(names and indices of fields, whether one alone was asked for)."""
        names = [f.name for f in (facts or self._facts()).fields]
        if field is None:
            return list(zip(names, range(len(names)))), False
        asked = [field] if isinstance(field, str) or not np.iterable(field) else list(field)
        for name in asked:
            require_known("field", name, names)
        return [(name, names.index(name)) for name in asked], isinstance(field, str)

    def _places(self, points, keywords):
        return places(points, keywords, [p.name for p in self.parameters])

    def evaluate(self, field=None, points=None, *, nodes=None, level=0, extrapolate=False, indicator=False,
                 out=None, device="cpu", **parameters):
        """Fields at any parameters.

        Parameters
        ----------
        field : str or sequence of str, optional
            The field's name; several, or all if left out.
        points : array_like, frame or dict, optional
            Many points: (n, d) in the order of `parameters`, or columns by name. (d,) is one point.
        nodes : array_like of int, optional
            Only these nodes (or cells) of the field.
        level : int
            The first levels of the grid only: coarser, and faster; 0 for all.
        extrapolate : bool
            Go on linearly where parameters are out of their ranges, which is an error otherwise.
        indicator : bool
            Also the error indicator of every value.
        out : ndarray, optional
            Where the values of the one field are to be: C order, writable, of the result's type and shape.
        device : str
            In whose memory the results are wanted: "cpu", or "gpu", the study's first one, where they are computed
            then. Of whole fields.
        **parameters : float or array_like
            Instead of `points`: a value of each parameter.

        Returns
        -------
        ndarray of float32, or GpuArray
            (nodes,) or (nodes, components) at one point, (n, nodes, ...) at many. A dict of these by name if
            several fields are asked for; with `indicator` a pair of (values, indicators). Other libraries take them
            without a copy (``torch.from_dlpack``), in the CPU's memory or with `device` in a GPU's. Of float64, and in
            the CPU's memory alone, where single precision would lose what varies (101325 Pa +- 1 mPa).

        Examples
        --------
        >>> study.evaluate("velocity", Re=400, t=2.5)
        >>> study.evaluate("pressure", [[400, 2.5], [500, 2.5]], nodes=[0, 17])
        >>> study.evaluate("pressure", Re=numpy.linspace(100, 1000, 50), t=5)
        """
        facts = self._facts()
        chosen, is_one_field = self._chosen(field, facts)
        where, is_one = places(points, parameters, [p.name for p in facts.parameters])
        levels = facts.levels
        if not isinstance(level, (int, np.integer)) or not 0 <= level <= levels:
            raise ArgumentError(f"level={level} is not possible: the study has levels 1 to {levels}, and 0 means all")
        level = int(level)
        if device not in ("cpu", "gpu"):
            raise ArgumentError(f'device={device!r} is not possible: "cpu" or "gpu"; which GPU is said by '
                                'gridhelm.open(path, devices="gpu:1")')
        if device == "gpu":
            require_whole(nodes, indicator, out)
        if nodes is not None:
            nodes = _nodes(nodes)
        if out is not None:
            if not is_one_field:
                raise ArgumentError("out= holds one field: name the one that is wanted")
            _require_out(out, facts.fields[chosen[0][1]], facts.stored[chosen[0][1]], nodes, where, is_one)
        results = {}
        for name, index in chosen:
            stored = facts.stored[index]
            if device == "gpu":
                if not stored.is_plain:
                    raise ArgumentError(f"the values of {name} are large beside what they differ by ({stored.offset} + "
                                        f"{stored.scale} * numbers in single precision), and on a GPU they would be in "
                                        "single precision: leave device out")
                results[name] = GpuArray(self._native.evaluate_on_gpu(index, where, level, bool(extrapolate), is_one))
                continue
            into = out if stored.is_plain else None
            values, indicators = self._native.evaluate(index, where, nodes, level, bool(extrapolate), bool(indicator),
                                                       into)
            if values is not None:
                values = stored.values(values)
            if indicators is not None:
                indicators = stored.differences(indicators)
            if into is None and out is not None:
                out[...] = values[0] if is_one else values
            if values is None:
                values = out if not is_one else out.reshape((1,) + out.shape)
            if is_one:
                values, indicators = values[0], indicators[0] if indicators is not None else None
            if out is not None:
                values = out
            results[name] = (values, indicators) if indicator else values
        return results[chosen[0][0]] if is_one_field else results

    def gradient(self, field, points=None, *, extrapolate=False, **parameters):
        """Derivatives of a field by each parameter, in its unit; at kinks to the right.

        Returns
        -------
        dict of str to ndarray
            By parameter; shaped as what `evaluate` returns.

        Examples
        --------
        >>> study.gradient("pressure", Re=400, t=2.5)["Re"]
        """
        where, is_one = self._places(points, parameters)
        index = self._index(field)
        slopes = self._facts().stored[index].differences(self._native.gradients(index, where, bool(extrapolate)))
        if is_one:
            slopes = slopes[0]
        return {p.name: slopes[t] if is_one else slopes[:, t] for t, p in enumerate(self.parameters)}

    def error(self, field=None, point=None, **parameters):
        """The error bound of a field at one point, calibrated at validation points.

        Returns
        -------
        Band or None
            None where it was not measured. A dict of these by name if several fields are asked for.

        Examples
        --------
        >>> study.error("velocity", Re=400, t=2.5).text
        """
        where, is_one = self._places(point, parameters)
        if not is_one:
            raise ArgumentError(f"an error is of one point, and there are {len(where)}: ask for one after the other")
        return self._told_of(field, lambda index: self._native.band(index, where[0]), Band)

    def _told_of(self, field, ask, kind):
        """What is told of a field, by its number, or of several by name; None where there is nothing."""
        chosen, is_one_field = self._chosen(field)
        found = {name: ask(index) for name, index in chosen}
        found = {name: kind(*told) if told is not None else None for name, told in found.items()}
        return found[chosen[0][0]] if is_one_field else found

    def accuracy(self, field=None):
        """The measured error of a field over the whole ranges of the parameters, in one number.

        Returns
        -------
        Accuracy or None
            None where it was not measured. A dict of these by name if several fields are asked for.

        Examples
        --------
        >>> study.accuracy("velocity").text
        """
        return self._told_of(field, self._native.accuracy, Accuracy)

    def to_html(self, path=None, *, field=None, error=None, max_size=None, **parameters):
        """The study as one interactive page: sliders, fields, responses, in any browser, without this program.

        Parameters
        ----------
        path : str or path-like, optional
            Where the page is written to as well.
        field : str or sequence of str, optional
            Those that are shown; all if left out.
        error : float, optional
            What the page may be off the study's values, relative L2 (0.001 is 0.1 %); half of the field's measured
            error if left out.
        max_size : int, optional
            Bytes: digits are taken away, then nodes of the mesh, until the page is no larger.
        **parameters : float
            Where it opens; the middle of the range for what is left out.

        Returns
        -------
        Page
            Shown by notebooks, also where nothing runs; `Page.save` writes it.

        Examples
        --------
        >>> study.to_html("cavity.html", field="velocity", Re=400)
        """
        chosen = [name for name, _ in self._chosen(field)[0]] if field is not None else []
        names = [p.name for p in self.parameters]
        for name in parameters:
            require_known("parameter", name, names)
        at = []
        if parameters:
            at = [real(parameters.get(p.name, (p.low * p.high) ** 0.5 if p.is_logarithmic else (p.low + p.high) / 2),
                       p.name) for p in self.parameters]
        text, fields, notes = _native.page_of(
            self._path, at, chosen, share(error, "error"),
            None if max_size is None else whole(max_size, "max_size", 1), *self._options.values())
        page = Page(text, [PageField(*each) for each in fields], notes)
        if path is not None:
            page.save(path)
        return page

    def render(self, field=None, point=None, *, size=(1200, 900), component=None, view="slice", range=None,
               cmap="viridis", camera=None, log=False, edges=False, outline=True, dark=False, transparent=False,
               **parameters):
        """A picture of a field at one point, drawn by pyvista; neither a window nor a screen is needed.

        Parameters
        ----------
        field : str, optional
            The first one if left out.
        point, **parameters
            Of one point, as in `evaluate`.
        size : (int, int)
            Width and height in pixels.
        component : str or int, optional
            Of a vector: "x", "y", "z", a number from 0, or "magnitude", which is taken if left out.
        view : str
            "slice" (of bodies: in the middle, across z) or "surface". Flat meshes are drawn whole.
        range : (float, float), optional
            Values at the ends of the colours; round numbers around the values if left out. Give it where pictures
            are to be compared.
        cmap : str
            matplotlib's name of a colour map.
        camera : str or sequence, optional
            The side to look from: "+x", "-x", "+y", "-y", "+z", "-z" or "isometric"; or (position, focal point,
            view up), three numbers each. Flat meshes are seen straight, others obliquely, if left out.
        log : bool
            Colours on a logarithmic scale.
        edges, outline : bool
            Draw the edges of the cells, and the box around the mesh.
        dark : bool
            On a dark background.
        transparent : bool
            Without a background: the array has a fourth number, how opaque a pixel is.

        Returns
        -------
        ndarray of uint8, (height, width, 3)
            (height, width, 4) with `transparent`.

        Examples
        --------
        >>> picture = study.render("velocity", Re=400, t=2.5, size=(800, 600))
        >>> matplotlib.image.imsave("velocity.png", picture)
        """
        facts = self._facts()
        names = [f.name for f in facts.fields]
        name = names[0] if field is None else field
        require_known("field", name, names)
        of = facts.fields[names.index(name)]
        where, is_one = places(point, parameters, [p.name for p in facts.parameters])
        if not is_one:
            raise ArgumentError(f"a picture is of one point, and there are {len(where)}: draw one after the other")
        look = style(size, view, range, cmap, camera, log=log, edges=edges, outline=outline, dark=dark,
                     transparent=transparent)
        values, title = shown_numbers(self.evaluate(name, where)[0], of, component)
        caption = ", ".join(f"{p.name} = {v:.6g}{' ' if p.unit else ''}{p.unit}" for p, v in zip(facts.parameters, where[0]))
        return drawn(self.mesh(), values, title, caption, self._native.geometry(where[0]), look)

    def to_xarray(self, field, points=None, **parameters):
        """What `evaluate` returns as an xarray.DataArray, with the parameters as coordinates."""
        xarray = need("xarray", "a DataArray", "notebook")
        where, _ = self._places(points, parameters)
        values = self.evaluate(field, where)
        dims = ("place", "node", "component")[:values.ndim]
        coords = {p.name: ("place", where[:, t]) for t, p in enumerate(self.parameters)}
        unit = self.fields[self._index(field)].unit
        return xarray.DataArray(values, dims=dims, coords=coords, name=field, attrs={"units": unit})

    def refine(self, *, until=None, runs=None, hours=None, holdouts=None, field=None, at=None, region=None,
               surrogate=None, jobs=None, trust=False, keep_going=False, progress=None):
        """Add runs where the error is, by the study's own simulation, until it is small enough.

        Parameters
        ----------
        until : str or float, optional
            "0.5 %", or 0.005: the error of all fields, relative to them. At least one of until, runs, hours.
        runs : int, optional
            At most so many more.
        hours : float, optional
            Begin no more runs after so long.
        holdouts : int, optional
            Validation points to measure the error at in the end.
        field : str, optional
            The only one whose error counts.
        at : dict, optional
            ``{"Re": 400}``: only the error there counts; parameters that are not named are free. No validation
            points are made to confirm it.
        region : sequence of (low, high), optional
            ``((0.2, 0.4), (0.1, 0.3))``: only the error in this box of the mesh counts: ranges along x, y and
            z, None for what is no limit. No validation points are made to confirm it.
        surrogate : {"auto", "sparse-grid", "kriging"}, optional
            What fields are evaluated by from now on; "auto" is the one with the smaller error.
        jobs : int, optional
            At a time; one a core if left out.
        trust : bool
            Agree to the command that the study's plan would execute.

        Returns
        -------
        dict
            "end" (why it ended), "runs", "failed", "estimate", "measured", "text" (the same as a sentence).
        """
        if until is None and runs is None and hours is None:
            raise ArgumentError("say when it is enough: until=\"0.5 %\", runs=50 or hours=1")
        return _native.refine(
            self._path, plan="", call=None, processes=None, progress=progress, until=share(until, "until"),
            runs=whole_or_none(runs, "runs", 0), hours=None if hours is None else real(hours, "hours"),
            holdouts=whole_or_none(holdouts, "holdouts", 0), counts=_counts(self, field, at, region, surrogate),
            jobs=whole_or_none(jobs, "jobs", 1, 2 ** 31 - 1) or os.cpu_count() or 1, keep_going=bool(keep_going),
            retry_failed=False, trust=bool(trust), whole=False, threads=self._options["threads"])

    def suggest(self, runs, field=None, *, at=None, region=None, surrogate=None):
        """Which runs to make next, elsewhere, where the error is. The study waits for them from then on.

        Parameters
        ----------
        runs : int
            So many at most.
        field, at, region, surrogate : optional
            Whose error counts, and where, as in `refine`.

        Returns
        -------
        places : dict of str to ndarray
            By parameter, one value for each run.
        estimate : float
            Of the error without them.
        """
        where, estimate = _native.suggest(self._path, whole(runs, "runs", 1),
                                          _counts(self, field, at, region, surrogate), self._options["threads"])
        return {p.name: where[:, t].copy() for t, p in enumerate(self.parameters)}, estimate

    def compact(self, progress=None):
        """Give the file's unused space back to the disk, POD modes one after the other; nothing else changes.

        Whoever reads the study goes on, this object among them. Twice as much space as is in use has to be
        free on its disk for a moment. Interrupted (Ctrl+C), the study is as before.

        Parameters
        ----------
        progress : callable, optional
            Told the fraction that is done, 0 to 1.

        Returns
        -------
        before, after : int
            Bytes of the file. They are the same as long as somebody is in the middle of reading it; a warning
            says so.

        Raises
        ------
        GridhelmError
            If somebody else is writing to it, or its disk has too little room.
        """
        before, after, notice = _native.compact(self._path, progress)
        if notice:
            warnings.warn(notice, stacklevel=2)
        return before, after


def _counts(study, field, at, region, surrogate):
    """Whose error counts, and where, as the compiled part takes it."""
    if surrogate is not None:
        require_known("surrogate", surrogate, ["auto", "sparse-grid", "kriging"])
    return (_field_or_all(study, field), partly(at, study.parameters), box(region), surrogate or "")


def _field_or_all(study, field):
    if field is not None:
        study._index(field)
    return field or ""


def _reopen(path, options, resolution):
    return Study(path, resolution=resolution, **options)


def _nodes(nodes):
    array = np.asarray(nodes)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind == "b":
        array = np.flatnonzero(array) # a mask
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ArgumentError(f"nodes is of the type {array.dtype} and the shape {array.shape}: give a list of whole "
                            "numbers, or a mask")
    if array.size and (array.min() < 0 or array.max() > np.iinfo(np.uint32).max):
        raise ArgumentError(f"nodes has {array.min()} to {array.max()}, and they are numbered from 0: leave out what is "
                            "none")
    return np.ascontiguousarray(array, dtype=np.uint32)


def _require_out(out, field, stored, nodes, where, is_one):
    kind = np.float32 if stored.is_plain else np.float64
    entities = field.entities if nodes is None else len(nodes)
    shape: Optional[tuple] = (entities,) if field.components == 1 else (entities, field.components)
    if not is_one:
        shape = (len(where),) + shape
    if not isinstance(out, np.ndarray) or out.dtype != kind or out.shape != shape:
        is_array = isinstance(out, np.ndarray)
        given = f"an array of {out.dtype} and the shape {out.shape}" if is_array else f"a {type(out).__name__}"
        raise ArgumentError(f"out is {given}: make it with numpy.empty({shape}, numpy.{kind.__name__})")
    if not out.flags.c_contiguous:
        raise ArgumentError("out is not contiguous in C order: make it with numpy.empty, or leave it out")
    if not out.flags.writeable:
        raise ArgumentError("out is read-only: make it with numpy.empty, or leave it out")
