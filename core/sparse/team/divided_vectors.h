// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of vectors whose columns are held by several devices.
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/team/joint_work.h"
#include "core/sparse/team/team_backend.h"

#include <memory>
#include <span>

namespace gridhelm::sparse {

/// Each member takes columns in proportion to its speed, but no more than have room there
/// (Backend::columnsThatFit()); then the next ones take more, and what is left after the last one
/// is evaluated by the context's CPU, at the same time: `context` is told. Where it forbids that,
/// throws gridhelm::BackendError. `work` has a thread for each member, and one more; it may be
/// shared.
std::unique_ptr<VectorEvaluator> loadDivided(std::span<const TeamMember> members,
                                             MatrixView<const float> matrix,
                                             const ExecutionContext &context,
                                             std::shared_ptr<JointWork> work);

/// Each member has all rows, which are small, and combines whole groups of columns in proportion to
/// its speed.
std::unique_ptr<VectorEvaluator> loadDivided(std::span<const TeamMember> members,
                                             const QuantisedRows &matrix,
                                             std::shared_ptr<JointWork> work);

} // namespace gridhelm::sparse
