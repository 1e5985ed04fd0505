// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/learnt_split.h"

#include <algorithm>

namespace gridhelm::sparse {
namespace {

/// Calls that allocate, or take what they need to a device.
constexpr int warmUpCalls = 2;
/// Sizes that lines are measured at: such parts of the work.
constexpr std::size_t partOfFirst = 2, partOfHelper = 32;
/// Work of fewer items is not divided.
constexpr std::size_t fewItems = 4 * partOfHelper;
/// What both together must gain.
constexpr double worthwhileShare = 0.97;
/// How much of a measured time is believed at once.
constexpr double correction = 0.5;
/// Calls in a row that both together may lose, for the lines are not right at once.
constexpr int mostLosses = 6;
constexpr int longestLearnt = 1024;

/// The line times a factor, so that it comes closer to what was measured: by so much of the way.
void correct(SecondsLine &line, const TimedItems &measured, double part = correction)
{
    const double expected = line.at(measured.items);
    if (measured.items == 0 || expected <= 0)
        return;
    const double factor = 1 + part * (std::max(measured.seconds / expected, 0.1) - 1);
    line.offset *= factor;
    line.slope *= factor;
}

} // namespace

std::size_t LearntSplit::ofHelper(std::size_t items) const
{
    if (!m_lines || items < fewItems)
        return 0;
    const auto share = helpersShare(m_lines->first, m_lines->helper, items);
    const double together = std::max(m_lines->first.at(items - share), m_lines->helper.at(share));
    return together < worthwhileShare * m_lines->alone.at(items) ? share : 0;
}

void LearntSplit::run(std::size_t items, const Work &first, const Work &helper,
                      const WorkTogether &together)
{
    if (!m_lines && items >= fewItems && m_callsBefore >= warmUpCalls) {
        measure(items, first, helper);
        return;
    }
    auto share = m_pause > 0 ? 0 : ofHelper(items);
    if (m_isTrial && items >= fewItems)
        share = std::max(share, trialShare(items));
    if (share > 0 && --m_callsUntilAlone > 0) {
        doTogether(items, share, together);
        return;
    }
    const double seconds = first(items);
    ++m_callsBefore;
    if (!m_lines || items < fewItems)
        return;
    if (share > 0) { // it is their yardstick
        correct(m_lines->alone, {items, seconds}, 1);
        m_aloneEvery = std::min(2 * m_aloneEvery, longestLearnt);
        m_callsUntilAlone = m_aloneEvery;
        return;
    }
    correct(m_lines->alone, {items, seconds});
    if (m_pause == 0) {
        pause();
    } else if (--m_pause == 0) {
        m_lines->first = m_lines->alone; // tried again as if it were not known
        m_isTrial = true;
    }
}

/// As many items as the helper should have done when the first one ends, by its line until now.
std::size_t LearntSplit::trialShare(std::size_t items) const
{
    const auto &line = m_lines->helper;
    const double most = (m_lines->alone.at(items) - line.offset) / std::max(line.slope, 1e-30);
    const auto part = items / partOfHelper;
    return static_cast<std::size_t>(std::clamp(most, 1.0, static_cast<double>(part)));
}

void LearntSplit::measure(std::size_t items, const Work &first, const Work &helper)
{
    const auto few = items / partOfHelper;
    helper(few / 2); // takes its memory
    const double ofFew = helper(few / 2), ofMany = helper(few);
    const double ofPart = first(items / partOfFirst), ofAll = first(items);
    const auto ofFirst = lineThrough({items / partOfFirst, ofPart}, {items, ofAll});
    m_lines = Lines{ofFirst, ofFirst, lineThrough({few / 2, ofFew}, {few, ofMany})};
}

void LearntSplit::doTogether(std::size_t items, std::size_t ofHelper, const WorkTogether &together)
{
    const auto [ofFirst, ofOther, done] = together(ofHelper);
    const double part = m_isTrial ? 1 : correction;
    m_isTrial = false;
    correct(m_lines->first, {items - done, ofFirst}, part);
    correct(m_lines->helper, {done, ofOther}, part);
    if (std::max(ofFirst, ofOther) < m_lines->alone.at(items)) {
        m_losses = 0;
        m_nextPause = shortestPause;
    } else if (++m_losses == mostLosses) {
        pause();
    }
}

void LearntSplit::pause()
{
    m_losses = 0;
    m_pause = m_nextPause;
    m_nextPause = std::min(2 * m_nextPause, longestLearnt);
}

} // namespace gridhelm::sparse
