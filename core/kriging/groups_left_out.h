// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors of runs that are left out several at a time, without leaving them out ([Dubrule1983];
// docs/theory/surrogates.md, eq:kriging-left-out).
#pragma once

#include "core/execution/execution_context.h"
#include "core/kriging/model.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::kriging {

/// runs x outputs: each value less what the runs of all other groups predict with the same
/// hyperparameters. `groupOf` has the group of each run, any number. All times of a simulation are
/// such a group: what is known of one is nearly known of the next.
///
/// Factors a matrix of runs x runs for each of the model's groups, with the threads of the context;
/// the result does not depend on their number. Throws gridhelm::Error if the model is not sound,
/// its correlations are singular to round-off, or the runs that are left do not determine the mean.
std::vector<double> leaveGroupsOut(const Model &model, std::span<const std::size_t> groupOf,
                                   const ExecutionContext &context);

} // namespace gridhelm::kriging
