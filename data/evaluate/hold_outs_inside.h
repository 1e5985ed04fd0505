// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <cstdint>
#include <vector>

namespace gridhelm::data {

/// A hold-out, in the unit cube.
struct UnitHoldOut
{
    std::int64_t id = 0;
    std::vector<double> x;
};

/// Those inside of the ranges, which errors are calibrated by (see BandCalibration::band()).
std::vector<UnitHoldOut> holdOutsInside(const Study &study);

} // namespace gridhelm::data
