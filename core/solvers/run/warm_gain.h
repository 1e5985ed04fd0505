// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gridhelm::solvers {

/// How a run with a target has ended.
struct TargetedEnd
{
    bool isThere = false; ///< at the target
    std::uint64_t iterations = 0;
    double seconds = 0;
};

/// What a warm start saves of a cold one that goes to the same target: "120 of 200 iterations (60
/// %), 0.2 s instead of 0.5 s", or that it saves none, or that one of them is not there. `unit`:
/// "iterations" or "sweeps".
std::string savedInWords(const TargetedEnd &cold, const TargetedEnd &warm, std::string_view unit);

} // namespace gridhelm::solvers
