// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a field is off at the hold-outs of one run. Private to data.
#pragma once

#include "data/evaluate/error_norms.h"
#include "data/study/study.h"

#include <functional>
#include <span>
#include <vector>

namespace gridhelm::data {

struct HeldOutRun
{
    Norms difference, reference;
    std::vector<double> worst; ///< parameters of the hold-out with the largest error; empty: none
                               ///< has the field
};

/// What is measured, at parameters in their units.
using EvaluateField = std::function<void(std::span<const double> parameters, std::span<float>)>;
/// Sees each hold-out before it counts; what it sets to 0 in both does not.
using SeeHeldOut =
    std::function<void(const HoldOut &, std::span<float> error, std::span<float> exact)>;

HeldOutRun heldOutRun(const Study &study, FieldIndex field, const std::vector<HoldOut> &run,
                      const EvaluateField &evaluate, const SeeHeldOut &see);

} // namespace gridhelm::data
