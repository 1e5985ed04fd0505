// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/paired_shares.h"

#include "core/execution/crew.h"
#include "core/solvers/local_messages.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace gridhelm::solvers::jacobi {
namespace {

template <typename T>
class PairedShares final : public Shares<T>
{
public:
    PairedShares(const std::array<PartMaker<T>, 2> &makers, int depth)
        : m_depth(static_cast<std::uint64_t>(depth))
    {
        onBoth([&](std::size_t i) {
            const int other = 1 - static_cast<int>(i);
            m_parts[i] = makers[i](m_messages.party(static_cast<int>(i)), other);
        });
    }
    /// Each part is ended by the thread that made it.
    ~PairedShares() override
    {
        m_crew.run([&](std::size_t i) { m_parts[i].reset(); });
    }

    std::uint64_t portion() const override
    {
        const auto most = std::min(m_parts[0]->portion(), m_parts[1]->portion());
        return (most + m_depth - 1) / m_depth * m_depth;
    }

    /// What is left over after whole passes is made one by one: passes of other depths than
    /// `depth` are each part's own.
    double iterate(std::uint64_t iterations, bool compares) override
    {
        const auto whole = iterations / m_depth * m_depth;
        std::array<double, 2> largest{StepReport::none, StepReport::none};
        onBoth([&](std::size_t i) {
            auto &part = *m_parts[i];
            if (whole > 0)
                largest[i] = part.iterate(whole, compares && whole == iterations);
            for (auto done = whole; done < iterations; ++done)
                largest[i] = part.iterate(1, compares && done + 1 == iterations);
        });
        return compares ? std::max(largest[0], largest[1]) : StepReport::none;
    }

    std::vector<ShareTimes> takeTimes() override
    {
        std::array<std::vector<ShareTimes>, 2> times;
        onBoth([&](std::size_t i) { times[i] = m_parts[i]->takeTimes(); });
        if (times[0].empty() || times[1].empty())
            return {};
        times[0].insert(times[0].end(), times[1].begin(), times[1].end());
        return times[0];
    }

    double scaledResidual() override
    {
        std::array<double, 2> norms{};
        onBoth([&](std::size_t i) { norms[i] = m_parts[i]->scaledResidual(); });
        return std::hypot(norms[0], norms[1]);
    }

    void copyValues(std::span<T> values) override
    {
        onBoth([&](std::size_t i) { m_parts[i]->copyValues(values); });
    }

    void setParameters(const PoissonProblem &problem) override
    {
        onBoth([&](std::size_t i) { m_parts[i]->setParameters(problem); });
    }

private:
    template <typename Body>
    void onBoth(const Body &body)
    {
        std::mutex mutex;
        std::exception_ptr failure; // the other one's exception follows from it
        m_crew.run([&](std::size_t i) {
            try {
                body(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure)
                    failure = std::current_exception();
                m_messages.abandon();
            }
        });
        if (failure)
            std::rethrow_exception(failure);
    }

    std::uint64_t m_depth;
    LocalMessages m_messages;
    std::array<std::unique_ptr<Shares<T>>, 2> m_parts;
    Crew m_crew{2};
};

} // namespace

template <typename T>
std::unique_ptr<Shares<T>> makePairedShares(const std::array<PartMaker<T>, 2> &makers, int depth)
{
    return std::make_unique<PairedShares<T>>(makers, depth);
}

template std::unique_ptr<Shares<float>> makePairedShares(const std::array<PartMaker<float>, 2> &,
                                                         int);
template std::unique_ptr<Shares<double>> makePairedShares(const std::array<PartMaker<double>, 2> &,
                                                          int);

} // namespace gridhelm::solvers::jacobi
