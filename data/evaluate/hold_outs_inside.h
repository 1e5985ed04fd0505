// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::data {

/// A hold-out, in the unit cube.
struct UnitHoldOut
{
    std::int64_t id = 0;
    std::vector<double> x;
    std::size_t run = 0; ///< the same of all times of a run, and of no other
};

/// Those inside of the ranges, which errors are calibrated by (see BandCalibration::band()): runs
/// one after the other. A run that was looked at at several times is one score, its largest: what
/// one simulation says at two times is not independent.
std::vector<UnitHoldOut> holdOutsInside(const Study &study);

} // namespace gridhelm::data
