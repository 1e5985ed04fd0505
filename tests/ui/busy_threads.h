// SPDX-License-Identifier: GPL-3.0-or-later
//
// Other programs that take the cores.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>

namespace gridhelm::test {

/// So many threads that compute all the time.
class BusyThreads
{
public:
    explicit BusyThreads(int count)
    {
        for (int i = 0; i < count; ++i)
            m_threads.emplace_back([](const std::stop_token &stop) {
                for (std::atomic<unsigned> counted = 0; !stop.stop_requested();)
                    ++counted;
            });
    }

private:
    std::vector<std::jthread> m_threads;
};

} // namespace gridhelm::test
