// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/stepper.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::bench {

struct RunLimits
{
    double residual = 0; ///< relative to the start
    double seconds = 60; ///< of advancing; a run that needs more has not reached the residual
};

struct RunToResidual
{
    bool reached = false;
    std::uint64_t iterations = 0;
    double seconds = 0; ///< spent advancing; the residual's computation is not counted
    double residual = 0;
};

/// Advances `pass` iterations at a time, or 1 % of those already done if that is more, until the
/// residual is reached. The stepper must be fresh.
RunToResidual runToResidual(solvers::Stepper &stepper, std::uint64_t pass, const RunLimits &limits);

struct ToleranceCase
{
    std::size_t unknowns; ///< n x n
    double residual;
};

struct ToleranceOptions
{
    std::vector<ToleranceCase> cases{{1024, 1e-2}, {4096, 3e-2}};
    ExecutionContext context{CpuDevice{}};
    double longestRun = 4; ///< seconds
    bool fewChoices = false;
};

/// The spike in the middle of the unit square, float: how long each method takes to a residual that
/// Jacobi reaches, too (that of the spike falls like 1 / sqrt(iterations), until the heat is at the
/// sides). SOR's methods have their default w, which suits residuals that are far smaller. A list,
/// for each case:
///
///     {"problem", "unknowns", "residual", "threads",
///      "runs": [{"method", choices such as "alpha", "tile", "layers", "width", "relaxation",
///                "reached", "iterations", "seconds", "residual"}, ...],
///      "best": {"tuned": index into runs, "temporal": ..., "async": ..., "red-black": ...,
///               "mlssor": ..., "sequential": ...}}      methods that did not reach it are missing
nlohmann::json benchTimeToTolerance(const ToleranceOptions &options);

} // namespace gridhelm::bench
