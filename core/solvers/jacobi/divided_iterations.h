// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/iterations.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::solvers::jacobi {

/// The shares (Share) of one grid, on devices of one kind.
template <typename T>
class Shares
{
public:
    virtual ~Shares() = default;

    /// Iterations that take some milliseconds: how long a stop may wait.
    virtual std::uint64_t portion() const = 0;
    /// At most portion() of them. Returns the largest change of a value in the last one if
    /// `compares`, otherwise none, and then the work may go on behind the caller's back.
    virtual double iterate(std::uint64_t iterations, bool compares) = 0;

    struct Ahead
    {
        double squaredResidual = 0; ///< of the present values
        double largestChange = 0;   ///< from them to the next ones
    };
    /// Whether the residual comes with the next iteration for hardly more than its time.
    virtual bool iteratesAhead() const { return false; }
    /// The next iteration, but the values stay the present ones until acceptAhead(), if that is
    /// called before anything else.
    virtual Ahead iterateAhead() { return {}; }
    /// Whether it is what the next pass of at most so many iterations would make.
    virtual bool acceptsAhead(std::uint64_t most) const
    {
        static_cast<void>(most);
        return true;
    }
    virtual void acceptAhead() {}

    /// As Stepper::takeShareTimes().
    virtual std::vector<ShareTimes> takeTimes() { return {}; }

    /// As PoissonIterations has them.
    virtual const RankSlabs *ranks() const { return nullptr; }
    virtual double scaledResidual() = 0;
    virtual void copyValues(std::span<T> values) = 0;
    virtual void setParameters(const PoissonProblem &problem) = 0;
};

/// Jacobi's iterations of a grid that several devices share.
template <typename T>
class DividedIterations final : public Iterations<T>
{
public:
    /// `where`: as PoissonIterations::computedOn().
    explicit DividedIterations(std::unique_ptr<Shares<T>> shares,
                               std::optional<ComputedOn> where = {})
        : m_shares(std::move(shares))
        , m_where(where)
    {
    }

    Pass pass(std::uint64_t most) override
    {
        const auto ahead = std::exchange(m_ahead, std::nullopt);
        if (ahead && m_shares->acceptsAhead(most)) {
            m_shares->acceptAhead();
            return ahead->pass;
        }
        const auto count = std::min(most, m_shares->portion());
        return {count, m_shares->iterate(count, count == most)};
    }

    const RankSlabs *ranks() const override { return m_shares->ranks(); }
    std::optional<ComputedOn> computedOn() const override { return m_where; }
    void copyValues(std::span<T> values) const override { m_shares->copyValues(values); }
    std::vector<ShareTimes> takeShareTimes() override { return m_shares->takeTimes(); }

    void setParameters(const PoissonProblem &problem) override
    {
        m_ahead.reset();
        m_shares->setParameters(problem);
    }

    double scaledResidual() const override
    {
        if (m_ahead)
            return m_ahead->residual;
        if (!m_shares->iteratesAhead())
            return m_shares->scaledResidual();
        const auto begin = std::chrono::steady_clock::now();
        const auto found = m_shares->iterateAhead();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        m_ahead =
            Ahead{{1, found.largestChange, seconds.count()}, std::sqrt(found.squaredResidual)};
        return m_ahead->residual;
    }

private:
    /// An iteration that has been made, but not asked for yet.
    struct Ahead
    {
        Pass pass;
        double residual; ///< of the values before it
    };

    std::unique_ptr<Shares<T>> m_shares;
    std::optional<ComputedOn> m_where;
    mutable std::optional<Ahead> m_ahead;
};

} // namespace gridhelm::solvers::jacobi
