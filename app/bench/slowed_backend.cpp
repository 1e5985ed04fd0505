// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/slowed_backend.h"

#include "core/sparse/transforms_of_another.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

namespace gridhelm::bench {
namespace {

using namespace sparse;

/// Sleeps so long that what is done while it lives takes `factor` times as long.
class Slowed
{
public:
    explicit Slowed(double factor)
        : m_factor(factor)
    {
    }
    ~Slowed() { std::this_thread::sleep_for((m_factor - 1) * (Clock::now() - m_begin)); }
    Slowed(const Slowed &) = delete;
    Slowed &operator=(const Slowed &) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double m_factor;
    Clock::time_point m_begin = Clock::now();
};

/// Portions that it takes from a queue are evaluated one after the other: with two on their way,
/// the device would work while it sleeps.
template <typename T>
class SlowedEvaluator final : public Evaluator<T>
{
public:
    SlowedEvaluator(std::unique_ptr<Evaluator<T>> evaluator, double factor)
        : m_evaluator(std::move(evaluator))
        , m_factor(factor)
    {
    }

    const SparseGrid &grid() const override { return m_evaluator->grid(); }
    std::size_t bytes() const override { return m_evaluator->bytes(); }

private:
    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->interpolate(points, out);
    }
    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->interpolateShared(points, isFixed, out);
    }
    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                      EvaluationOutput<T> out) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->interpolateCartesian(points, part, out);
    }
    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->gradient(points, values, gradients);
    }
    Combination doCombine(const SparseWeights &weights) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->combine(weights);
    }

    std::unique_ptr<Evaluator<T>> m_evaluator;
    double m_factor;
};

class SlowedVectors final : public VectorEvaluator
{
public:
    SlowedVectors(std::unique_ptr<VectorEvaluator> evaluator, double factor)
        : m_evaluator(std::move(evaluator))
        , m_factor(factor)
    {
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->combine(weights, firstColumn, y, indicator);
    }
    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        const Slowed slowed(m_factor);
        return m_evaluator->combineColumns(weights, columns, y, indicator);
    }

private:
    std::unique_ptr<VectorEvaluator> m_evaluator;
    double m_factor;
};

class SlowedBackend final : public TransformsOfAnother
{
public:
    SlowedBackend(std::shared_ptr<const Backend> backend, double factor)
        : TransformsOfAnother(std::move(backend))
        , m_factor(factor)
    {
    }

    std::string_view name() const override { return other().name(); }
    std::string description() const override
    {
        return fmt::format("{}, {:g} times as slow", other().description(), m_factor);
    }
    const ExecutionContext &context() const override { return other().context(); }

    std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                            std::vector<double> coefficients) const override
    {
        return slowed(other().load(std::move(grid), std::move(coefficients)));
    }
    std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                           std::vector<float> coefficients) const override
    {
        return slowed(other().load(std::move(grid), std::move(coefficients)));
    }
    std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const override
    {
        return std::make_unique<SlowedVectors>(other().loadVectors(matrix), m_factor);
    }
    std::size_t columnsThatFit(MatrixView<const float> matrix) const override
    {
        return other().columnsThatFit(matrix);
    }
    std::size_t smallestShare() const override { return other().smallestShare(); }

private:
    template <typename T>
    std::unique_ptr<Evaluator<T>> slowed(std::unique_ptr<Evaluator<T>> evaluator) const
    {
        return std::make_unique<SlowedEvaluator<T>>(std::move(evaluator), m_factor);
    }

    double m_factor;
};

} // namespace

std::shared_ptr<const Backend> makeSlowedBackend(std::shared_ptr<const Backend> backend,
                                                 double factor)
{
    if (!(factor >= 1))
        throw Error(
            fmt::format("a device can be made 1 or more times as slow, not {:g} times", factor));
    if (factor == 1)
        return backend;
    return std::make_shared<SlowedBackend>(std::move(backend), factor);
}

} // namespace gridhelm::bench
