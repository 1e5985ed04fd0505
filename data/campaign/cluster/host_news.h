// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/cluster/slurm_cluster.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// What is said of a cluster: that it does not answer, one sentence when that begins, and one when
/// it is over; and why runs wait there for good. Any thread.
class HostNews
{
public:
    using Clock = std::chrono::steady_clock;

    HostNews(std::string host, std::chrono::milliseconds askedEvery,
             Clock::time_point now = Clock::now());

    void noteAnswer(Clock::time_point now = Clock::now());
    /// It was asked in vain; `why` as a sentence.
    void noteSilence(const std::string &why, Clock::time_point now = Clock::now());
    /// Each reason is said once, and not before it has been seen for a while: a controller that
    /// restarts has others, and now and then Slurm names none.
    void noteWaits(std::span<const RunSeen> runs, Clock::time_point now = Clock::now());
    /// Sentences since the last call.
    std::vector<std::string> take();

private:
    std::string m_host;
    std::chrono::milliseconds m_askedEvery;
    std::mutex m_mutex; ///< for what follows
    Clock::time_point m_lastAnswer;
    bool m_isSilent = false;
    struct Wait
    {
        Clock::time_point first; ///< seen, without many looks that did not see it in between
        std::uint64_t lastLook = 0;
        bool isSaid = false;
    };
    std::uint64_t m_look = 0;
    std::map<std::string, Wait> m_waits; ///< by reason
    std::vector<std::string> m_sentences;
};

} // namespace gridhelm::data
