// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "data/study/study.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::data {

/// What the surrogate may be off at each value of a field, for a share of places: by the study's
/// hold-outs inside of the ranges, each value calibrated by itself (eq:conformal-score).
struct ErrorMap
{
    /// On a background grid of those hold-outs that have a body there; NaN where none has.
    std::vector<float> atMost;
    double coverage = 0;
    std::size_t holdOuts = 0; ///< runs
    /// At so many values too few of them have a body for that coverage: the largest error counts.
    std::size_t ofFewer = 0;
};

/// The field at a place of the unit cube.
using EvaluateField = std::function<void(std::span<const double> x, std::span<float> values)>;

/// Nothing without such hold-outs that have the field, and a body. On a background grid errors
/// count where the body is, in truth and as the surrogate has it. Of a run with several times each
/// value's largest error counts. Throws gridhelm::Error for what is damaged.
std::optional<ErrorMap> errorMapOf(const Study &study, FieldIndex field,
                                   const EvaluateField &evaluate, const ExecutionContext &context);

} // namespace gridhelm::data
