// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/frame_sample.h"

#include <deque>

namespace gridhelm::ui {

/// What the last frames took: the newest `maxSamples` of them.
class FrameHistory
{
public:
    static constexpr std::size_t maxSamples = 20000; ///< some 3 MB; five minutes at 60 a second

    void append(const FrameSample &sample);
    void clear() { m_samples.clear(); }

    const std::deque<FrameSample> &samples() const { return m_samples; }
    /// Evaluations that were finished in the second before sample i was shown, with its own. Those
    /// before the first sample that is kept are not known and do not count.
    double evaluationsPerSecond(std::size_t i) const;

private:
    std::deque<FrameSample> m_samples;
};

} // namespace gridhelm::ui
