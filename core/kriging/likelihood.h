// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/correlations.h"
#include "core/kriging/form.h"
#include "core/kriging/runs.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::kriging {

/// The normal priors: on log a and log b of the warping, around 0, and on logarithms of lengths.
/// The latter is wide, and keeps few runs from claiming that a parameter says nothing, or each run
/// something else: measured to take 5 % off errors at 31 to 111 runs.
inline constexpr double warpingPriorDeviation = 0.5;
inline constexpr double lengthPriorMean = 0.5, lengthPriorDeviation = 1.5;
/// Of one mode, around what the leading modes have: measured on two fields to take 3 and 5 % off
/// errors at 49 to 225 runs.
inline constexpr double ownWarpingDeviation = 0.2, ownLengthDeviation = 0.4;

/// Minus the logarithm of the restricted likelihood of the outputs of some runs, which share their
/// hyperparameters and have variances of their own, times the priors; variances and mean are
/// eliminated (surrogates.md, eq:restricted-likelihood; [Rasmussen2006], section 2.7). A parameter
/// that is the same in all runs has no prior on its length, so that nothing moves it.
///
/// As a function of the logarithms of: lengths, nugget, and if warped, a of all parameters and b of
/// all parameters. Outputs that the mean alone expresses to round-off take no part. Thread-safe.
class Likelihood
{
public:
    /// The mean has to be determined by the runs (trendIsDetermined).
    Likelihood(const Runs &runs, Form form);

    /// The same with narrow priors around these hyperparameters.
    Likelihood around(const Hyperparameters &centre) const;

    std::size_t parameters() const;
    const Form &form() const { return m_form; }

    /// Infinity, and a gradient of 0, where the correlations are singular to round-off. `gradient`
    /// is empty, or has a place for each parameter.
    double value(std::span<const double> logarithms, std::span<double> gradient) const;

    Hyperparameters hyperparameters(std::span<const double> logarithms) const;
    std::vector<double> logarithms(const Hyperparameters &hyperparameters) const;

private:
    double addPriors(std::span<const double> logarithms, std::span<double> gradient) const;
    void addWarpingGradient(const Matrix &byPlace, const Hyperparameters &hyperparameters,
                            std::span<double> gradient) const;

    Form m_form;
    std::vector<int> m_varying;                          ///< parameters
    std::vector<double> m_priorMeans, m_priorDeviations; ///< of the logarithms; the nugget has none
    Matrix m_places;                                     ///< runs x dimension
    Matrix m_trend;                                      ///< runs x terms
    Matrix m_values; ///< runs x outputs, without the mean by least squares, mean square 1
};

/// The runs' places and values as matrices, a run in each row.
Matrix placesOf(const Runs &runs);
Matrix valuesOf(const Runs &runs);

} // namespace gridhelm::kriging
