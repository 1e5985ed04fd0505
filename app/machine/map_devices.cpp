// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/map_devices.h"

#include "core/support/error.h"
#include "gpu/answers/cuda_square_sums.h"

#include <fmt/format.h>

namespace gridhelm::app {
namespace {

/// Seconds of the CPU after which a GPU is worth its start, which takes a part of one.
constexpr double worthAGpu = 1;
/// Multiplications with additions a second of a core: 2.2e11 of them took two 2.9 s (README).
constexpr double speedOfCore = 4e10;

bool isWorthAGpu(const answers::SquareSums &sums, std::size_t columns, const CpuDevice &cpu)
{
    const double operations = static_cast<double>(sums.combinations())
                              * static_cast<double>(sums.rows) * static_cast<double>(columns);
    return operations / (speedOfCore * cpu.threads) > worthAGpu;
}

} // namespace

answers::SquareSummer squareSummer(const ExecutionContext &context, bool isAskedFor)
{
    return [context, isAskedFor](const answers::SquareSums &sums,
                                 linalg::MatrixView<const float> matrix,
                                 const answers::SquareSumsOutput &out) {
        if ((isAskedFor || isWorthAGpu(sums, matrix.columns, context.cpu()))
            && !context.gpus().empty()) {
            try {
                return gpu::sumSquares(sums, matrix, out, context);
            } catch (const BackendError &problem) {
                if (context.fallback() == FallbackPolicy::forbidden)
                    throw;
                context.report({ExecutionEvent::Kind::fallback,
                                fmt::format("the CPU makes the maps: {}", problem.what())});
            }
        }
        answers::sumSquares(sums, matrix, out, context.cpu());
        return ComputedOn::cpu();
    };
}

} // namespace gridhelm::app
