// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/dispatching_evaluator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <utility>

namespace gridhelm::dispatch {
namespace {

using linalg::MatrixView;
using sparse::CartesianPart;
using sparse::CartesianPoints;
using sparse::EvaluationOutput;
using sparse::PointsView;
using sparse::SparseWeights;

/// What each candidate has loaded, at its first use; one that failed is not asked again.
template <typename Loaded>
class LoadedByEach
{
public:
    LoadedByEach(std::shared_ptr<const CandidateBackends> backends,
                 std::function<std::unique_ptr<Loaded>(const sparse::Backend &)> load)
        : m_backends(std::move(backends))
        , m_load(std::move(load))
    {
    }

    /// work(what the candidate has loaded), or the CPU's where that fails.
    template <typename Work>
    ComputedOn attempt(std::size_t candidate, Work work)
    {
        if (hasFailed(candidate))
            candidate = 0;
        ComputedOn where;
        if (!m_backends->attempt(candidate, [&](std::size_t index) { where = work(*of(index)); }))
            giveUp(candidate);
        return where;
    }

    const CandidateBackends &backends() const { return *m_backends; }

    /// Of all that are loaded.
    template <typename Count>
    std::size_t sum(Count count) const
    {
        const std::lock_guard lock(m_mutex);
        std::size_t total = 0;
        for (const auto &slot : m_slots)
            total += slot.loaded ? count(*slot.loaded) : 0;
        return total;
    }

private:
    struct Slot
    {
        std::shared_ptr<const Loaded> loaded;
        bool hasFailed = false;
    };

    Slot &slot(std::size_t candidate) // with m_mutex held
    {
        if (candidate >= m_slots.size())
            m_slots.resize(candidate + 1);
        return m_slots[candidate];
    }

    bool hasFailed(std::size_t candidate)
    {
        const std::lock_guard lock(m_mutex);
        return slot(candidate).hasFailed;
    }

    void giveUp(std::size_t candidate)
    {
        const std::lock_guard lock(m_mutex);
        slot(candidate) = {nullptr, true};
    }

    std::shared_ptr<const Loaded> of(std::size_t candidate)
    {
        const std::lock_guard lock(m_mutex);
        auto &loaded = slot(candidate).loaded;
        if (!loaded)
            loaded = m_load(*m_backends->at(candidate));
        return loaded;
    }

    std::shared_ptr<const CandidateBackends> m_backends;
    std::function<std::unique_ptr<Loaded>(const sparse::Backend &)> m_load;
    mutable std::mutex m_mutex; ///< of the slots
    std::vector<Slot> m_slots;
};

template <typename T>
class DispatchingEvaluator final : public sparse::Evaluator<T>
{
public:
    DispatchingEvaluator(std::shared_ptr<const CandidateBackends> backends,
                         std::shared_ptr<const sparse::SparseGrid> grid,
                         std::vector<T> coefficients)
        : m_grid(std::move(grid))
        , m_coefficients(std::move(coefficients))
        , m_evaluators(std::move(backends), [this](const sparse::Backend &backend) {
            return backend.load(m_grid, m_coefficients);
        })
    {
        m_grid->requireOneValuePerPoint(m_coefficients.size());
    }

    const sparse::SparseGrid &grid() const override { return *m_grid; }

    std::size_t bytes() const override
    {
        return m_coefficients.size() * sizeof(T)
               + m_evaluators.sum([](const auto &evaluator) { return evaluator.bytes(); });
    }

private:
    using Each = const sparse::Evaluator<T> &;

