// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/frame_history.h"

#include <algorithm>

namespace gridhelm::ui {

void FrameHistory::append(const FrameSample &sample)
{
    if (m_samples.size() == maxSamples)
        m_samples.pop_front();
    m_samples.push_back(sample);
}

double FrameHistory::evaluationsPerSecond(std::size_t i) const
{
    const auto &last = m_samples.at(i);
    const auto end = m_samples.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const auto first = std::upper_bound(
        m_samples.begin(), end, last.shownAt - 1,
        [](double time, const FrameSample &sample) { return time < sample.shownAt; });
    const bool isKept = first != m_samples.begin(); // one from before that second
    const auto before = isKept ? std::prev(first)->evaluations : first->evaluations - 1;
    return static_cast<double>(last.evaluations - before);
}

} // namespace gridhelm::ui
