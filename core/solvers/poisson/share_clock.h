// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gridhelm::solvers {

/// Of a share on a CPU: what its thread spends on sending, and on waiting.
class ShareClock
{
public:
    template <typename Work>
    void sending(Work work)
    {
        measure(m_sending, work);
    }
    template <typename Work>
    void waiting(Work work)
    {
        measure(m_waiting, work);
    }

    /// In so many seconds since it was called last.
    ShareTimes take(double seconds)
    {
        const auto part = [seconds](double &spent) {
            const double all = std::exchange(spent, 0);
            return seconds > 0 ? std::min(all / seconds, 1.0) : 0;
        };
        return {part(m_sending), part(m_waiting)};
    }

private:
    template <typename Work>
    static void measure(double &seconds, Work work)
    {
        const auto begin = std::chrono::steady_clock::now();
        work();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    double m_sending = 0, m_waiting = 0;
};

} // namespace gridhelm::solvers
