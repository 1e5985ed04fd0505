// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/rank_evaluator.h"

#include "core/sparse/team/shares.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace gridhelm::sparse {
namespace {

template <typename T>
class RankEvaluator final : public Evaluator<T>
{
public:
    RankEvaluator(std::unique_ptr<Evaluator<T>> local, std::shared_ptr<Ranks> ranks)
        : m_local(std::move(local))
        , m_ranks(std::move(ranks))
    {
    }

    const SparseGrid &grid() const override { return m_local->grid(); }
    std::size_t bytes() const override { return m_local->bytes(); }

private:
    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        return divide(points.count(), 1, out, [&](Share share) {
            return m_local->interpolate(pointsOf(points, share), partOf(out, share));
        });
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        return divide(points.count(), 1, out, [&](Share share) {
            return m_local->interpolateShared(pointsOf(points, share), isFixed, partOf(out, share));
        });
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart wanted,
                                      EvaluationOutput<T> out) const override
    {
        const auto behind = countOf(points, {0, 1});
        return divide(wanted.end - wanted.begin, behind, out, [&](Share share) {
            return m_local->interpolateCartesian(
                points, {wanted.begin + share.begin, wanted.begin + share.end},
                partOf(out, times(share, behind)));
        });
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        const auto d = static_cast<std::size_t>(points.dimension);
        const auto where = divide(points.count(), 1, EvaluationOutput<T>{values}, [&](Share share) {
            return m_local->gradient(pointsOf(points, share), partOf(values, share),
                                     partOf(gradients, times(share, d)));
        });
        gather(sharesOf(points.count()), d, gradients);
        return where;
    }

    Combination doCombine(const SparseWeights &weights) const override
    {
        return m_local->combine(weights);
    }

    std::vector<Share> sharesOf(std::size_t items) const
    {
        return sharedEqually(items, static_cast<std::size_t>(m_ranks->count()));
    }

    /// work(this rank's share of the items, if it is not empty); a rank that fails fails them all.
    template <typename Work>
    ComputedOn divide(std::size_t items, std::size_t valuesOfItem, EvaluationOutput<T> out,
                      Work work) const
    {
        const auto shares = sharesOf(items);
        const auto mine = shares[static_cast<std::size_t>(m_ranks->number())];
        auto where = ComputedOn();
        doneByAll(m_ranks.get(), [&] {
            if (mine.size() > 0)
                where = work(mine);
        });
        gather(shares, valuesOfItem, out.values);
        gather(shares, valuesOfItem, out.indicator);
        return where;
    }

    void gather(const std::vector<Share> &shares, std::size_t valuesOfItem,
                std::span<T> values) const
    {
        if (values.empty()) // none are wanted, by nobody
            return;
        std::vector<std::size_t> begins;
        for (const auto &share : shares)
            begins.push_back(share.begin * valuesOfItem);
        begins.push_back(values.size());
        const auto mine = times(shares[static_cast<std::size_t>(m_ranks->number())], valuesOfItem);
        // The first one's are where they belong.
        const auto sent = m_ranks->isFirst() ? std::span<const T>() : partOf(values, mine);
        gatherForFirst(*m_ranks, sent, values, begins);
    }

    std::unique_ptr<Evaluator<T>> m_local;
    std::shared_ptr<Ranks> m_ranks;
};

} // namespace

template <typename T>
std::unique_ptr<Evaluator<T>> makeRankEvaluator(std::unique_ptr<Evaluator<T>> local,
                                                std::shared_ptr<Ranks> ranks)
{
    return std::make_unique<RankEvaluator<T>>(std::move(local), std::move(ranks));
}

template std::unique_ptr<Evaluator<float>>
    makeRankEvaluator<float>(std::unique_ptr<Evaluator<float>>, std::shared_ptr<Ranks>);
template std::unique_ptr<Evaluator<double>>
    makeRankEvaluator<double>(std::unique_ptr<Evaluator<double>>, std::shared_ptr<Ranks>);

} // namespace gridhelm::sparse
