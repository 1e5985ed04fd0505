// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a score to the band whose places have no larger one. Private to the surrogate library.
#pragma once

#include "core/surrogate/error_band.h"

#include <cstddef>

namespace gridhelm {

/// The errors of which scoreOf() with this floor is at most `score`.
inline ErrorBand bandOfScore(double score, double floor, double coverage, std::size_t holdOuts)
{
    if (floor > 0)
        return {score, score * floor, coverage, holdOuts};
    return {0, score, coverage, holdOuts};
}

} // namespace gridhelm
