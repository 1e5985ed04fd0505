# SPDX-License-Identifier: GPL-3.0-or-later
"""A study in a notebook: sliders, and a picture that follows them."""
import numpy as np

from ._errors import ArgumentError, need


def show(study, field=None, *, component=None, cmap="viridis"):
    """Sliders for the parameters, and the field that follows them.

    Parameters
    ----------
    study : Study
        On a flat regular mesh its field is drawn as a picture, on a line as a curve; any other mesh as its nodes
        from above, by their colour.
    field : str, optional
        The first one if left out.
    component : int, optional
        Of a vector; its magnitude if left out.
    cmap : str
        matplotlib's name of a colour map.

    Returns
    -------
    ipywidgets.VBox
    """
    widgets = need("ipywidgets", "show", "notebook")
    need("matplotlib", "show", "notebook")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    import io

    names = [f.name for f in study.fields]
    name = field if field is not None else names[0]
    of = study.fields[study._index(name)]
    if of.association != "point":
        raise ArgumentError(f"{name} has values in cells, and a picture here needs them at points: choose another field")
    mesh = study.mesh()
    sliders = {p.name: widgets.FloatSlider(value=_middle(p), min=p.low, max=p.high, step=(p.high - p.low) / 200,
                                           description=p.name, continuous_update=True, readout_format=".4g")
               for p in study.parameters}
    picture, text = widgets.Image(format="png"), widgets.Label()
    box = widgets.VBox([*sliders.values(), picture, text])

    def draw(_=None):
        at = {n: s.value for n, s in sliders.items()}
        values = study.evaluate(name, **at)
        if values.ndim > 1:
            values = np.linalg.norm(values, axis=1) if component is None else values[:, component]
        figure = Figure(figsize=(5, 4), dpi=90, layout="constrained")
        FigureCanvasAgg(figure)
        _draw(figure.subplots(), figure, mesh, values, cmap, f"{name} [{of.unit}]" if of.unit else name)
        stream = io.BytesIO()
        figure.savefig(stream, format="png")
        picture.value = stream.getvalue()
        band = study.error(name, **at)
        text.value = band.text if band is not None else "the error was not measured"

    for slider in sliders.values():
        slider.observe(draw, "value")
    draw()
    return box


def _middle(parameter):
    if parameter.is_logarithmic:
        return float(np.sqrt(parameter.low * parameter.high))
    return (parameter.low + parameter.high) / 2


def _draw(axes, figure, mesh, values, cmap, label):
    directions = [n for n in mesh.shape or () if n > 1]
    if mesh.shape is not None and len(directions) < 2:
        axes.plot(values)
        axes.set(xlabel="node", ylabel=label)
        return
    if mesh.kind == "image" and mesh.shape[2] == 1:
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        drawn = axes.imshow(values.reshape(mesh.shape[1], mesh.shape[0]), origin="lower", cmap=cmap,
                            extent=(low[0], high[0], low[1], high[1]))
    else:
        drawn = axes.scatter(mesh.points[:, 0], mesh.points[:, 1], c=values, s=4, cmap=cmap)
        axes.set_aspect("equal")
    figure.colorbar(drawn, ax=axes, label=label)
