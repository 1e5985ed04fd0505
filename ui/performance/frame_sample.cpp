// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/frame_sample.h"

#include <algorithm>

namespace gridhelm::ui {

FrameSample sampleOf(const FieldFrame &frame, double shownAt, double latency, double transfer,
                     double render)
{
    FrameSample sample;
    sample.shownAt = shownAt;
    sample.latency = latency;
    sample.evaluate = frame.seconds;
    sample.transfer = transfer;
    sample.render = render;
    sample.waiting = std::max(0.0, latency - frame.seconds - transfer - render);
    sample.work = frame.work;
    sample.evaluations = frame.evaluations;
    sample.values = frame.values.size();
    sample.groups = frame.groups;
    sample.allGroups = frame.study ? frame.study->groups : frame.groups;
    sample.isExact = frame.isExact;
    sample.isPart = frame.isPart;
    sample.backend = frame.backend;
    sample.threads = frame.threads;
    return sample;
}

} // namespace gridhelm::ui
