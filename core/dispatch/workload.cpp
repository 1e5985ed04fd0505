// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/workload.h"

#include "core/dispatch/work_input.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/setup/problem_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gridhelm::dispatch {
namespace {

using solvers::Precision;

constexpr double notCounted = std::numeric_limits<double>::quiet_NaN();

template <typename... Visitors>
struct Visitor : Visitors...
{
    using Visitors::operator()...;
};
template <typename... Visitors> // clang 16 does not find it by itself
Visitor(Visitors...)->Visitor<Visitors...>;

template <typename Work>
double secondsOf(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

using Input = std::shared_ptr<const WorkInput>;

class PreparedTransform final : public PreparedWork
{
public:
    PreparedTransform(const Input &input, std::shared_ptr<const sparse::Backend> backend)
        : m_backend(std::move(backend))
        , m_grid(input->grid)
        , m_values(input->coefficients)
    {
    }

    double run() override
    {
        // There and back in turns, so that values stay what they are; both cost the same.
        m_isTransformed = !m_isTransformed;
        return secondsOf([&] {
            if (m_isTransformed)
                m_backend->hierarchize(*m_grid, std::span(m_values));
            else
                m_backend->dehierarchize(*m_grid, std::span(m_values));
        });
    }

    CountedWork counted() const override
    {
        return {2 * sizeof(float) * transformSize(*m_grid), notCounted}; // a read and a write
    }

private:
    std::shared_ptr<const sparse::Backend> m_backend;
    std::shared_ptr<const sparse::SparseGrid> m_grid;
    std::vector<float> m_values;
    bool m_isTransformed = false;
};

class PreparedInterpolation final : public PreparedWork
{
public:
    PreparedInterpolation(const InterpolationWork &work, Input input,
                          const sparse::Backend &backend)
        : m_input(std::move(input))
        , m_points(work.points)
        , m_values(m_points)
        , m_evaluator(backend.load(m_input->grid, m_input->coefficients))
    {
    }

    double run() override { return runSome(m_points); }
    std::size_t items() const override { return m_points; }
    double runSome(std::size_t points) override
    {
        const int dimension = m_evaluator->grid().dimension();
        const auto coordinates =
            std::span(m_input->coordinates).first(points * static_cast<std::size_t>(dimension));
        return secondsOf([&] {
            m_evaluator->interpolate({coordinates, dimension}, {std::span(m_values).first(points)});
        });
    }

    CountedWork counted() const override
    {
        constexpr double flopsOfBlock = 4;
        return {notCounted, flopsOfBlock * interpolationSize(m_evaluator->grid(), m_points)};
    }

private:
    Input m_input;
    std::size_t m_points;
    std::vector<float> m_values;
    std::unique_ptr<sparse::Evaluator<float>> m_evaluator;
};

class PreparedCartesian final : public PreparedWork
{
public:
    PreparedCartesian(const CartesianWork &work, const WorkInput &input,
                      const sparse::Backend &backend)
        : m_evaluator(backend.load(input.grid, input.coefficients))
    {
        const auto dimension = static_cast<std::size_t>(work.dimension);
        for (std::size_t t = 0; t < dimension; ++t) {
            auto &axis = m_cube.axes.emplace_back();
            const auto side = t + 3 < dimension ? 1 : work.side;
            for (std::size_t i = 0; i < side; ++i)
                axis.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(side));
        }
        m_values.resize(m_cube.count());
    }

    double run() override
    {
        auto &slider = m_cube.axes.front(); // of four dimensions and more
        if (slider.size() == 1)
            slider[0] = slider[0] < 0.9F ? slider[0] + 0.01F : 0.1F;
        return secondsOf([&] { m_evaluator->interpolateCartesian(m_cube, {m_values}); });
    }

    CountedWork counted() const override
    {
        return {static_cast<double>(m_values.size() * sizeof(float)), notCounted}; // written once
    }

private:
    sparse::CartesianPoints<float> m_cube;
    std::vector<float> m_values;
    std::unique_ptr<sparse::Evaluator<float>> m_evaluator;
};

class PreparedCombination final : public PreparedWork
{
public:
    PreparedCombination(const CombinationWork &work, Input input,
                        std::shared_ptr<const sparse::Backend> backend)
        : m_work(work)
        , m_input(std::move(input))
        , m_backend(std::move(backend))
        , m_y(work.columns)
        , m_evaluator(m_backend->loadVectors(
              {m_input->matrix.get(), work.rows, work.columns, m_input->stride}))
    {
    }

    double run() override { return runSome(m_work.columns); }
    std::size_t items() const override { return m_work.columns; }
    double runSome(std::size_t columns) override
    {
        return secondsOf(
            [&] { m_evaluator->combine(m_input->weights, 0, std::span(m_y).first(columns), {}); });
    }

    CountedWork counted() const override
    {
        const double values = combinationSize(m_work.rows, m_work.columns);
        return {sizeof(float) * values, 2 * values};
    }

private:
    CombinationWork m_work;
    Input m_input;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::vector<float> m_y;
    std::unique_ptr<sparse::VectorEvaluator> m_evaluator;
};

/// A field that is read has been delivered.
double secondsToHaveField(const solvers::Stepper &stepper)
{
    return secondsOf([&] { (void)stepper.field(); });
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
        return secondsOf([&] { m_stepper->advance(iterations); });
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
            [&](const CartesianWork &each) {
                return static_cast<double>(count(each).points) + unknownsOf(3, each.side);
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
                [](const CartesianWork &each) {
                    return fmt::format("{}^3 values out of dimension {}, level {}", each.side,
                                       each.dimension, each.level);
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

std::unique_ptr<PreparedWork> prepare(const Workload &work, const Input &input,
                                      const Candidate &candidate, const ExecutionContext &context)
{
    using Prepared = std::unique_ptr<PreparedWork>;
    return std::visit(
        Visitor{[&](const TransformWork &) -> Prepared {
                    return std::make_unique<PreparedTransform>(input,
                                                               candidate.makeSparse(context));
                },
                [&](const InterpolationWork &each) -> Prepared {
                    return std::make_unique<PreparedInterpolation>(each, input,
                                                                   *candidate.makeSparse(context));
                },
                [&](const CartesianWork &each) -> Prepared {
                    return std::make_unique<PreparedCartesian>(each, *input,
                                                               *candidate.makeSparse(context));
                },
                [&](const CombinationWork &each) -> Prepared {
                    return std::make_unique<PreparedCombination>(each, input,
                                                                 candidate.makeSparse(context));
                },
                [&](const PoissonWork &each) -> Prepared {
                    return std::make_unique<PreparedIterations>(
                        candidate.solvers->makePoisson(input->problem.value(),
                                                       {each.method, each.precision}, context),
                        each.iterations);
                },
                [&](const PmmWork &each) -> Prepared {
                    return std::make_unique<PreparedSweep>(candidate.solvers->makePmm(
                        solvers::ballInCube(each.side, each.isAnisotropic), each.precision, {},
                        context));
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
