// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/workload.h"

#include <optional>
#include <span>

namespace gridhelm::dispatch {

/// Sizes for which one choice is made.
struct SizeClass
{
    double upTo; ///< and above that of the class before
    /// In place of all of them. None: so little that the CPU does it without asking; to start
    /// a device takes a thousand times as long.
    std::optional<Workload> measured;
};

/// Of one operation, by size; the last one has no bound.
std::span<const SizeClass> sizeClasses(Operation operation);

std::size_t sizeClassOf(Operation operation, double size);

} // namespace gridhelm::dispatch
