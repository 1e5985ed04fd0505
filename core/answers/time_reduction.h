// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a number that changes with time to one of the whole run (docs/theory/analysis.md).
#pragma once

#include "core/answers/response_model.h"
#include "core/parameters/parameter_space.h"

#include <span>
#include <string>
#include <string_view>

namespace gridhelm::answers {

enum class TimeReductionKind {
    value, ///< at one time
    mean,
    minimum,
    maximum,
    firstAbove, ///< when it passes a threshold first; the last time if it never does
    firstBelow,
};

struct TimeReduction
{
    TimeReductionKind kind = TimeReductionKind::mean;
    double number = 0; ///< time in the parameter's unit, or threshold

    bool isLinear() const
    {
        return kind == TimeReductionKind::mean || kind == TimeReductionKind::value;
    }
};

/// "value at 2.5", "mean", "minimum", "maximum", "first above 0.5", "first below 0.5". Throws
/// gridhelm::Error with what may stand there.
TimeReduction parseTimeReduction(std::string_view text);
/// For help and sentences.
std::string timeReductionNames();

/// Of a number that is values[i] at times[i] (ascending, one at least) and linear between them.
double reduceInTime(TimeReduction reduction, std::span<const double> times,
                    std::span<const double> values);

/// Throws gridhelm::Error for a space without a time-like parameter, and for a time outside of its
/// range.
void requireTimeIn(const ParameterSpace &space, TimeReduction reduction);

/// A response over all times of a run, as a model of the same parameters that does not change with
/// the time-like one. Exact for means and values of sparse grids of several parameters, which stay
/// sparse grids; of others the model is evaluated at the times at which the functions of grids have
/// their kinks, 65 at least, so that it is exact for grids of degree 1 and at most 4096 intervals.
/// Means over time on a logarithmic scale are by the trapezoidal rule between these times.
/// Throws gridhelm::Error as requireTimeIn().
ResponseModel reducedInTime(const ResponseModel &response, const ParameterSpace &space,
                            TimeReduction reduction);

} // namespace gridhelm::answers
