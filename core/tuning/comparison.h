// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a variant is faster than the compiled-in one by more than the noise, by runs of both in
// turns: no more of them than it takes.
#pragma once

#include <cstddef>
#include <span>

namespace gridhelm::tuning {

/// Less is not worth a table.
inline constexpr double smallestGain = 1.02;

enum class Judgement {
    open,      ///< further runs may change it
    faster,    ///< in the median by smallestGain, and in the lower quartile at all
    notFaster, ///< or not by so much
};

/// What ratios say so far, seconds of the compiled-in variant divided by those of the other, of at
/// most so many. Before the last one: notFaster if the others cannot change that, either if the
/// lead, or what is missing, is more than twice what three or more of them differ by.
Judgement judgementOf(std::span<const double> ratios, std::size_t most);

} // namespace gridhelm::tuning
