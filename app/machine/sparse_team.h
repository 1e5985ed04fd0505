// SPDX-License-Identifier: GPL-3.0-or-later
//
// The back end of sparse grids for several devices of this machine.
#pragma once

#include "core/execution/execution_context.h"
#include "core/sparse/team/team_backend.h"

#include <memory>
#include <string>
#include <vector>

namespace gridhelm::app {

/// A back end for each device of the context's team, which is not empty: that of its kind for
/// `backend` "auto", else "omp" or "cuda" for all. CPUs are as fast as they have threads, GPUs as
/// each other. Where there are both, the CPU is the GPUs' helper, and comes last. Throws
/// gridhelm::Error if a device is not of the kind.
std::vector<sparse::TeamMember> sparseTeam(const ExecutionContext &context,
                                           const std::string &backend);

/// makeTeamBackend() of them; where it fails, the CPU goes on if the context allows that.
std::shared_ptr<const sparse::Backend> makeSparseTeam(const ExecutionContext &context,
                                                      const std::string &backend);

} // namespace gridhelm::app
