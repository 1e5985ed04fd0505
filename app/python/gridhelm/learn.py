# SPDX-License-Identifier: GPL-3.0-or-later
"""`fit` as an estimator of scikit-learn."""
import numpy as np

from ._errors import need
from ._fit import fit as fit_surrogate

need("sklearn", "SurrogateRegressor", "learn")

from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin  # noqa: E402
from sklearn.utils.validation import check_is_fitted, validate_data  # noqa: E402


class SurrogateRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Kriging of scattered runs; see `gridhelm.fit`.

    Parameters
    ----------
    threads : int
        0 for all.

    Attributes
    ----------
    surrogate_ : gridhelm.Surrogate
    n_features_in_ : int
    """

    def __init__(self, threads=0):
        self.threads = threads

    def fit(self, X, y):
        """Fit; returns self."""
        X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, dtype="numeric", ensure_min_samples=2)
        self._runs = np.array(X, np.float64), np.array(y, np.float64)
        self.surrogate_ = fit_surrogate(*self._runs, threads=self.threads)
        return self

    def predict(self, X, return_std=False):
        """Values, and with `return_std` their standard deviations."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype="numeric")
        X = np.asarray(X, np.float64)
        values = self.surrogate_(X)
        return (values, self.surrogate_.deviation(X)) if return_std else values

    def __getstate__(self):
        # The compiled part stays here: it is fitted again from the same runs, with the same result.
        state = super().__getstate__().copy()
        state.pop("surrogate_", None)
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_runs" in state:
            self.surrogate_ = fit_surrogate(*self._runs, threads=self.threads)
