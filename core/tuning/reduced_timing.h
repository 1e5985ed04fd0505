// SPDX-License-Identifier: GPL-3.0-or-later
//
// The time of an input from those of smaller ones ([Murarasu2013], 5.3.3).
#pragma once

#include "core/dispatch/workload.h"

#include <cstddef>
#include <memory>
#include <span>

namespace gridhelm::tuning {

struct Reduction
{
    /// Of a smallest input: twice, and unless that takes long three times and four times as many
    /// are timed, too. As many as the work has, or more: it is timed as it is.
    std::size_t items = 1;
    /// Shorter runs are repeated until they take so long in all: a clock and the machine's unrest
    /// have too large a part in them.
    double shortest = 1e-3;
};

/// Seconds of the whole work on this back end, from smaller inputs if the work can be divided.
/// Gives up, with a time that is too large, as soon as it is certain to be above `hopeless`.
double estimatedSeconds(dispatch::PreparedWork &work, const Reduction &reduction, double hopeless);

/// The same kind of work on a smaller grid.
struct SmallerWork
{
    std::unique_ptr<dispatch::PreparedWork> work;
    double amount = 0; ///< that its time grows with, as values of a grid
};

/// Seconds of a work of this amount by those of smaller ones, at least one, each done as a whole:
/// the reduction of *n*.
double estimatedSeconds(std::span<const SmallerWork> smaller, double amount, double shortest);

/// The seconds of one run of so many items: of the runs of a batch the fastest.
double shortestSeconds(dispatch::PreparedWork &work, std::size_t items, double atLeast);

} // namespace gridhelm::tuning
