# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as arrays: drawn by pyvista without a window, with what `gridhelm-cli render` takes by itself."""
import math
import os
from typing import NamedTuple, Optional

import numpy as np

from ._errors import ArgumentError, GridhelmError, need
from ._places import real, whole

_VIEWS = ("slice", "surface")
_SIDES = {"+x": (1, 0, 0), "-x": (-1, 0, 0), "+y": (0, 1, 0), "-y": (0, -1, 0), "+z": (0, 0, 1), "-z": (0, 0, -1),
          "isometric": (1, -1, 1)}
_ABOVE = (0.55, -1.0, 0.62) #: obliquely
_ANGLE = 22 #: degrees; small: parallel edges look parallel
_WIDE, _HIGH = 0.78, 0.88 #: parts of the picture that the mesh fills
_MOST_PIXELS = 16384
_INK, _GROUND = (0.10, 0.11, 0.13), (1.0, 1.0, 1.0)
_DARK_INK, _DARK_GROUND = (0.90, 0.91, 0.93), (0.11, 0.12, 0.14)


class Style(NamedTuple):
    """What was asked for, looked at: see `Study.render`."""
    size: tuple
    view: str
    range: Optional[tuple]
    cmap: object
    camera: object
    log: bool
    edges: bool
    outline: bool
    dark: bool
    transparent: bool


def style(size, view, range, cmap, camera, **flags):
    try:
        width, height = size
    except (TypeError, ValueError):
        raise ArgumentError(f"size={size!r} is not possible: give width and height in pixels, (1200, 900)") from None
    if view not in _VIEWS:
        raise ArgumentError(f"view={view!r} is not possible: choose from {', '.join(_VIEWS)}")
    if range is not None:
        try:
            low, high = range
        except (TypeError, ValueError):
            raise ArgumentError(f"range={range!r} is not possible: give two numbers, (low, high)") from None
        range = real(low, "range"), real(high, "range")
        if not range[0] < range[1] or (flags["log"] and range[0] <= 0):
            raise ArgumentError(f"range={range} is not possible: give (low, high), with low below high"
                                + (" and above 0" if flags["log"] else ""))
    return Style((whole(width, "size", 1, _MOST_PIXELS), whole(height, "size", 1, _MOST_PIXELS)), view, range, cmap,
                 _camera(camera), **{name: bool(value) for name, value in flags.items()})


def _camera(camera):
    """None, or (from where, up), or (position, focal point, up) of the mesh's space."""
    if camera is None:
        return None
    if isinstance(camera, str):
        if camera not in _SIDES:
            raise ArgumentError(f"camera={camera!r} is not possible: choose from {', '.join(_SIDES)}, or give "
                                "(position, focal point, view up)")
        return _SIDES[camera], (0, 1, 0) if camera in ("+z", "-z") else (0, 0, 1)
    try:
        places = np.asarray(camera, np.float64)
    except (TypeError, ValueError):
        places = np.empty(0)
    if places.shape != (3, 3) or not np.isfinite(places).all():
        raise ArgumentError(f"camera={camera!r} is not possible: give (position, focal point, view up), three numbers "
                            "each, or a side to look from, \"+x\"")
    return tuple(map(tuple, places))


def shown_numbers(values, field, component):
    """(a number for each node or cell, the title that says which)."""
    which, title = "magnitude", field.name
    if component is not None and component != "magnitude":
        which = "xyz".index(component) if component in ("x", "y", "z") else component
        if isinstance(which, str) and not which.isdigit():
            raise ArgumentError(f"there is no component {component!r}: give \"x\", \"y\", \"z\", \"magnitude\", or a "
                                "number from 0")
        which = whole(int(which) if isinstance(which, str) else which, "component", 0)
        if which >= field.components:
            raise ArgumentError(f"component={component!r} is none: {field.name} has {field.components}, numbered from 0")
    if field.components > 1:
        title += " magnitude" if which == "magnitude" else f" {'xyz'[which]}" if field.components <= 3 else f" [{which}]"
        values = np.linalg.norm(values, axis=1) if which == "magnitude" else values[:, which]
    return np.ascontiguousarray(values), f"{title} ({field.unit})" if field.unit else title


