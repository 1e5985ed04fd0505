// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kriging of one output by two forms at once (surrogates.md, eq:mixture; [Breiman1996]).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::kriging {

/// Part of a mixture: what it is off at each run that is left out, and by how much that looks
/// smaller than it is, as a factor.
struct MixturePart
{
    std::vector<double> leaveOneOut;
    double caution = 1;
};

/// Shares of the parts, not negative, of which at most two are above 0, and which add up to 1: so
/// that the sum of squares of the mixed errors is as small as that of cautious ones can be. There
/// is a part, and all have as many errors.
std::vector<double> mixtureShares(std::span<const MixturePart> parts);

} // namespace gridhelm::kriging
