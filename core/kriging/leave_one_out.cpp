// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/leave_one_out.h"

#include "core/kriging/bordered_factor.h"
#include "core/kriging/trend.h"

#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::kriging {

Matrix leaveOneOutErrors(const Matrix &weights, const Vector &diagonal)
{
    return diagonal.cwiseInverse().asDiagonal() * weights;
}

double relativeLeaveOneOut(const Runs &runs, const Form &form,
                           const Hyperparameters &hyperparameters)
{
    const Matrix places = placesOf(runs), values = valuesOf(runs);
    Matrix correlations;
    fillCorrelations(warpedPlaces(places, hyperparameters), hyperparameters, form.smoothness,
                     correlations);
    const Matrix trend = trendAt(places, form.linear);
    const auto factor = BorderedFactor::of(std::move(correlations), trend);
    if (!factor)
        return std::numeric_limits<double>::infinity();
    const Matrix errors = leaveOneOutErrors(factor->solve(detrended(values, trend).rest).weights,
                                            factor->inverse().diagonal());
    const double size = (values.rowwise() - values.colwise().mean()).norm();
    return size > 0 ? errors.norm() / size : errors.norm();
}

} // namespace gridhelm::kriging
