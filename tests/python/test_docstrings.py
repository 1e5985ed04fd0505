# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of all docstrings, as they stand there."""
import contextlib
import doctest
import inspect

import numpy as np
import pytest

import gridhelm

from conftest import skipped_without_gpu


def documented():
    yield "gridhelm", gridhelm
    for name in gridhelm.__all__:
        if name in ("show", "SurrogateRegressor"): # they need packages of their own, and have no examples
            continue
        thing = getattr(gridhelm, name)
        yield name, thing
        if inspect.isclass(thing):
            for part, of in inspect.getmembers(thing):
                if not part.startswith("_") and (inspect.isfunction(of) or isinstance(of, property)):
                    yield f"{name}.{part}", of


EXAMPLES = {name: found for name, thing in documented()
            if (found := [example.source for example in doctest.DocTestParser().get_examples(thing.__doc__ or "")])}


@pytest.fixture(scope="module")
def cavity(tmp_path_factory):
    """What the examples take for granted."""
    folder = tmp_path_factory.mktemp("examples")
    x = np.linspace(0, 1, 25)
    def run(Re, t):
        speed = np.exp(-t * x) * Re / 1000
        return {"velocity": np.stack([speed, x * speed, 0 * x], axis=1), "pressure": np.cos(x + t / 5) + Re / 1000}
    study = gridhelm.sample(run, {"Re": (100, 1000), "t": (0, 5)}, out=folder / "cavity.gridhelm", until="1 %", processes=2,
                            mesh=gridhelm.image((5, 5), spacing=(0.25, 0.25)))
    study.response("peak", "mag(velocity)", reduce="maximum")
    (folder / "measured.csv").write_text("quantity,x,y,z,value,sd\npressure,0,0,0,1.2,0.01\npressure,1,1,0,0.9,0.01\n")
    return folder


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name, cavity, tmp_path, monkeypatch):
    text = "".join(EXAMPLES[name])
    if "matplotlib" in text:
        pytest.importorskip("matplotlib")
        import matplotlib.image
        import matplotlib.pyplot
    if "pyvista" in text or "render" in text:
        pytest.importorskip("pyvista")
    for file in cavity.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    names = {"numpy": np, "gridhelm": gridhelm, "study": gridhelm.open("cavity.gridhelm")}
    if "matplotlib" in text:
        matplotlib.use("agg")
        names["matplotlib"] = matplotlib
    with skipped_without_gpu() if 'device="gpu"' in text else contextlib.nullcontext():
        for source in EXAMPLES[name]:
            exec(source, names)


def test_there_are_examples_of_what_people_begin_with():
    wanted = {"gridhelm", "open", "sample", "fit", "image", "Study.evaluate", "Study.error", "Study.render", "Study.response",
              "Study.sobol", "Study.shapley", "Study.uncertainty", "Study.match"}
    assert wanted <= set(EXAMPLES)
