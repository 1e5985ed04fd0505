// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"

namespace gridhelm::ui {

/// What one frame took until it was on the screen, and what evaluating it was. Times in seconds;
/// latency = waiting + evaluate + transfer + render.
struct FrameSample
{
    double shownAt = 0; ///< since the history began
    double latency = 0; ///< from the event that asked for it until it was on the screen
    double waiting = 0; ///< of that: nothing was done for this frame (queues, other frames, screen)
    double evaluate = 0; ///< the field at these parameters
    double transfer = 0; ///< handing it to the scene: on the CPU a copy within memory, no bus
    double render = 0;   ///< drawing it and painting the window
    data::EvaluationWork work;
    std::uint64_t evaluations = 0; ///< finished so far, also of fields that were never shown
    std::uint64_t values = 0;      ///< of the field, or of its visible part
    int groups = 0;                ///< levels that were used
    int allGroups = 0;
    bool isExact = true;
    bool isPart = false;
    std::string backend;
    int threads = 1;

    /// Bytes, operations per second of the evaluation; 0: not known.
    double byteRate() const { return work.isKnown() && evaluate > 0 ? work.bytes() / evaluate : 0; }
    double flopRate() const { return work.isKnown() && evaluate > 0 ? work.flops() / evaluate : 0; }
    /// Operations for each byte; 0: not known.
    double intensity() const { return work.isKnown() ? work.flops() / work.bytes() : 0; }
};

/// A frame that is on the screen now, so many seconds after the history began; transfer and render
/// as measured.
FrameSample sampleOf(const FieldFrame &frame, double shownAt, double latency, double transfer,
                     double render);

} // namespace gridhelm::ui
