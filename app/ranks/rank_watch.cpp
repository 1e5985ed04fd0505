// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ranks/rank_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <unistd.h>

namespace gridhelm::app {
namespace {

constexpr int leave = SIGUSR2;
volatile std::sig_atomic_t isTold = 0; ///< why all end

void noteLeave(int)
{
    isTold = 1;
}

bool isThere(pid_t process)
{
    return kill(process, 0) == 0 || errno != ESRCH;
}

} // namespace

RankWatch::RankWatch(Ranks &ranks, std::function<void(const std::string &)> say)
    : m_number(ranks.number())
    , m_say(std::move(say))
{
    struct sigaction action
    {};
    action.sa_handler = noteLeave;
    action.sa_flags = SA_RESTART;
    sigaction(leave, &action, nullptr);
    const auto processes = ofAll(ranks, getpid());
    const auto &hosts = ranks.hosts();
    const auto here = static_cast<std::size_t>(m_number);
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
        // Machines may have the same name, and containers numbers of their own.
        if (rank != here && hosts[rank] == hosts[here] && isThere(processes[rank]))
            m_others.push_back({static_cast<int>(rank), processes[rank]});
    }
    m_thread = std::jthread([this](const std::stop_token &stop) { watch(stop); });
}

void RankWatch::takeLeave() const
{
    for (const auto &other : m_others)
        kill(other.process, leave);
}

void RankWatch::watch(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto gone = std::ranges::find_if(
            m_others, [](const Watched &other) { return !isThere(other.process); });
        if (gone != m_others.end() && !stop.stop_requested())
            end(*gone);
    }
}

void RankWatch::end(const Watched &gone)
{
    const bool isFirst = std::ranges::none_of(m_others, [this](const Watched &other) {
        return other.rank < m_number && isThere(other.process);
    });
    if (isFirst && isTold == 0)
        m_say(fmt::format("rank {} (process {}) has ended before the others, which cannot go on "
                          "without it: it was killed, or memory ran out there; start again, with a "
                          "smaller grid if memory is short",
                          gone.rank, gone.process));
    else // the first one has time to speak, before mpirun ends what is left
        std::this_thread::sleep_for(std::chrono::seconds(2));
    _exit(1);
}

} // namespace gridhelm::app
