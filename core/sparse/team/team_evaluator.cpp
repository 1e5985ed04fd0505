// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/team_evaluator.h"

#include "core/sparse/team/shares.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <utility>

namespace gridhelm::sparse {
namespace {

/// What comes from one source, for several who take it.
class CommonSource
{
public:
    CommonSource(PortionSource &source, std::size_t takers)
        : m_source(source)
        , m_takers(takers)
    {
    }

    /// As one of them sees it.
    class Taker final : public PortionSource
    {
    public:
        explicit Taker(CommonSource &common)
            : m_common(common)
        {
        }
        Share next(std::size_t most, std::size_t finished) override
        {
            const std::lock_guard lock(m_common.m_mutex);
            m_common.m_finished += finished - m_finished;
            m_finished = finished;
            const auto part = std::max<std::size_t>(most / m_common.m_takers, 1);
            return m_common.m_source.next(part, m_common.m_finished);
        }

    private:
        CommonSource &m_common;
        std::size_t m_finished = 0;
    };

private:
    std::mutex m_mutex;
    PortionSource &m_source;
    std::size_t m_takers;
    std::size_t m_finished = 0; ///< by all
};

template <typename T>
class TeamEvaluator final : public Evaluator<T>
{
public:
    TeamEvaluator(const std::vector<TeamMember> &members, std::shared_ptr<const SparseGrid> grid,
                  std::vector<T> coefficients, std::shared_ptr<JointWork> work)
        : m_evaluators(members.size())
        , m_work(std::move(work))
    {
        grid->requireOneValuePerPoint(coefficients.size());
        for (const auto &member : members)
            m_claims.push_back({member.speed, member.backend->smallestShare()});
        m_work->run(allOf(members.size()), [&](std::size_t i) {
            m_evaluators[i] = members[i].backend->load(grid, coefficients);
            return ComputedOn();
        });
    }

    const SparseGrid &grid() const override { return m_evaluators.front()->grid(); }

    std::size_t bytes() const override
    {
        std::size_t sum = 0;
        for (const auto &evaluator : m_evaluators)
            sum += evaluator->bytes();
        return sum;
    }

private:
    using Each = const Evaluator<T> &;

    static std::vector<std::size_t> allOf(std::size_t members)
    {
        std::vector<std::size_t> all(members);
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }

    ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const override
    {
        return divide(points.count(), m_claims, [&](Each each, Share share) {
            return each.interpolate(pointsOf(points, share), partOf(out, share));
        });
    }

    ComputedOn doInterpolatePortions(PointsView<T> points, PortionSource &source,
                                     EvaluationOutput<T> out) const override
    {
        CommonSource common(source, m_evaluators.size());
        return m_work->run(allOf(m_evaluators.size()), [&](std::size_t i) {
            CommonSource::Taker taker(common);
            return m_evaluators[i]->interpolatePortions(points, taker, out);
        });
    }

    ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                   EvaluationOutput<T> out) const override
    {
        return divide(points.count(), m_claims, [&](Each each, Share share) {
            return each.interpolateShared(pointsOf(points, share), isFixed, partOf(out, share));
        });
    }

    ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart wanted,
                                      EvaluationOutput<T> out) const override
    {
        // As many coordinates as have the points of a smallest share behind them.
        const auto behind = countOf(points, {0, 1});
        auto claims = m_claims;
        for (auto &claim : claims)
            claim.smallest = (claim.smallest + behind - 1) / behind;
        return divide(wanted.end - wanted.begin, claims, [&](Each each, Share share) {
            return each.interpolateCartesian(points,
                                             {wanted.begin + share.begin, wanted.begin + share.end},
                                             partOf(out, times(share, behind)));
        });
    }

    ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                          std::span<T> gradients) const override
    {
        const auto d = static_cast<std::size_t>(points.dimension);
        return divide(points.count(), m_claims, [&](Each each, Share share) {
            return each.gradient(pointsOf(points, share), partOf(values, share),
                                 partOf(gradients, times(share, d)));
        });
    }

    Combination doCombine(const SparseWeights &weights) const override
    {
        return m_evaluators.front()->combine(weights);
    }

    /// work(evaluator, its share) by all that have one.
    template <typename Work>
    ComputedOn divide(std::size_t count, const std::vector<Claim> &claims, Work work) const
    {
        const auto shares = shared(count, claims);
        std::vector<std::size_t> busy;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            if (shares[i].size() > 0)
                busy.push_back(i);
        }
        if (busy.empty())
            return work(*m_evaluators.front(), Share{});
        return m_work->run(busy, [&](std::size_t i) { return work(*m_evaluators[i], shares[i]); });
    }

    std::vector<std::unique_ptr<Evaluator<T>>> m_evaluators;
    std::vector<Claim> m_claims;
    std::shared_ptr<JointWork> m_work;
};

} // namespace

template <typename T>
std::unique_ptr<Evaluator<T>>
makeTeamEvaluator(const std::vector<TeamMember> &members, std::shared_ptr<const SparseGrid> grid,
                  std::vector<T> coefficients, std::shared_ptr<JointWork> work)
{
    return std::make_unique<TeamEvaluator<T>>(members, std::move(grid), std::move(coefficients),
                                              std::move(work));
}

template std::unique_ptr<Evaluator<float>>
makeTeamEvaluator<float>(const std::vector<TeamMember> &, std::shared_ptr<const SparseGrid>,
                         std::vector<float>, std::shared_ptr<JointWork>);
template std::unique_ptr<Evaluator<double>>
makeTeamEvaluator<double>(const std::vector<TeamMember> &, std::shared_ptr<const SparseGrid>,
                          std::vector<double>, std::shared_ptr<JointWork>);

} // namespace gridhelm::sparse
