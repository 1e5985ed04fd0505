# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields are handed to other libraries without a copy."""
import numpy as np
import pytest


def test_numpy_takes_them(grid):
    field = grid.evaluate("p", a=1, b=0.5)
    assert field.__dlpack_device__() == (1, 0) # the CPU's memory
    taken = np.from_dlpack(field)
    assert np.shares_memory(taken, field) and (taken == field).all()
    many = grid.evaluate("p", [[1, 0.5], [0.2, 0.3]])
    assert np.shares_memory(np.from_dlpack(many), many)


def test_torch_takes_them(study):
    torch = pytest.importorskip("torch")
    flow = study.evaluate("flow", a=1, b=0.5)
    taken = torch.from_dlpack(flow)
    assert tuple(taken.shape) == (40, 3) and taken.data_ptr() == flow.ctypes.data
    del flow
    assert torch.isfinite(taken).all() # it keeps what it has


def test_jax_takes_them(study):
    jax = pytest.importorskip("jax")
    flow = study.evaluate("flow", a=1, b=0.5)
    taken = jax.dlpack.from_dlpack(flow)
    assert taken.shape == (40, 3)
    np.testing.assert_array_equal(np.asarray(taken), flow)
