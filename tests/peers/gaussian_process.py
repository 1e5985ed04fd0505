# SPDX-License-Identifier: GPL-3.0-or-later
"""The Gaussian process that kriging is compared with. ImportError without scikit-learn."""
import os
import warnings

os.environ.pop("OPENBLAS_CORETYPE", None)  # a wrong one is slow; it counts while NumPy is loaded
import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel


def fitted(places, values, restarts):
    """Matern 5/2, one length for each parameter, constant mean (values less their mean), small nugget."""
    kernel = (ConstantKernel(1.0, (1e-3, 1e6))
              * Matern(np.full(places.shape[1], 0.5), (1e-2, 1e2), nu=2.5)
              + WhiteKernel(1e-6, (1e-12, 1e-1)))
    process = GaussianProcessRegressor(kernel, normalize_y=True, n_restarts_optimizer=restarts, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return process.fit(places, values)
