# SPDX-License-Identifier: GPL-3.0-or-later
"""Results that stay where a GPU has computed them."""
import numpy as np

from ._errors import ArgumentError


class GpuArray:
    """float32 values in the memory of a GPU, in C order, which other libraries take without a copy.

    All of them are there: nothing needs to be waited for. The memory is kept as long as anybody who has taken it
    lives.

    Examples
    --------
    >>> u = study.evaluate("velocity", Re=400, t=2.5, device="gpu")
    >>> torch.from_dlpack(u), cupy.from_dlpack(u), jax.dlpack.from_dlpack(u)
    >>> numpy.asarray(u) # a copy, in the CPU's memory
    """

    dtype = np.dtype(np.float32)

    def __init__(self, native):
        self._native = native

    @property
    def shape(self):
        """tuple of int"""
        return tuple(self._native.shape())

    def __repr__(self):
        return f"<gridhelm.GpuArray {self.shape} on gpu:{self.__dlpack_device__()[1]}>"

    def __dlpack_device__(self):
        """(2, N): CUDA's GPU number N."""
        return self._native.device()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule for `from_dlpack` of other libraries, whichever stream they go on in."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the values are on gpu:{self.__dlpack_device__()[1]}; numpy.asarray() copies them to the "
                              "CPU")
        if copy:
            raise BufferError("the values are handed over as they are: copy them afterwards")
        return self._native.capsule()

    def __array__(self, dtype=None, copy=None):
        """A copy in the CPU's memory."""
        if copy is False:
            raise ValueError("the values are on a GPU: numpy needs a copy of them")
        values = self._native.copy()
        return values if dtype is None else values.astype(dtype, copy=False)


def require_whole(nodes, indicator, out):
    """What stays on a GPU are whole fields, and their values alone."""
    for given, name in ((nodes is not None, "nodes"), (bool(indicator), "indicator"), (out is not None, "out")):
        if given:
            raise ArgumentError(f'{name} is not possible with device="gpu", where all values of fields are returned: '
                                'leave one of both out')
