// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/frame_history.h"

#include <string>

namespace gridhelm::ui {

/// A line for each frame of the history, the oldest first, below one with the names of the columns.
/// Seconds, bytes and operations; what is not known of an evaluation is empty.
std::string frameCsv(const FrameHistory &history);

} // namespace gridhelm::ui
