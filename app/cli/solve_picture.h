// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/picture.h"
#include "app/cli/solve_run.h"
#include "core/solvers/field_slice.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// The slice with its range of colours, and beside it the figure `shown` against the iterations,
/// its axis logarithmic. With `bands`, values from 0 on are drawn as so many bands; values that
/// are not finite are grey.
Picture drawSolution(const solvers::Slice &slice, std::optional<int> bands,
                     const std::vector<solvers::StepReport> &history, Quantity shown,
                     const std::string &unit);

} // namespace gridhelm::cli
