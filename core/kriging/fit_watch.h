// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <utility>

namespace gridhelm::kriging {

/// A fit was stopped by who watches it: there is no result.
class FitStopped : public std::exception
{
public:
    const char *what() const noexcept override { return "the fit was stopped"; }
};

/// How far a fit is. Thread-safe.
class FitWatch
{
public:
    /// Told the share that is done, by several threads at once; false stops the fit.
    using Tell = std::function<bool(double)>;

    /// `tell` may be empty; `whole`: the work that there is to do at most, in any unit.
    FitWatch(Tell tell, double whole)
        : m_tell(std::move(tell))
        , m_whole(whole)
    {
    }

    /// So much is done, or need not be done. Throws FitStopped.
    void add(double work)
    {
        const double done = m_done.fetch_add(work) + work;
        if (m_tell && !m_tell(done < m_whole ? done / m_whole : 1))
            throw FitStopped();
    }

private:
    Tell m_tell;
    double m_whole;
    std::atomic<double> m_done = 0;
};

} // namespace gridhelm::kriging
