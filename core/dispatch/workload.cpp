// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/workload.h"

#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/setup/problem_text.h"
#include "core/support/huge_pages.h"
#include "core/support/memory_check.h"
#include "core/support/pseudo_random_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
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

std::shared_ptr<const sparse::SparseGrid> gridOf(int dimension, int level)
{
    const sparse::GridShape shape(dimension, level);
    sparse::requireFitsInMemory(shape,
                                4 * sizeof(float)); // values, and what a back end makes of them
    return std::make_shared<sparse::SparseGrid>(shape);
}

std::vector<float> roughCoefficients(const sparse::SparseGrid &grid)
{
    return pseudoRandomValues<float>(grid.points(), -1, 1);
}

class PreparedTransform final : public PreparedWork
{
public:
    PreparedTransform(const TransformWork &work, std::shared_ptr<const sparse::Backend> backend)
        : m_backend(std::move(backend))
        , m_grid(gridOf(work.dimension, work.level))
        , m_values(roughCoefficients(*m_grid))
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
    PreparedInterpolation(const InterpolationWork &work, const sparse::Backend &backend)
        : m_points(work.points)
        , m_coordinates(
              pseudoRandomValues<float>(m_points * static_cast<std::size_t>(work.dimension), 0, 1))
        , m_values(m_points)
    {
        auto grid = gridOf(work.dimension, work.level);
        auto coefficients = roughCoefficients(*grid);
        m_evaluator = backend.load(std::move(grid), std::move(coefficients));
    }

    double run() override
    {
        return secondsOf([&] {
            m_evaluator->interpolate({m_coordinates, m_evaluator->grid().dimension()}, {m_values});
        });
    }

    CountedWork counted() const override
    {
        constexpr double flopsOfBlock = 4;
        return {notCounted, flopsOfBlock * interpolationSize(m_evaluator->grid(), m_points)};
    }

private:
    std::size_t m_points;
    std::vector<float> m_coordinates;
    std::vector<float> m_values;
    std::unique_ptr<sparse::Evaluator<float>> m_evaluator;
};

class PreparedCartesian final : public PreparedWork
{
public:
    PreparedCartesian(const CartesianWork &work, const sparse::Backend &backend)
    {
        const auto dimension = static_cast<std::size_t>(work.dimension);
        for (std::size_t t = 0; t < dimension; ++t) {
            auto &axis = m_cube.axes.emplace_back();
            const auto side = t + 3 < dimension ? 1 : work.side;
            for (std::size_t i = 0; i < side; ++i)
                axis.push_back((static_cast<float>(i) + 0.5F) / static_cast<float>(side));
        }
        m_values.resize(m_cube.count());
        auto grid = gridOf(work.dimension, work.level);
        auto coefficients = roughCoefficients(*grid);
        m_evaluator = backend.load(std::move(grid), std::move(coefficients));
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
    PreparedCombination(const CombinationWork &work, std::shared_ptr<const sparse::Backend> backend)
        : m_work(work)
        , m_backend(std::move(backend))
        , m_y(work.columns)
    {
        for (std::size_t row = 0; row < work.rows; ++row) {
            m_weights.rows.push_back(row);
            m_weights.weights.push_back(std::cos(static_cast<double>(row)));
        }
        m_weights.lastGroupBegin = work.rows / 2;
        // Rows as those of a study's field: whole cache lines, and huge pages.
        constexpr std::size_t line = 64, lineValues = line / sizeof(float);
        const auto stride = (work.columns + lineValues - 1) / lineValues * lineValues;
        const auto bytes = work.rows * stride * sizeof(float);
        requireMemory(static_cast<double>(bytes), "a matrix to combine rows of",
                      "close other programs");
        m_matrix.reset(static_cast<float *>(std::aligned_alloc(line, bytes)));
        if (!m_matrix)
            throw std::bad_alloc();
        preferHugePages(m_matrix.get(), bytes);
        fillPseudoRandomly<float>({m_matrix.get(), work.rows * stride}, 0, 1);
        m_evaluator = m_backend->loadVectors({m_matrix.get(), work.rows, work.columns, stride});
    }

    double run() override
    {
        return secondsOf([&] { m_evaluator->combine(m_weights, 0, m_y, {}); });
    }

    CountedWork counted() const override
    {
        const double values = combinationSize(m_work.rows, m_work.columns);
        return {sizeof(float) * values, 2 * values};
    }

private:
    struct Free
    {
        void operator()(float *memory) const { std::free(memory); }
    };

    CombinationWork m_work;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::unique_ptr<float[], Free> m_matrix;
    std::vector<float> m_y;
    sparse::SparseWeights m_weights;
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

    double run() override
    {
        return secondsOf([&] { m_stepper->advance(m_iterations); });
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

std::unique_ptr<PreparedWork> prepare(const Workload &work, const Candidate &candidate,
                                      const ExecutionContext &context)
{
    using Prepared = std::unique_ptr<PreparedWork>;
    return std::visit(
        Visitor{
            [&](const TransformWork &each) -> Prepared {
                return std::make_unique<PreparedTransform>(each, candidate.makeSparse(context));
            },
            [&](const InterpolationWork &each) -> Prepared {
                return std::make_unique<PreparedInterpolation>(each,
                                                               *candidate.makeSparse(context));
            },
            [&](const CartesianWork &each) -> Prepared {
                return std::make_unique<PreparedCartesian>(each, *candidate.makeSparse(context));
            },
            [&](const CombinationWork &each) -> Prepared {
                return std::make_unique<PreparedCombination>(each, candidate.makeSparse(context));
            },
            [&](const PoissonWork &each) -> Prepared {
                return std::make_unique<PreparedIterations>(
                    candidate.solvers->makePoisson(
                        solvers::roughLaplaceProblem(each.dimension, each.side),
                        {each.method, each.precision}, context),
                    each.iterations);
            },
            [&](const PmmWork &each) -> Prepared {
                return std::make_unique<PreparedSweep>(
                    candidate.solvers->makePmm(solvers::ballInCube(each.side, each.isAnisotropic),
                                               each.precision, {}, context));
            }},
        work);
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
