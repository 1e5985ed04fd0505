# SPDX-License-Identifier: GPL-3.0-or-later
"""Steer precomputed simulations: fields of a study at any parameters, in milliseconds.

>>> import gridhelm
>>> study = gridhelm.open("cavity.gridhelm")
>>> u = study.evaluate("velocity", Re=400, t=2.5)       # numpy, (nodes, 3)
>>> study.error("velocity", Re=400, t=2.5).text
"""
import atexit

from . import _native
from ._answers import Density, Influence, Match, Proportion, Response, ShapleyEffects, Spread, Validation
from ._errors import ArgumentError, GridhelmError, UnknownNameError
from ._fit import Surrogate, fit
from ._gpu_array import GpuArray
from ._maps import ErrorMap, InfluenceMaps, SpreadMaps
from ._mesh import Mesh, image
from ._page import Page, PageField
from ._sample import sample
from ._study import Accuracy, Band, Field, Parameter, Study, open

__version__ = _native.version()
__all__ = [
    "Accuracy", "ArgumentError", "Band", "Density", "ErrorMap", "Field", "GpuArray", "GridhelmError", "Influence", "InfluenceMaps", "Match",
    "Mesh", "Page", "PageField", "Parameter", "Proportion", "Response", "ShapleyEffects", "Spread", "SpreadMaps", "Study", "Surrogate",
    "SurrogateRegressor", "UnknownNameError", "Validation", "fit", "image", "open", "sample", "show",
]

atexit.register(_native.wait_for_left_work)


def __getattr__(name):
    # What needs a package of its own is loaded when it is asked for.
    if name == "SurrogateRegressor":
        from .learn import SurrogateRegressor
        return SurrogateRegressor
    if name == "show":
        from .jupyter import show
        return show
    raise AttributeError(f"module 'gridhelm' has no attribute '{name}'")


def __dir__():
    return sorted(set(globals()) | set(__all__))
