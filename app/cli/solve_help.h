// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the help of "solve" says to somebody who has never seen it. The window says the same.
#pragma once

#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/problem_in_words.h"
#include "core/solvers/run/run_plan.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::cli {

/// Broken between words into lines of at most 100 columns that begin with so many blanks, each with
/// its end.
std::string wrapped(std::string_view text, std::size_t indent = 0);

std::string helpOf(const solvers::ProblemInWords &problem);
std::string helpOf(const std::vector<const solvers::PoissonMethod *> &methods);
/// What a run reports, and when it has converged.
std::string helpOf(const std::vector<solvers::Quantity> &figures);

} // namespace gridhelm::cli
