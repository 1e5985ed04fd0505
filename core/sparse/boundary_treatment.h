// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::sparse {

/// How the basis of one dimension behaves at x = 0 and x = 1.
enum class BoundaryTreatment : std::uint8_t {
    zero,     ///< hat functions only: the function vanishes at both ends
    boundary, ///< level -1 adds the end points with the functions 1 - x and x
    modified, ///< no end points: constant level 0, outermost functions extrapolate linearly
};

/// Lowest level of a dimension: -1 for `boundary`, 0 otherwise.
constexpr int lowestLevel(BoundaryTreatment treatment)
{
    return treatment == BoundaryTreatment::boundary ? -1 : 0;
}

std::string_view toString(BoundaryTreatment treatment);

/// Parses "zero", "boundary", "modified", or a comma-separated list of `dimension` of them (one
/// value stands for all dimensions). Throws gridhelm::Error.
std::vector<BoundaryTreatment> parseBoundaryTreatments(std::string_view text, int dimension);

} // namespace gridhelm::sparse
