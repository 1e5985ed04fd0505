# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies to ask. What is true of them is known: they are of functions."""
import contextlib
import os
import subprocess

import numpy as np
import pytest

import gridhelm

X = np.linspace(0, 1, 40)


def waves(a, b):
    """Two fields on a line of 40 nodes."""
    return {"u": np.exp(-a * X) * np.cos(3 * b * X), "flow": np.stack([a * X, b * X, a * b + 0 * X], axis=1)}


RANGES = {"a": (0.5, 2), "b": {"low": 0.1, "high": 1, "scale": "logarithmic", "unit": "m"}}


@pytest.fixture(scope="session")
def waves_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("studies") / "waves.gridhelm"
    gridhelm.sample(waves, RANGES, out=path, until="0.3 %", processes=2)
    return path


@pytest.fixture(scope="session")
def grid_path(tmp_path_factory):
    """A plain sparse grid, on a picture."""
    path = tmp_path_factory.mktemp("studies") / "grid.gridhelm"
    def field(a, b):
        y, x = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 2, 9), indexing="ij")
        return {"p": a * x + b * y}
    gridhelm.sample(field, {"a": (0, 1), "b": (0, 1)}, out=path, level=4, processes=2,
                    mesh=gridhelm.image((5, 9), spacing=(0.25, 0.25)), units={"p": "Pa"}, holdouts=12)
    return path


@pytest.fixture
def study(waves_path):
    return gridhelm.open(waves_path)


@pytest.fixture
def grid(grid_path):
    return gridhelm.open(grid_path)


@contextlib.contextmanager
def skipped_without_gpu():
    """What asks for results on a GPU, where there may be none."""
    try:
        yield
    except gridhelm.GridhelmError as reason:
        if "there is no GPU to leave results on" in str(reason):
            pytest.skip(str(reason))
        raise


@pytest.fixture(scope="session")
def cli():
    """The command line of the same build: GRIDHELM_CLI=build/release/bin/gridhelm-cli."""
    program = os.environ.get("GRIDHELM_CLI")
    if not program:
        pytest.skip("GRIDHELM_CLI names no gridhelm-cli to compare with")
    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    return run
