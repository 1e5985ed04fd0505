// SPDX-License-Identifier: GPL-3.0-or-later
//
// The definitions of docs/theory/surrogates.md word by word: bordered systems solved one by one,
// runs really left out. Slow on purpose, and in long double: everything fast is tested against
// these.
#pragma once

#include "core/kriging/form.h"
#include "core/kriging/hyperparameters.h"
#include "core/kriging/runs.h"

#include <span>
#include <vector>

namespace gridhelm::kriging::reference {

/// Of two places, without the nugget (eq:correlation and eq:warping).
long double correlation(std::span<const double> x, std::span<const double> y,
                        const Hyperparameters &hyperparameters, Smoothness smoothness);

struct Prediction
{
    double value = 0;
    double variance = 0; ///< relative to the process's
};

/// Of the first output at x, by the solution of the bordered system (eq:kriging and
/// eq:kriging-deviation). Throws gridhelm::Error where that is singular.
Prediction predict(const Runs &runs, const Form &form, const Hyperparameters &hyperparameters,
                   std::span<const double> x);

/// Each run's value of the first output, less its prediction from all others.
std::vector<double> leaveOneOut(const Runs &runs, const Form &form,
                                const Hyperparameters &hyperparameters);

/// As Likelihood::value(), but that outputs are neither scaled nor freed of their mean: larger by
/// (runs - terms of the mean) times the logarithm of each output's scale. All parameters vary.
double negativeLogLikelihood(const Runs &runs, const Form &form,
                             const Hyperparameters &hyperparameters);

} // namespace gridhelm::kriging::reference