    template <typename Work>
    ComputedOn byChosen(Operation operation, double size, Work work) const
    {
        return m_evaluators.attempt(m_evaluators.backends().choose(operation, size), work);
    }

    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        return byChosen(Operation::interpolation, interpolationSize(*m_grid, points.count()),
                        [&](Each each) { return each.interpolate(points, out); });
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        // The contraction reads every coefficient; then a grid of fewer dimensions is left, whose
        // blocks are about that power of all.
        const double free = static_cast<double>(std::ranges::count(isFixed, false))
                            / static_cast<double>(isFixed.size());
        const double blocks = std::pow(static_cast<double>(m_grid->blocks()), free);
        return byChosen(Operation::interpolation,
                        static_cast<double>(m_grid->points())
                            + blocks * static_cast<double>(points.count()),
                        [&](Each each) { return each.interpolateShared(points, isFixed, out); });
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                      EvaluationOutput<T> out) const override
    {
        return byChosen(Operation::cartesian, cartesianSize(*m_grid, countOf(points, part)),
                        [&](Each each) { return each.interpolateCartesian(points, part, out); });
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        return byChosen(Operation::interpolation, interpolationSize(*m_grid, points.count()),
                        [&](Each each) { return each.gradient(points, values, gradients); });
    }

    sparse::Combination doCombine(const SparseWeights &weights) const override
    {
        return sparse::combineCoefficients<T>(weights, m_coefficients); // not worth a choice
    }

    std::shared_ptr<const sparse::SparseGrid> m_grid;
    std::vector<T> m_coefficients;
    mutable LoadedByEach<sparse::Evaluator<T>> m_evaluators;
};

class DispatchingVectorEvaluator final : public sparse::VectorEvaluator
{
public:
    DispatchingVectorEvaluator(std::shared_ptr<const CandidateBackends> backends,
                               MatrixView<const float> shape, LoadVectors load)
        : m_evaluators(std::move(backends), std::move(load))
    {
        linalg::requireFitting<float>({}, shape, 0, {}, {});
    }

    ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                       std::span<float> indicator) const override
    {
        return byChosen(weights, y.size(), [&](const VectorEvaluator &each) {
            return each.combine(weights, firstColumn, y, indicator);
        });
    }

    ComputedOn combineColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                              std::span<float> y, std::span<float> indicator) const override
    {
        return byChosen(weights, y.size(), [&](const VectorEvaluator &each) {
            return each.combineColumns(weights, columns, y, indicator);
        });
    }

private:
    template <typename Work>
    ComputedOn byChosen(const SparseWeights &weights, std::size_t columns, Work work) const
    {
        constexpr int evaluationsBefore = 2; // that cost less than to take the matrix to a device
        std::size_t candidate = 0;
        if (m_evaluators.backends().isFixed() || m_evaluations >= evaluationsBefore)
            candidate = m_evaluators.backends().choose(
                Operation::combination, combinationSize(weights.rows.size(), columns));
        else
            ++m_evaluations;
        return m_evaluators.attempt(candidate, work);
    }

    mutable std::atomic<int> m_evaluations = 0; ///< up to those
    mutable LoadedByEach<sparse::VectorEvaluator> m_evaluators;
};

} // namespace

template <typename T>
std::unique_ptr<sparse::Evaluator<T>>
makeDispatchingEvaluator(std::shared_ptr<const CandidateBackends> backends,
                         std::shared_ptr<const sparse::SparseGrid> grid,
                         std::vector<T> coefficients)
{
    return std::make_unique<DispatchingEvaluator<T>>(std::move(backends), std::move(grid),
                                                     std::move(coefficients));
}

std::unique_ptr<sparse::VectorEvaluator>
makeDispatchingVectorEvaluator(std::shared_ptr<const CandidateBackends> backends,
                               MatrixView<const float> shape, LoadVectors load)
{
    return std::make_unique<DispatchingVectorEvaluator>(std::move(backends), shape,
                                                        std::move(load));
}

template std::unique_ptr<sparse::Evaluator<float>>
    makeDispatchingEvaluator<float>(std::shared_ptr<const CandidateBackends>,
                                    std::shared_ptr<const sparse::SparseGrid>, std::vector<float>);
template std::unique_ptr<sparse::Evaluator<double>>
    makeDispatchingEvaluator<double>(std::shared_ptr<const CandidateBackends>,
                                     std::shared_ptr<const sparse::SparseGrid>,
                                     std::vector<double>);

} // namespace gridhelm::dispatch
