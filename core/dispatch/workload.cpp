// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/workload.h"

#include "core/dispatch/grid_work.h"
#include "core/dispatch/work_input.h"
#include "core/dispatch/work_seconds.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/setup/problem_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gridhelm::dispatch {
namespace {

using solvers::Precision;

template <typename... Visitors>
struct Visitor : Visitors...
{
    using Visitors::operator()...;
};
template <typename... Visitors> // clang 16 does not find it by itself
Visitor(Visitors...)->Visitor<Visitors...>;

/// A field that is read has been delivered.
double secondsToHaveField(const solvers::Stepper &stepper)
{
    return workSeconds([&] { (void)stepper.field(); });
}

class PreparedIterations final : public PreparedWork
{
public:
    PreparedIterations(std::unique_ptr<solvers::Stepper> stepper, std::uint64_t iterations)
        : m_stepper(std::move(stepper))
        , m_iterations(iterations)
    {
    }

    double run() override { return runSome(m_iterations); }
    std::size_t items() const override { return m_iterations; }
    double runSome(std::size_t iterations) override
    {
        return workSeconds([&] { m_stepper->advance(iterations); });
    }

    double deliver() override { return secondsToHaveField(*m_stepper); }

    CountedWork counted() const override
    {
        const auto report = m_stepper->report();
        const double runs =
            static_cast<double>(report.iterations) / static_cast<double>(m_iterations);
        return {report.bytes / runs, report.flops / runs};
    }

private:
    std::unique_ptr<solvers::Stepper> m_stepper;
    std::uint64_t m_iterations;
};

class PreparedSweep final : public PreparedWork
{
public:
    explicit PreparedSweep(std::unique_ptr<solvers::Stepper> stepper)
        : m_stepper(std::move(stepper))
    {
    }

    double run() override { return solvers::sweepFromSource(*m_stepper); }

    double deliver() override { return secondsToHaveField(*m_stepper); }

    CountedWork counted() const override
    {
        const auto report = m_stepper->report();
        const auto sweeps = static_cast<double>(report.iterations);
        return {report.bytes / sweeps, report.flops / sweeps};
    }

private:
    std::unique_ptr<solvers::Stepper> m_stepper;
};

double unknownsOf(int dimension, std::size_t side)
{
    return std::pow(static_cast<double>(side), dimension);
}

} // namespace

Operation operationOf(const Workload &work)
{
    return std::visit(
        Visitor{[](const TransformWork &) { return Operation::transform; },
                [](const InterpolationWork &) { return Operation::interpolation; },
                [](const SharedWork &) { return Operation::interpolation; },
                [](const CartesianWork &) { return Operation::cartesian; },
                [](const CombinationWork &) { return Operation::combination; },
                [](const PoissonWork &each) {
                    return operationNamed(solvers::poissonMethod(each.method).family->id).value();
                },
                [](const PmmWork &) { return Operation::pmm; }},
        work);
}

double sizeOf(const Workload &work)
{
    const auto count = [](const auto &each) {
        return sparse::countGrid(sparse::GridShape(each.dimension, each.level));
    };
    return std::visit(
        Visitor{
            [&](const TransformWork &each) {
                return static_cast<double>(count(each).points) * each.dimension;
            },
            [&](const InterpolationWork &each) {
                return static_cast<double>(count(each).blocks) * static_cast<double>(each.points);
            },
            [](const SharedWork &each) {
                const sparse::GridShape free(each.freeDimensions(), each.level);
                return static_cast<double>(sparse::countGrid(free).blocks)
                       * static_cast<double>(each.points);
            },
            [&](const CartesianWork &each) {
                return static_cast<double>(count(each).points)
                       + unknownsOf(std::min(each.dimension, 3), each.side);
            },
            [](const CombinationWork &each) { return combinationSize(each.rows, each.columns); },
            [](const PoissonWork &each) { return unknownsOf(each.dimension, each.side); },
            [](const PmmWork &each) { return unknownsOf(3, each.side); }},
        work);
}

std::string textOf(const Workload &work)
{
    return std::visit(
        Visitor{[](const TransformWork &each) {
                    return fmt::format("dimension {}, level {}", each.dimension, each.level);
                },
                [](const InterpolationWork &each) {
                    return fmt::format("dimension {}, level {}, {} points", each.dimension,
                                       each.level, each.points);
                },
                [](const SharedWork &each) {
                    return fmt::format("dimension {}, level {}, {} points, shared dimensions: {}",
                                       each.dimension, each.level, each.points,
                                       each.dimension - each.freeDimensions());
                },
                [](const CartesianWork &each) {
                    return fmt::format("{}^{} values out of dimension {}, level {}", each.side,
                                       std::min(each.dimension, 3), each.dimension, each.level);
                },
                [](const CombinationWork &each) {
                    return fmt::format("{} rows of {} values", each.rows, each.columns);
                },
                [](const PoissonWork &each) {
                    return fmt::format("{}, {}, {}^{} unknowns, {} iterations", each.method,
                                       solvers::nameOf(each.precision), each.side, each.dimension,
                                       each.iterations);
                },
                [](const PmmWork &each) {
                    return fmt::format("{}, {}, {}^3 nodes",
                                       each.isAnisotropic ? "anisotropic" : "isotropic",
                                       solvers::nameOf(each.precision), each.side);
                }},
        work);
}

std::unique_ptr<PreparedWork> prepare(const Workload &work,
                                      const std::shared_ptr<const WorkInput> &input,
                                      const Candidate &candidate, const ExecutionContext &context)
{
    using Prepared = std::unique_ptr<PreparedWork>;
    return std::visit(Visitor{[&](const PoissonWork &each) -> Prepared {
                                  return std::make_unique<PreparedIterations>(
                                      candidate.solvers->makePoisson(input->problem.value(),
                                                                     {each.method, each.precision},
                                                                     context),
                                      each.iterations);
                              },
                              [&](const PmmWork &each) -> Prepared {
                                  return std::make_unique<PreparedSweep>(candidate.solvers->makePmm(
                                      solvers::ballInCube(each.side, each.isAnisotropic),
                                      each.precision, {}, context));
                              },
                              [&](const auto &each) -> Prepared {
                                  return prepareOnGrid(each, input, candidate.makeSparse(context));
                              }},
                      work);
}

std::unique_ptr<PreparedWork> prepare(const Workload &work, const Candidate &candidate,
                                      const ExecutionContext &context)
{
    return prepare(work, std::make_shared<WorkInput>(work), candidate, context);
}

double measuredSeconds(const Workload &work, const Candidate &candidate,
                       const ExecutionContext &context)
{
    constexpr int repeats = 5;
    constexpr double patience = 0.25;
    const auto prepared = prepare(work, candidate, context);
    const auto once = [&] {
        const double seconds = prepared->run();
        return seconds + prepared->deliver();
    };
    double total = once(); // warm-up
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i == 0 || (i < repeats && total < patience); ++i) {
        const double seconds = once();
        total += seconds;
        best = std::min(best, seconds);
    }
    return best;
}

} // namespace gridhelm::dispatch
