// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace gridhelm::data {

/// What is said of a cluster that does not answer: one sentence when that begins, and one when it
/// is over. Any thread.
class HostSilence
{
public:
    using Clock = std::chrono::steady_clock;

    HostSilence(std::string host, std::chrono::milliseconds askedEvery,
                Clock::time_point now = Clock::now());

    void noteAnswer(Clock::time_point now = Clock::now());
    /// It was asked in vain; `why` as a sentence.
    void noteSilence(const std::string &why, Clock::time_point now = Clock::now());
    /// Sentences since the last call.
    std::vector<std::string> take();

private:
    std::string m_host;
    std::chrono::milliseconds m_askedEvery;
    std::mutex m_mutex; ///< for what follows
    Clock::time_point m_lastAnswer;
    bool m_isSilent = false;
    std::vector<std::string> m_sentences;
};

} // namespace gridhelm::data
