// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/stencil_rates.h"

#include "core/dispatch/work_seconds.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/poisson_settings.h"
#include "core/solvers/solver_backend.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/stencil_iterations.h"
#include "core/support/error.h"
#include "data/stencil/stencil_examples.h"
#include "data/stencil/stencil_file.h"
#include "gpu/cuda_solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gridhelm::bench {
namespace {

using stencil::Stencil;

void setSides(Stencil &stencil, std::size_t side2d, std::size_t side3d)
{
    const auto side = stencil.dimension == 3 ? side3d : side2d;
    stencil.points = {side, side, stencil.dimension == 3 ? side : 1};
    stencil.spacing = 1 / (static_cast<double>(side) + 1);
    stencil.origin = {stencil.spacing, stencil.spacing,
                      stencil.dimension == 3 ? stencil.spacing : 0};
    if (stencil.source.spike)
        stencil.source.spike =
            std::array<std::size_t, 3>{side / 2, side / 2, stencil.dimension == 3 ? side / 2 : 0};
    stencil.precision = solvers::Precision::float32;
    stencil.target = {};
}

Stencil shape(int dimension, int radius, bool isStar)
{
    Stencil stencil;
    stencil.dimension = dimension;
    stencil.start = 1.0;
    const int depth = dimension == 3 ? radius : 0;
    for (int z = -depth; z <= depth; ++z) {
        for (int y = -radius; y <= radius; ++y) {
            for (int x = -radius; x <= radius; ++x) {
                if (!isStar || (x != 0) + (y != 0) + (z != 0) <= 1)
                    stencil.neighbours.push_back({{x, y, z}, stencil::Expression(0.0)});
            }
        }
    }
    // All different, and 1 in all, so that values stay where numbers are neither 0 nor infinite.
    const auto count = static_cast<double>(stencil.neighbours.size());
    double weight = 0.5 / count;
    for (auto &neighbour : stencil.neighbours) {
        neighbour.weight = stencil::Expression(weight);
        weight += 1 / (count * (count - 1));
    }
    return stencil;
}

double medianRate(solvers::Stepper &stepper, std::size_t values, std::uint64_t pass,
                  const RateOptions &options)
{
    auto iterations = pass;
    stepper.advance(iterations);
    const auto seconds = [&] {
        return dispatch::workSeconds([&] { stepper.advance(iterations); });
    };
    while (seconds() < options.seconds)
        iterations *= 2;
    std::vector<double> rates;
    for (int repeat = 0; repeat < options.repeats; ++repeat)
        rates.push_back(static_cast<double>(values) * static_cast<double>(iterations) / seconds());
    std::ranges::sort(rates);
    return rates[rates.size() / 2];
}

} // namespace

std::vector<NamedStencil> exampleStencils(std::size_t side2d, std::size_t side3d)
{
    std::vector<NamedStencil> all;
    for (const auto &example : data::stencilExamples()) {
        all.push_back({example.name, data::parseStencil(example.toml, example.name, ".").stencil});
        setSides(all.back().stencil, side2d, side3d);
    }
    return all;
}

std::vector<NamedStencil> shapedStencils(std::size_t side2d, std::size_t side3d)
{
    std::vector<NamedStencil> all;
    for (const int dimension : {2, 3}) {
        for (const bool isStar : {true, false}) {
            for (int radius = 1; radius <= stencil::largestRadius; ++radius) {
                const int width = 2 * radius + 1;
                const int points = dimension == 3 ? width * width * width : width * width;
                if (!isStar && points > static_cast<int>(stencil::mostNeighbours))
                    continue;
                all.push_back({fmt::format("{}{}d{}r", isStar ? "star" : "box", dimension, radius),
                               shape(dimension, radius, isStar)});
                setSides(all.back().stencil, side2d, side3d);
            }
        }
    }
    return all;
}

StencilRate generatedRate(const Stencil &stencil, int iterationsPerPass,
                          const data::StencilMeans &means, const ExecutionContext &context,
                          const RateOptions &options)
{
    auto wanted = stencil;
    wanted.target.iterationsPerPass = iterationsPerPass;
    const auto prepared = prepareStencil(wanted, means, context);
    if (!prepared.whyLiteral.empty())
        throw Error("There is no generated code: " + prepared.whyLiteral);
    const auto stepper = prepared.makeStepper();
    return {"generated", iterationsPerPass,
            medianRate(*stepper, stencil.count(), static_cast<std::uint64_t>(iterationsPerPass),
                       options),
            prepared.seconds};
}

bool hasBuiltIn(const Stencil &stencil)
{
    const auto count = stencil.neighbours.size();
    return count == static_cast<std::size_t>(2 * stencil.dimension) && radiusOf(stencil) == 1
           && std::ranges::all_of(stencil.neighbours, [&](const auto &neighbour) {
                  const auto &at = neighbour.at;
                  return std::abs(at[0]) + std::abs(at[1]) + std::abs(at[2]) == 1
                         && neighbour.weight.isNumber()
                         && std::abs(neighbour.weight.number() - 1.0 / static_cast<double>(count))
                                < 1e-6;
              });
}

std::vector<StencilRate> builtInRates(const Stencil &stencil, bool isGpu,
                                      const ExecutionContext &context, const RateOptions &options)
{
    const auto problem = solvers::roughLaplaceProblem(stencil.dimension, stencil.points[0]);
    const auto &backend = isGpu ? gpu::cudaSolvers() : solvers::ompSolvers();
    std::vector<StencilRate> rates;
    for (const char *method : {"tuned", "temporal"}) {
        if (stencil.dimension == 3 && std::string(method) == "temporal")
            continue;
        solvers::PoissonSettings settings;
        settings.method = method;
        settings.precision = stencil.precision;
        const auto stepper = backend.makePoisson(problem, settings, context);
        rates.push_back({method, 1, medianRate(*stepper, stencil.count(), 32, options), 0});
    }
    return rates;
}

double bytesPerUpdate(const Stencil &stencil)
{
    return listsOf(stencil) * (stencil.precision == solvers::Precision::float32 ? 4 : 8);
}

} // namespace gridhelm::bench
