// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/host_news.h"

#include "data/campaign/campaign_text.h"
#include "data/campaign/cluster/slurm_waits.h"

#include <fmt/format.h>

#include <utility>

namespace gridhelm::data {

namespace {

std::string lengthText(std::chrono::duration<double> length)
{
    return durationText(length.count());
}

} // namespace

HostNews::HostNews(std::string host, std::chrono::milliseconds askedEvery, Clock::time_point now)
    : m_host(std::move(host))
    , m_askedEvery(askedEvery)
    , m_lastAnswer(now)
{
}

void HostNews::noteAnswer(Clock::time_point now)
{
    const std::scoped_lock lock(m_mutex);
    if (std::exchange(m_isSilent, false))
        m_sentences.push_back(
            fmt::format("{} answers again, after {}", m_host, lengthText(now - m_lastAnswer)));
    m_lastAnswer = now;
}

void HostNews::noteSilence(const std::string &why, Clock::time_point now)
{
    const std::scoped_lock lock(m_mutex);
    if (std::exchange(m_isSilent, true))
        return;
    m_sentences.push_back(fmt::format("No news of the runs on {} for {} ({}); they go on there, "
                                      "and it is asked again every {} until it answers",
                                      m_host, lengthText(now - m_lastAnswer), why,
                                      lengthText(m_askedEvery)));
}

void HostNews::noteWaits(std::span<const RunSeen> runs, Clock::time_point now)
{
    constexpr std::uint64_t longestGap = 4;
    const std::scoped_lock lock(m_mutex);
    ++m_look;
    for (const auto &run : runs) {
        auto &wait = m_waits.try_emplace(run.reason, Wait{now, m_look}).first->second;
        if (m_look - wait.lastLook > longestGap)
            wait.first = now;
        wait.lastLook = m_look;
        // Looks that somebody asks for may follow each other at once.
        if (wait.isSaid || now - wait.first < m_askedEvery / 2)
            continue;
        wait.isSaid = true;
        if (auto sentence = endlessWait(run.reason, m_host))
            m_sentences.push_back(*std::move(sentence));
    }
}

std::vector<std::string> HostNews::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_sentences, {});
}

} // namespace gridhelm::data
