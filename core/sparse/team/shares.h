// SPDX-License-Identifier: GPL-3.0-or-later
//
// Items in a row, points or columns, divided among devices.
#pragma once

#include "core/sparse/share.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// What one device should get.
struct Claim
{
    double weight = 1;        ///< beside those of the others; above 0
    std::size_t smallest = 1; ///< a share that is smaller is not worth it, or must not be
};

/// `count` items in order, a share for each claim, about as large as the weights say. As long as
/// someone would get less than the smallest share, the slowest gets none, the last of several,
/// until one is left. Throws gridhelm::Error unless there is a claim and all weights are above 0.
std::vector<Share> shared(std::size_t count, std::span<const Claim> claims);

/// The same for equal claims.
std::vector<Share> sharedEqually(std::size_t count, std::size_t parts);

} // namespace gridhelm::sparse
