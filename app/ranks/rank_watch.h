// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"

#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace gridhelm::app {

/// Looks, as long as it lives, whether the processes of the other ranks on this machine are still
/// there, and ends this one if not: who waits for a message that nobody will send hears of nothing.
/// (Those of other machines are their mpirun's to watch.)
class RankWatch
{
public:
    /// Collective. `say`: as in RankRun. From here on SIGUSR2 is what takeLeave() sends.
    RankWatch(Ranks &ranks, std::function<void(const std::string &)> say);

    /// Before this process ends, and the others with it, for a reason that has been told: theirs do
    /// not tell that it has gone.
    void takeLeave() const;

private:
    struct Watched
    {
        int rank = 0;
        pid_t process = 0;
    };
    void watch(const std::stop_token &stop);
    [[noreturn]] void end(const Watched &gone);

    int m_number;
    std::vector<Watched> m_others; ///< on this machine, in order
    std::function<void(const std::string &)> m_say;
    std::jthread m_thread; ///< the last: it uses all else
};

} // namespace gridhelm::app
