// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/cuda_pmm.h"

#include "gpu/pmm/cuda_pmm_stepper.h"

#include <array>

namespace gridhelm::gpu {
namespace {

constexpr std::array valuesOfRows{0, 1, 2, 4, brickEdge};
constexpr TunableConstant rowsConstant{.name = "rows",
                                       .meaning = "of a warp's tile; 0: as few as all tiles can be "
                                                  "resident with",
                                       .values = valuesOfRows,
                                       .compiledIn = 0};
constexpr std::array<const TunableConstant *, 1> constants{&rowsConstant};

CudaPmmChoices choicesOf(const solvers::PmmProblem &problem, std::size_t valueBytes,
                         const TuningTable &table)
{
    CudaPmmChoices choices;
    if (solvers::isAnisotropic(problem))
        return choices; // fronts are tuned without advection, where a node takes far less work
    const auto &n = problem.nodes;
    const auto nodes =
        static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
    choices.rowsOfTile = tunedValue(rowsConstant, table, keyOf(marchTunable, valueBytes, nodes));
    return choices;
}

} // namespace

constinit const TunableOperation marchTunable{"pmm", "gpu", constants};

std::unique_ptr<solvers::Stepper> makeCudaPmmStepper(const solvers::PmmProblem &problem,
                                                     solvers::Precision precision,
                                                     const solvers::PmmSettings &settings,
                                                     const ExecutionContext &context)
{
    if (precision == solvers::Precision::float32)
        return std::make_unique<CudaPmmStepper<float>>(
            problem, settings, context, choicesOf(problem, sizeof(float), context.tuning()));
    return std::make_unique<CudaPmmStepper<double>>(
        problem, settings, context, choicesOf(problem, sizeof(double), context.tuning()));
}

} // namespace gridhelm::gpu