def _with_room(low, high, log):
    size = max(abs(low), abs(high))
    if high - low > 1e-6 * size:
        return low, high
    middle = 0.5 * low + 0.5 * high
    if log:
        return middle / 1.1, middle * 1.1
    room = 0.1 * size if size > 1e-30 else 1.0
    return middle - room, middle + room


def round_range(low, high, log=False):
    """The smallest range with round ends around both: as the command line's."""
    slack = 1e-6
    low, high = _with_room(low, high, log)
    if log:
        powers = [10.0 ** math.floor(math.log10(v)) for v in (low, high)]
        return powers[0] * math.floor(low / powers[0] + slack), powers[1] * math.ceil(high / powers[1] - slack)
    best, least = (low, high), math.inf
    power = math.floor(math.log10(high - low))
    for step in (factor * 10.0 ** e for e in (power - 1, power, power + 1) for factor in (1.0, 2.0, 2.5, 5.0)):
        ends = step * math.floor(low / step + slack) + 0.0, step * math.ceil(high / step - slack) + 0.0
        steps = round((ends[1] - ends[0]) / step)
        cost = (ends[1] - ends[0]) / (high - low) + 0.01 * abs(steps - 5)
        if 4 <= steps <= 12 and cost < least:
            best, least = ends, cost
    return best


def _range(wanted, values, log):
    if wanted is not None:
        return wanted
    seen = values[values > 0] if log else values
    if seen.size == 0:
        raise ArgumentError("log=True wants values above 0, and there are none here: leave it out")
    return round_range(float(seen.min()), float(seen.max()), log)


def _pyvista():
    pyvista = need("pyvista", "render", "mesh")
    version = tuple(pyvista.vtk_version_info[:2])
    # Older ones end the whole program where there is no display.
    if version < (9, 4) and os.name == "posix" and not os.environ.get("DISPLAY"):
        raise GridhelmError(f"there is no display, and VTK {version[0]}.{version[1]} draws on nothing else: install a "
                            "newer one with pip install -U vtk pyvista, or begin with xvfb-run -a python")
    return pyvista


def drawn(mesh, values, title, caption, geometry, style):
    """uint8, (height, width, 3 or 4).

    values: of each node or cell of the gridhelm.Mesh. geometry: how far its nodes are displaced, and their distance
    inwards from the body's surface; each may be None.
    """
    pyvista = _pyvista()
    displacement, distance = geometry
    inside = values if distance is None or len(distance) != len(values) else values[distance >= 0]
    data = mesh.pyvista(shown=values)
    if displacement is not None:
        data = data.cast_to_unstructured_grid()
        data.points = data.points + _in_space(displacement)
    box = data.bounds
    flat = _flat_axis(box)
    if distance is not None:
        data.point_data["distance"] = distance
        data = data.clip_scalar(scalars="distance", invert=False, value=0)
    if flat is None:
        data = data.slice(normal="z", origin=_centre(box)) if style.view == "slice" else _surface(data)
    clim = _range(style.range, inside if inside.size else values, style.log)
    ink, ground = (_DARK_INK, _DARK_GROUND) if style.dark else (_INK, _GROUND)
    with pyvista.vtk_verbosity("off"): # that an X server is missing is no matter
        plotter = pyvista.Plotter(off_screen=True, window_size=style.size, lighting="none")
        try:
            plotter.set_background(ground)
            _light(pyvista, plotter)
            _put(plotter, data, clim, title, ink, style, is_lit=style.view == "surface" and flat is None)
            if style.outline and np.count_nonzero(np.diff(box)[::2]) > 1: # a line is its own
                plotter.add_mesh(pyvista.Box(box).extract_all_edges(), color=ink, line_width=1)
            plotter.add_text(caption, position="lower_left", font_size=9, color=ink)
            _look(plotter, box, flat, style)
            picture = plotter.screenshot(None, return_img=True, transparent_background=style.transparent)
        except GridhelmError:
            raise
        except RuntimeError as error:
            raise GridhelmError(f"nothing can be drawn here ({error}): install libegl1 or libosmesa6, or begin with "
                                "xvfb-run -a python") from error
        finally:
            plotter.close()
    return np.ascontiguousarray(picture, np.uint8)


