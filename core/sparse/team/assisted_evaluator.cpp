// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/assisted_evaluator.h"

#include "core/sparse/team/portion_queue.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gridhelm::sparse {
namespace {

/// Points that are worth a call of the helper.
constexpr std::size_t smallestOfHelper = 1024;

template <typename T>
class AssistedEvaluator final : public Evaluator<T>
{
public:
    AssistedEvaluator(std::unique_ptr<Evaluator<T>> first, std::unique_ptr<Evaluator<T>> helper,
                      std::size_t smallestShare, std::shared_ptr<JointWork> joint)
        : m_first(std::move(first))
        , m_helper(std::move(helper))
        , m_smallestShare(smallestShare)
        , m_work(std::move(joint))
    {
    }

    const SparseGrid &grid() const override { return m_first->grid(); }
    std::size_t bytes() const override { return m_first->bytes() + m_helper->bytes(); }

private:
    using Operation = AssistedWork::Operation;

    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        const auto few = 64 * std::max(m_smallestShare, smallestOfHelper);
        return m_work.byFasterWay(
            points.count(), few,
            [&](Share share) {
                return m_first->interpolate(pointsOf(points, share), partOf(out, share));
            },
            [&](Share share) {
                return interpolateTogether(pointsOf(points, share), partOf(out, share));
            });
    }

    ComputedOn interpolateTogether(PointsView<T> points, EvaluationOutput<T> out) const
    {
        constexpr bool mayLeave = true;
        const std::array takers{Taker{m_smallestShare}, Taker{smallestOfHelper, mayLeave}};
        PortionQueue queue(points.count(), takers);
        const auto take = [&](const Evaluator<T> &evaluator, std::size_t taker) {
            QueuedPortions portions(queue, taker);
            try {
                return evaluator.interpolatePortions(points, portions, out);
            } catch (...) {
                queue.stop();
                throw;
            }
        };
        return m_work.together([&] { return take(*m_first, 0); },
                               [&] { return take(*m_helper, 1); });
    }

    ComputedOn doInterpolatePortions(PointsView<T> points, PortionSource &source,
                                     EvaluationOutput<T> out) const override
    {
        return m_first->interpolatePortions(points, source, out);
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        const auto free = static_cast<std::size_t>(std::ranges::count(isFixed, false));
        return divide(
            {Operation::shared, free}, points.count(), [&](const Evaluator<T> &each, Share share) {
                return each.interpolateShared(pointsOf(points, share), isFixed, partOf(out, share));
            });
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart wanted,
                                      EvaluationOutput<T> out) const override
    {
        const auto behind = countOf(points, {0, 1});
        return divide({Operation::cartesian, behind}, wanted.end - wanted.begin,
                      [&](const Evaluator<T> &each, Share share) {
                          return each.interpolateCartesian(
                              points, {wanted.begin + share.begin, wanted.begin + share.end},
                              partOf(out, times(share, behind)));
                      });
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        const auto d = static_cast<std::size_t>(points.dimension);
        return divide({Operation::gradient, d}, points.count(),
                      [&](const Evaluator<T> &each, Share share) {
                          return each.gradient(pointsOf(points, share), partOf(values, share),
                                               partOf(gradients, times(share, d)));
                      });
    }

    Combination doCombine(const SparseWeights &weights) const override
    {
        return m_first->combine(weights);
    }

    template <typename Work>
    ComputedOn divide(AssistedWork::Kind kind, std::size_t items, Work work) const
    {
        return m_work.divide(
            kind, items, [&](Share share) { return work(*m_first, share); },
            [&](Share share) { return work(*m_helper, share); });
    }

    std::unique_ptr<Evaluator<T>> m_first, m_helper;
    std::size_t m_smallestShare;
    mutable AssistedWork m_work;
};

} // namespace

template <typename T>
std::unique_ptr<Evaluator<T>>
makeAssistedEvaluator(std::unique_ptr<Evaluator<T>> first, std::unique_ptr<Evaluator<T>> helper,
                      std::size_t smallestShare, std::shared_ptr<JointWork> joint)
{
    return std::make_unique<AssistedEvaluator<T>>(std::move(first), std::move(helper),
                                                  smallestShare, std::move(joint));
}

template std::unique_ptr<Evaluator<float>>
    makeAssistedEvaluator<float>(std::unique_ptr<Evaluator<float>>,
                                 std::unique_ptr<Evaluator<float>>, std::size_t,
                                 std::shared_ptr<JointWork>);
template std::unique_ptr<Evaluator<double>>
    makeAssistedEvaluator<double>(std::unique_ptr<Evaluator<double>>,
                                  std::unique_ptr<Evaluator<double>>, std::size_t,
                                  std::shared_ptr<JointWork>);

} // namespace gridhelm::sparse
