# SPDX-License-Identifier: GPL-3.0-or-later
import pickle

import numpy as np
import pytest

import gridhelm

RNG = np.random.default_rng(1)
PLACES = RNG.uniform([0, 10], [1, 30], (60, 2))


def function(x):
    return np.sin(3 * x[..., 0]) + 0.01 * x[..., 1] ** 2


def test_fit_follows_a_function():
    model = gridhelm.fit(PLACES, function(PLACES))
    where = RNG.uniform([0.1, 12], [0.9, 28], (200, 2))
    assert np.abs(model(where) - function(where)).max() < 0.02
    assert np.abs(model.leave_one_out).max() < 0.3 and model.leave_one_out.shape == (60,)
    assert model.deviation(where).shape == (200,) and (model.deviation(where) >= 0).all()
    slopes = model.gradient(where)
    np.testing.assert_allclose(slopes[:, 0], 3 * np.cos(3 * where[:, 0]), atol=0.3)
    np.testing.assert_allclose(slopes[:, 1], 0.02 * where[:, 1], atol=0.1)
    assert np.ndim(model(where[0])) == 0


def test_many_outputs_are_fitted_by_their_components():
    t = np.linspace(0, 1, 500)
    values = function(PLACES)[:, None] * np.exp(-t) + PLACES[:, :1] * t
    model = gridhelm.fit(PLACES, values)
    where = RNG.uniform([0.1, 12], [0.9, 28], (20, 2))
    truth = function(where)[:, None] * np.exp(-t) + where[:, :1] * t
    assert np.abs(model(where) - truth).max() < 0.05
    assert model.deviation(where).shape == (20, 500) and model.gradient(where).shape == (20, 500, 2)
    assert model.leave_one_out.shape == (60, 500)


def test_predictions_as_scikit_learn_has_them():
    rng = np.random.default_rng(3)
    X, T = rng.uniform(0, 2, (40, 2)), rng.uniform(0, 2, (30, 2))
    def function(P):
        return np.sin(P[:, 0]) + P[:, 1] ** 2
    surrogate = gridhelm.fit(X, function(X))
    values, deviations = surrogate.predict(T, return_std=True)
    assert np.array_equal(values, surrogate(T)) and np.array_equal(values, surrogate.predict(T))
    assert np.array_equal(deviations, surrogate.deviation(T))
    truth = function(T)
    r2 = 1 - np.sum((truth - values) ** 2) / np.sum((truth - truth.mean()) ** 2)
    assert surrogate.score(T, truth) == pytest.approx(r2) and r2 > 0.999
    assert "kriging of 1 output over 2 parameters from 40 runs, leave-one-out error 0." in repr(surrogate)
    with pytest.raises(gridhelm.ArgumentError, match="as many values"):
        surrogate.score(T, truth[:5])


def test_frames_and_names():
    pandas = pytest.importorskip("pandas")
    model = gridhelm.fit(pandas.DataFrame(PLACES, columns=["x", "T"]), function(PLACES), ranges=[(0, 1), (10, 30)])
    assert model(x=0.5, T=20) == pytest.approx(function(np.array([0.5, 20])), abs=0.02)
    with pytest.raises(gridhelm.UnknownNameError, match='did you mean "T"'):
        model(x=0.5, t=20)


@pytest.mark.parametrize("X, Y, sentence", [
    (PLACES, np.zeros(3), "as many rows"), (PLACES[:1], [1.0], "at least 2"), (np.empty((0, 2)), [], "one row"),
    (PLACES, ["x"] * 60, "no real number"), (np.where(PLACES > 20, np.nan, PLACES), np.zeros(60), "nan"),
    (PLACES[:, 0], np.zeros(60), "one row"), (PLACES, np.zeros((60, 2, 2)), "as many rows"),
])
def test_bad_arrays(X, Y, sentence):
    with pytest.raises(gridhelm.ArgumentError, match=sentence):
        gridhelm.fit(X, Y)


def test_bad_ranges():
    with pytest.raises(gridhelm.ArgumentError, match="low below high"):
        gridhelm.fit(PLACES, np.zeros(60), ranges=[(1, 0), (10, 30)])
    with pytest.raises(gridhelm.ArgumentError, match="outside of ranges"):
        gridhelm.fit(PLACES, np.zeros(60), ranges=[(0, 1), (10, 11)])


def test_estimator_is_scikit_learns():
    pytest.importorskip("sklearn")
    from sklearn.utils.estimator_checks import check_estimator
    check_estimator(gridhelm.SurrogateRegressor())


def test_estimator():
    pytest.importorskip("sklearn")
    from sklearn.model_selection import cross_val_score
    model = gridhelm.SurrogateRegressor()
    assert cross_val_score(model, PLACES, function(PLACES)).min() > 0.99
    model.fit(PLACES, function(PLACES))
    values, deviations = model.predict(PLACES, return_std=True)
    assert values.shape == deviations.shape == (60,)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(PLACES), values)
