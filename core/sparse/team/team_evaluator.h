// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/team/joint_work.h"
#include "core/sparse/team/team_backend.h"

#include <memory>
#include <vector>

namespace gridhelm::sparse {

/// The coefficients are loaded to all members, at the same time; see makeTeamBackend(). `work` has
/// a thread for each.
template <typename T>
std::unique_ptr<Evaluator<T>>
makeTeamEvaluator(const std::vector<TeamMember> &members, std::shared_ptr<const SparseGrid> grid,
                  std::vector<T> coefficients, std::shared_ptr<JointWork> work);

} // namespace gridhelm::sparse