def _put(plotter, data, clim, title, ink, style, is_lit):
    if data.n_points == 0: # the body is nowhere
        return
    try:
        plotter.add_mesh(data, scalars="shown", cmap=style.cmap, clim=clim, log_scale=style.log, lighting=is_lit,
                         show_edges=style.edges, line_width=1 if style.edges else 4, show_scalar_bar=False,
                         **(dict(ambient=0.5, diffuse=0.55) if is_lit else {}))
    except (ValueError, TypeError, KeyError) as error:
        raise ArgumentError(f"cmap={style.cmap!r} is not possible ({error}): give matplotlib's name of a colour map, "
                            "\"viridis\"") from error
    plotter.add_scalar_bar(title + (", logarithmic" if style.log else ""), color=ink, n_labels=6, fmt="%.4g", vertical=True,
                           position_x=0.85, position_y=0.15, width=0.08, height=0.7)


def _light(pyvista, plotter):
    """As the command line's pictures have it (ui/scene/stage/stage.cpp): from the eye, and from above its right shoulder."""
    plotter.add_light(pyvista.Light(light_type="headlight", intensity=0.6))
    plotter.add_light(pyvista.Light(position=(0.5, 0.8, 1.0), focal_point=(0, 0, 0), light_type="camera light", intensity=0.5))


def _in_space(displacement):
    """Three numbers for each node."""
    moved = np.zeros((len(displacement), 3))
    moved[:, :displacement.shape[1]] = displacement
    return moved


def _flat_axis(box):
    """Across which the whole mesh lies in a plane (z, if it is a line); None if it does not."""
    sizes = [box[2 * t + 1] - box[2 * t] for t in range(3)]
    flat = [t for t in (2, 1, 0) if sizes[t] <= 1e-9 * max(sizes)]
    return flat[0] if flat else None


def _surface(data):
    try:
        return data.extract_surface(algorithm=None)
    except TypeError: # an older pyvista
        return data.extract_surface()


def _centre(box):
    return np.array([box[0] + box[1], box[2] + box[3], box[4] + box[5]]) / 2


def _look(plotter, box, flat, style):
    camera = plotter.camera
    given = style.camera
    camera.view_angle = _ANGLE
    if given is not None and len(given) == 3:
        camera.position, camera.focal_point, camera.up = given
        plotter.renderer.reset_camera_clipping_range()
        return
    if given is not None:
        toward, up = given
    elif flat is not None:
        toward, up = (((1, 0, 0), (0, 0, 1)), ((0, -1, 0), (0, 0, 1)), ((0, 0, 1), (0, 1, 0)))[flat]
    else:
        toward, up = _ABOVE, (0, 0, 1)
    camera.parallel_projection = given is None and flat is not None
    focus, distance, half = _fitted(box, np.array(toward, float), np.array(up, float), style.size, camera.parallel_projection)
    camera.position, camera.focal_point, camera.up = focus + distance * _unit(np.array(toward, float)), focus, up
    camera.parallel_scale = half
    plotter.renderer.reset_camera_clipping_range()


def _unit(vector):
    return vector / np.linalg.norm(vector)


def _fitted(box, toward, up, size, is_parallel):
    """(focal point, distance of the eye from it, half of the height that is seen) at which the box fills its part of
    the picture: left of the bar of colours, above the caption."""
    back = _unit(toward)
    right = _unit(np.cross(up, back))
    top = np.cross(back, right)
    corners = np.array([[box[i], box[2 + j], box[4 + k]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    diagonal = max(np.linalg.norm(corners[-1] - corners[0]), 1e-30)
    tangent = math.tan(math.radians(_ANGLE / 2))
    aspect = size[0] / size[1]
    focus, half = _centre(box), diagonal / 2
    for _ in range(1 if is_parallel else 8): # what is near looks larger: a few rounds settle
        distance = half / tangent
        depth = 1 if is_parallel else 1 - (corners - focus) @ back / distance
        x, y = (corners - focus) @ right / depth, (corners - focus) @ top / depth
        half = 0.5 * max((y.max() - y.min()) / _HIGH, (x.max() - x.min()) / (_WIDE * aspect), 1e-9 * diagonal)
        focus = focus + right * ((x.max() + x.min()) / 2 + (1 - _WIDE) * 0.9 * aspect * half) \
            + top * ((y.max() + y.min()) / 2 - 0.5 * (1 - _HIGH) * half)
    return focus, half / tangent, half
