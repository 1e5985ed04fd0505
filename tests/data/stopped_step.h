// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_steps.h"

#include <stop_token>

namespace gridhelm::test {

/// By who stops it when modes, or what takes their place, are made.
inline data::CompressStepReport stoppedInModes(data::StudyWriter &writer,
                                               const data::CompressStep &step)
{
    std::stop_source stop;
    data::StepControl control;
    control.stop = stop.get_token();
    control.progress = [&](const data::StepProgress &progress) {
        if (progress.phase == data::StepProgress::Phase::modes)
            stop.request_stop();
    };
    return compressStep(writer, step, control);
}

} // namespace gridhelm::test
