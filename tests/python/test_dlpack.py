# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields are handed to other libraries without a copy."""
import numpy as np
import pytest

import gridhelm

from conftest import skipped_without_gpu


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


def test_what_is_not_on_a_gpu_is_said(grid):
    with pytest.raises(gridhelm.ArgumentError, match='"cpu" or "gpu"'):
        grid.evaluate("p", a=1, b=0.5, device="tpu")
    for more in {"nodes": [0]}, {"indicator": True}, {"out": np.zeros(45, np.float32)}:
        with pytest.raises(gridhelm.ArgumentError, match="leave one of both out"):
            grid.evaluate("p", a=1, b=0.5, device="gpu", **more)
    with pytest.raises(gridhelm.GridhelmError, match="GPU|CUDA"):
        gridhelm.open(grid.path, devices="cpu").evaluate("p", a=1, b=0.5, device="gpu")


def test_results_stay_on_a_gpu(study, grid):
    many = np.linspace([0.5, 0.1], [2, 1], 7)
    with skipped_without_gpu():
        there = study.evaluate("flow", many, device="gpu")
    assert there.shape == (7, 40, 3) and there.__dlpack_device__() == (2, 0)
    np.testing.assert_allclose(np.asarray(there), study.evaluate("flow", many), rtol=1e-6, atol=1e-6)
    one = grid.evaluate("p", a=1, b=0.5, device="gpu")
    assert one.shape == grid.evaluate("p", a=1, b=0.5).shape
    np.testing.assert_allclose(np.asarray(one), grid.evaluate("p", a=1, b=0.5), rtol=1e-6, atol=1e-6)
    capsule = one.__dlpack__()
    del one
    assert "dltensor" in repr(capsule) # it keeps the values


def test_libraries_take_them_there(study):
    torch = pytest.importorskip("torch")
    with skipped_without_gpu():
        there = study.evaluate("flow", a=1, b=0.5, device="gpu")
    taken = torch.from_dlpack(there)
    assert taken.is_cuda and tuple(taken.shape) == (40, 3)
    np.testing.assert_array_equal(taken.cpu().numpy(), np.asarray(there))
