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
constexpr double worthwhile = 0.97;
/// How much of a measured time is believed at once.
constexpr double correction = 0.5;
/// Calls in a row that both together may lose, for the lines are not right at once.
constexpr int mostLosses = 6;
constexpr int shortestPause = 8, longestPause = 1024;

/// The line times a factor, so that it comes closer to what was measured.
void correct(SecondsLine &line, const TimedItems &measured)
{
    const double expected = line.at(measured.items);
    if (measured.items == 0 || expected <= 0)
        return;
    const double factor = 1 + correction * (std::clamp(measured.seconds / expected, 0.1, 10.0) - 1);
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
    return together < worthwhile * m_lines->alone.at(items) ? share : 0;
}

void LearntSplit::run(std::size_t items, const Work &first, const Work &helper,
                      const WorkTogether &together)
{
    if (!m_lines && items >= fewItems && m_callsBefore >= warmUpCalls) {
        measure(items, first, helper);
        return;
    }
    const auto share = m_pause > 0 ? 0 : ofHelper(items);
    if (share > 0) {
        doTogether(items, share, together);
        return;
    }
    const double seconds = first(items);
    ++m_callsBefore;
    if (!m_lines)
        return;
    correct(m_lines->alone, {items, seconds});
    if (items < fewItems)
        return;
    if (m_pause == 0)
        pause();
    else if (--m_pause == 0)
        m_lines->first = m_lines->alone; // tried again as if it were not known
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
    const auto [ofFirst, ofOther] = together(ofHelper);
    correct(m_lines->first, {items - ofHelper, ofFirst});
    correct(m_lines->helper, {ofHelper, ofOther});
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
    m_nextPause = std::min(2 * m_nextPause, longestPause);
}

} // namespace gridhelm::sparse
